import { adminClient, anonymousClient } from "../_shared/clients.ts";
import { countRequest } from "../_shared/count-request.ts";
import { handle } from "./handler.ts";
import { makeToken, readToken } from "./search-tokens.ts";

export default {
  fetch: (request: Request) =>
    handle(request, {
      serviceEmail: Deno.env.get("SEARCH_BACKEND_EMAIL"),
      servicePasswordDigest: Deno.env.get("SEARCH_BACKEND_PASSWORD_SHA256"),
      checkPassword,
      makeToken,
      readToken,
      countRequest,
      searchVoters: async (params) => await adminClient().rpc("search_voters", { p_params: params }),
      similarVoters: async (params) => await adminClient().rpc("similar_voters", { p_params: params }),
    }),
};

// Auth only checks a password by starting a session, which is ended at once.
async function checkPassword(credentials: { email: string; password: string }) {
  const { auth } = anonymousClient();
  const { data, error } = await auth.signInWithPassword(credentials);
  if (data.session) {
    const ended = await auth.signOut({ scope: "local" });
    if (ended.error) console.error("search-backend left a session behind:", ended.error);
  }
  return { data: { user: data.user }, error };
}
