import { handleJob } from "../_shared/handle-job.ts";
import { respond } from "../_shared/respond.ts";
import { type MailSteps, sendInvitationMails } from "../_shared/send-invitation-mails.ts";

/**
 * POST /functions/v1/send-invitations, with the secret key: has Auth send queued invitation emails. 200 `{ sent, failed }`;
 * 401, 405; 503 if a step failed: the next call continues.
 */
export function handle(request: Request, { secretKeys, steps }: { secretKeys: string[]; steps: MailSteps }) {
  const job = { name: "send-invitations", secretKeys, failure: "Couldn't send all invitations." };
  return handleJob(request, job, async () => {
    const counts = await sendInvitationMails(steps);
    if (counts.sent + counts.failed > 0) console.log(JSON.stringify({ event: "invitations-sent", ...counts }));
    return respond(200, counts);
  });
}
