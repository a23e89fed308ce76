import { z } from "npm:zod@4.6.7";
import { adminClient, mailClient, secretKeys } from "../_shared/clients.ts";
import { hashToken, invitationToken } from "../_shared/invitation-token.ts";
import { handle } from "./handler.ts";

const mailSchema = z.object({ id: z.uuid(), email: z.string() }).nullable();

export default {
  fetch: (request: Request) =>
    handle(request, {
      secretKeys: secretKeys(),
      steps: {
        claim: async () => {
          const { data, error } = await adminClient().rpc("claim_invitation_mail");
          if (error) throw error;
          return mailSchema.parse(data);
        },
        send: async ({ id, email }) => {
          const token = invitationToken(secretKeys()[0] ?? "", id);
          const kept = await adminClient().rpc("keep_invitation_token", { p_id: id, p_token_hash: hashToken(token) });
          if (kept.error) throw kept.error;
          // One request for every address, with an account or without: Auth makes one where there is none.
          const emailRedirectTo = new URL(`/invitation/${token}`, Deno.env.get("SITE_URL")).href;
          const { error } = await mailClient().auth.signInWithOtp({ email, options: { emailRedirectTo } });
          if (!error) return "sent";
          if (error.status === 429 || !error.status) return "later";
          console.error("Auth refused the e-mail of an invitation:", error);
          return error.status >= 500 ? "again" : "failed";
        },
        finish: async (id, state) => {
          const { error } = await adminClient().rpc("finish_invitation_mail", { p_id: id, p_state: state });
          if (error) throw error;
        },
      },
    }),
};
