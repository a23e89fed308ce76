import { adminClient, secretKeys } from "../_shared/clients.ts";
import { withRedis } from "../_shared/redis.ts";
import { handle } from "./handler.ts";

export default {
  fetch: (request: Request) =>
    handle(request, {
      secretKeys: secretKeys(),
      steps: {
        withStore: withRedis,
        campaigns: () => call("signer_campaigns", {}),
        renewNumbers: () => call("renew_change_numbers", {}),
        table: {
          count: (campaignId) => call("signer_count", { p_campaign_id: campaignId }),
          page: (campaignId, after, limit) =>
            call("signer_page", { p_campaign_id: campaignId, p_after: after, p_limit: limit }),
          live: (campaignId, voterIds) => call("live_signers", { p_campaign_id: campaignId, p_voter_ids: voterIds }),
        },
        readNotes: (limit) => call("pending_signer_changes", { p_limit: limit }),
        deleteNotes: (ids) => call("delete_signer_changes", { p_ids: ids }),
      },
    }),
};

async function call(name: string, given: Record<string, unknown>) {
  const { data, error } = await adminClient().rpc(name, given);
  if (error) throw error;
  return data;
}
