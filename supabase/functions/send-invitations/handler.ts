import { isSecretKey } from "../_shared/is-secret-key.ts";
import { respond } from "../_shared/respond.ts";
import { type MailSteps, sendInvitationMails } from "../_shared/send-invitation-mails.ts";

/**
 * POST /functions/v1/send-invitations, with the secret key: has Auth send queued invitation emails. 200
 * `{ sent, failed }`; 401, 405; 503 when a step failed: the next call continues.
 */
export async function handle(request: Request, { secretKeys, steps }: { secretKeys: string[]; steps: MailSteps }) {
  if (request.method !== "POST") return respond(405, { error: "Use POST." }, { Allow: "POST" });
  if (!(await isSecretKey(request, secretKeys))) return respond(401, { error: "Send the secret key as `apikey`." });
  try {
    const counts = await sendInvitationMails(steps);
    if (counts.sent + counts.failed > 0) console.log(JSON.stringify({ event: "invitations-sent", ...counts }));
    return respond(200, counts);
  } catch (cause) {
    console.error("send-invitations failed:", cause);
    return respond(
      503,
      { error: "Couldn't send all invitations. The rest are sent by the next call." },
      { "Retry-After": "5" },
    );
  }
}
