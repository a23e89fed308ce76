import { adminClient, strangerClient, userClient } from "../_shared/clients.ts";
import { handle } from "./handler.ts";

export default {
  fetch: (request: Request) =>
    handle(request, {
      serviceEmail: Deno.env.get("SEARCH_BACKEND_EMAIL"),
      signIn: (credentials) => strangerClient().auth.signInWithPassword(credentials),
      getUser: (token) => userClient(token).auth.getUser(token),
      searchVoters: async (params) => await adminClient().rpc("search_voters", { p_params: params }),
    }),
};
