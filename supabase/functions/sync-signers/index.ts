import { z } from "npm:zod@4.6.7";
import { adminClient, secretKeys } from "../_shared/clients.ts";
import { withEdgeRedis } from "../_shared/redis.ts";
import { handle } from "./handler.ts";

const voterIdsSchema = z.array(z.string());
const campaignsSchema = z.array(z.object({ campaignId: z.string(), anySigner: z.boolean() }));
const setsSchema = z.array(z.object({ campaignId: z.string(), numbers: z.array(z.number()) }));
const notesSchema = z.object({
  ids: z.array(z.number()),
  changes: z.array(
    z.object({ campaignId: z.string(), voterId: z.string(), member: z.boolean(), changeNumber: z.number() }),
  ),
  left: z.number(),
});

export default {
  fetch: (request: Request) =>
    handle(request, {
      secretKeys: secretKeys(),
      steps: {
        withStore: withEdgeRedis,
        campaigns: async () => campaignsSchema.parse(read(await adminClient().rpc("signer_campaigns"))),
        renewNumbers: async () => void read(await adminClient().rpc("renew_change_numbers")),
        table: {
          count: async (campaignId) =>
            z.number().parse(read(await adminClient().rpc("signer_count", { p_campaign_id: campaignId }))),
          page: async (campaignId, after, limit) => {
            const given = { p_campaign_id: campaignId, p_after: after, p_limit: limit };
            return voterIdsSchema.parse(read(await adminClient().rpc("signer_page", given)));
          },
        },
        requestRebuilds: async (campaignIds) =>
          z
            .record(z.string(), z.number())
            .parse(read(await adminClient().rpc("ask_for_signers", { p_campaign_ids: campaignIds }))),
        listRequests: async () => setsSchema.parse(read(await adminClient().rpc("signers_asked_for"))),
        deleteRequests: async (campaignId, numbers) => {
          const given = { p_campaign_id: campaignId, p_numbers: numbers };
          read(await adminClient().rpc("forget_signers_asked_for", given));
        },
        readNotes: async (limit) =>
          notesSchema.parse(read(await adminClient().rpc("pending_signer_changes", { p_limit: limit }))),
        deleteNotes: async (ids) => void read(await adminClient().rpc("delete_signer_changes", { p_ids: ids })),
      },
    }),
};

function read<Data>({ data, error }: { data: Data; error: null } | { data: null; error: Error }): Data {
  if (error) throw error;
  return data;
}
