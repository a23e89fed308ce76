import { adminClient, userClient } from "../_shared/clients.ts";
import { handle } from "./handler.ts";

const timeoutMs = 2_400; // of each of the two calls: callers wait 5 s

export default {
  fetch: (request: Request) =>
    handle(request, {
      getUser: (token) => userClient(token, timeoutMs).auth.getUser(token),
      readSnapshot: async ({ userId, team, campaign }) =>
        await adminClient(timeoutMs).rpc("permissions_snapshot", {
          p_user_id: userId,
          p_team_id: team,
          p_campaign_id: campaign,
        }),
    }),
};
