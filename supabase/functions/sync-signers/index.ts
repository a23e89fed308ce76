import { z } from "npm:zod@4.6.7";
import { adminClient, requireData, secretKeys } from "../_shared/clients.ts";
import { withEdgeRedis } from "../_shared/redis.ts";
import { handle } from "./handler.ts";

const voterIdsSchema = z.array(z.string());
const campaignsSchema = z.array(z.object({ campaignId: z.string(), anySigner: z.boolean() }));
const requestedSchema = z.record(z.string(), z.number());
const requestsSchema = z.array(z.object({ campaignId: z.string(), numbers: z.array(z.number()) }));
const pendingSchema = z.object({
  ids: z.array(z.number()),
  changes: z.array(
    z.object({ campaignId: z.string(), voterId: z.string(), member: z.boolean(), changeNumber: z.number() }),
  ),
  left: z.number(),
});

export default {
  fetch: (request: Request) => {
    const database = adminClient();
    return handle(request, {
      secretKeys: secretKeys(),
      steps: {
        withStore: withEdgeRedis,
        campaigns: async () => campaignsSchema.parse(requireData(await database.rpc("signer_campaigns"))),
        renewNumbers: async () => void requireData(await database.rpc("renew_change_numbers")),
        table: {
          count: async (campaignId) =>
            z.number().parse(requireData(await database.rpc("signer_count", { p_campaign_id: campaignId }))),
          page: async (campaignId, after, limit) => {
            const args = { p_campaign_id: campaignId, p_after: after, p_limit: limit };
            return voterIdsSchema.parse(requireData(await database.rpc("signer_page", args)));
          },
        },
        requestRebuilds: async (campaignIds) =>
          requestedSchema.parse(
            requireData(await database.rpc("request_signer_rebuilds", { p_campaign_ids: campaignIds })),
          ),
        listRequests: async () => requestsSchema.parse(requireData(await database.rpc("signer_rebuild_requests"))),
        deleteRequests: async (campaignId, numbers) => {
          const args = { p_campaign_id: campaignId, p_numbers: numbers };
          requireData(await database.rpc("delete_signer_rebuild_requests", args));
        },
        readPending: async (limit) =>
          pendingSchema.parse(requireData(await database.rpc("pending_signer_changes", { p_limit: limit }))),
        deletePending: async (ids) => void requireData(await database.rpc("delete_signer_changes", { p_ids: ids })),
      },
    });
  },
};
