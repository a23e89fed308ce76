import { z } from "npm:zod@4.6.7";
import { adminClient, mailClient, requireData, secretKey, secretKeys } from "../_shared/clients.ts";
import { hashToken, invitationToken } from "../_shared/invitation-token.ts";
import { handleEmails } from "../_shared/send-emails.ts";

const wordsSchema = z.object({ invitation: z.record(z.string(), z.string()) });
const queuedEmailSchema = z.object({ id: z.uuid(), email: z.string() }).nullable();

/** POST /functions/v1/send-invitations: has Auth send queued invitation emails. */
export default {
  fetch: (request: Request) =>
    handleEmails(request, {
      name: "send-invitations",
      secretKeys: secretKeys(),
      steps: {
        claim: async () => queuedEmailSchema.parse(requireData(await adminClient().rpc("claim_invitation_mail"))),
        send: async ({ id, email }) => {
          const token = invitationToken(secretKey(), id);
          requireData(await adminClient().rpc("save_invitation_token", { p_id: id, p_token_hash: hashToken(token) }));
          const data = wordsSchema.parse(requireData(await adminClient().rpc("describe_invitation", { p_id: id })));
          // Works with or without an account: Auth creates a missing one. An existing one has the data already.
          const emailRedirectTo = new URL(`/invitation/${token}`, Deno.env.get("SITE_URL")).href;
          const { error } = await mailClient().auth.signInWithOtp({ email, options: { emailRedirectTo, data } });
          if (!error) return "sent";
          if (error.status === 429 || !error.status) return "stop";
          console.error("Auth refused the email of an invitation:", error);
          return error.status >= 500 ? "again" : "failed";
        },
        finish: async (id, state) =>
          void requireData(await adminClient().rpc("finish_invitation_mail", { p_id: id, p_state: state })),
      },
    }),
};
