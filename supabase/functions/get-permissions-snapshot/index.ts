import { adminClient, userClient } from "../_shared/clients.ts";
import { handle } from "./handler.ts";

export default {
  fetch: (request: Request) =>
    handle(request, {
      getUser: (token) => userClient(token).auth.getUser(token),
      readSnapshot: async ({ userId, team, campaign }) =>
        await adminClient().rpc("permissions_snapshot", {
          p_user_id: userId,
          p_team_id: team,
          p_campaign_id: campaign,
        }),
    }),
};
