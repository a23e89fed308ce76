/** The most emails that one run sends. */
export const maxMailsPerRun = 10;

const startLimitMs = 60_000; // nothing new starts after that: the last one may take as long, and a run has 150 s

type Mail = { id: string; email: string };

export type MailSteps = {
  claim(): Promise<Mail | null>;
  /** "later" if Auth is at its limit or unreachable; "again" if it fails on this one. */
  send(mail: Mail): Promise<"sent" | "failed" | "again" | "later">;
  /** Saves the result. An email isn't tried again after its fifth "again". */
  finish(id: string, state: "sent" | "failed" | "again"): Promise<void>;
};

/**
 * Sends queued invitation emails one by one until the queue is empty or Auth accepts no more. An email is finished only once
 * Auth has accepted or refused it, so a run that fails halfway loses none and the next one continues.
 */
export async function sendInvitationMails({
  claim,
  send,
  finish,
}: MailSteps): Promise<{ sent: number; failed: number }> {
  const counts = { sent: 0, failed: 0 };
  const until = performance.now() + startLimitMs;
  for (let tried = 0; tried < maxMailsPerRun && performance.now() < until; tried += 1) {
    const mail = await claim();
    if (!mail) break;
    const state = await send(mail);
    if (state === "later") break;
    await finish(mail.id, state);
    if (state !== "again") counts[state] += 1;
  }
  return counts;
}
