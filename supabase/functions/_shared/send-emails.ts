import { handleJob } from "./handle-job.ts";
import { respond } from "./respond.ts";

/** The most emails that one run sends. */
export const maxEmailsPerRun = 10;

const startLimitMs = 60_000; // nothing new starts after that: the last one may take as long, and a run has 150 s

type Queued = { id: string; email: string };

export type EmailSteps<Email extends Queued = Queued> = {
  claim(): Promise<Email | null>;
  /** "stop" if the mail server is at its limit or unreachable; "again" if it fails on this one. */
  send(email: Email): Promise<"sent" | "failed" | "again" | "stop">;
  /** Saves the result. An email isn't tried again after its fifth "again". */
  finish(id: string, state: "sent" | "failed" | "again"): Promise<void>;
};

/**
 * Sends queued emails one by one until the queue is empty or the mail server accepts no more. An email is finished only once
 * it was accepted or refused, so a run that fails halfway loses none and the next one continues.
 */
export async function sendEmails<Email extends Queued>({
  claim,
  send,
  finish,
}: EmailSteps<Email>): Promise<{ sent: number; failed: number }> {
  const counts = { sent: 0, failed: 0 };
  const deadline = performance.now() + startLimitMs;
  for (let attempt = 0; attempt < maxEmailsPerRun && performance.now() < deadline; attempt += 1) {
    const email = await claim();
    if (!email) break;
    const state = await send(email);
    if (state === "stop") break;
    await finish(email.id, state);
    if (state !== "again") counts[state] += 1;
  }
  return counts;
}

/**
 * Handles POST with the secret key: sends queued emails. Returns 200 `{ sent, failed }`. Also 401, 405, and 503 if a step
 * failed; the next call then continues.
 */
export function handleEmails<Email extends Queued>(
  request: Request,
  { name, secretKeys, steps }: { name: string; secretKeys: string[]; steps: EmailSteps<Email> },
): Promise<Response> {
  return handleJob(request, { name, secretKeys, failure: "Couldn't send all emails." }, async () => {
    const counts = await sendEmails(steps);
    if (counts.sent + counts.failed > 0) console.log(JSON.stringify({ event: name, ...counts }));
    return respond(200, counts);
  });
}
