import type { Redis } from "ioredis";
import { z } from "zod";
import { applySignerChange, signersKey } from "../../supabase/functions/_shared/signers.ts";
import type { SyncSteps } from "../../supabase/functions/_shared/sync-signers.ts";

type Sql = <Row = Record<string, unknown>>(query: string, parameters?: unknown[]) => Promise<Row[]>;
type Rpc = (name: string, args: Record<string, unknown>) => Promise<unknown>;

const texts = z.array(z.string());
const sets = z.array(z.object({ campaignId: z.string(), numbers: z.array(z.number()) }));
const pending = z.object({
  ids: z.array(z.number()),
  changes: z.array(
    z.object({ campaignId: z.string(), voterId: z.string(), member: z.boolean(), changeNumber: z.number() }),
  ),
  left: z.number(),
});

/** The steps of sync-signers on a test database and a real Redis. */
export function syncSteps(rpc: Rpc, redis: Redis): SyncSteps {
  return {
    withStore: (run) => run(redis),
    campaigns: async () =>
      z.array(z.object({ campaignId: z.string(), anySigner: z.boolean() })).parse(await rpc("signer_campaigns", {})),
    renewNumbers: async () => void (await rpc("renew_change_numbers", {})),
    table: {
      count: async (campaignId) => z.number().parse(await rpc("signer_count", { p_campaign_id: campaignId })),
      page: async (campaignId, after, limit) =>
        texts.parse(await rpc("signer_page", { p_campaign_id: campaignId, p_after: after, p_limit: limit })),
    },
    requestRebuilds: async (campaignIds) =>
      z.record(z.string(), z.number()).parse(await rpc("request_signer_rebuilds", { p_campaign_ids: campaignIds })),
    listRequests: async () => sets.parse(await rpc("signer_rebuild_requests", {})),
    deleteRequests: async (campaignId, numbers) =>
      void (await rpc("delete_signer_rebuild_requests", { p_campaign_id: campaignId, p_numbers: numbers })),
    readPending: async (limit) => pending.parse(await rpc("pending_signer_changes", { p_limit: limit })),
    deletePending: async (ids) => void (await rpc("delete_signer_changes", { p_ids: ids })),
  };
}

/** Adds or removes a voter's line in SQL. Returns undefined if nothing changed. */
export async function changeLine(sql: Sql, change: { campaignId: string; voterId: string; member: boolean }) {
  const { campaignId, voterId, member } = change;
  const [row] = await sql<{ change_number: number }>(
    member
      ? `insert into public.lines (team_id, campaign_id, verdict, voter_id, entered_by)
         values ('north', $1, 'accepted', $2, md5($2)::uuid)
         on conflict do nothing returning change_number::float8`
      : `update public.lines set removed_at = now()
         where campaign_id = $1 and voter_id = $2 and removed_at is null returning change_number::float8`,
    [campaignId, voterId],
  );
  return row && { ...change, changeNumber: row.change_number };
}

/** Does what the application does after changing a line: updates the set, then deletes the pending change. */
export async function applyLineChange(
  redis: Redis,
  sql: Sql,
  change: { campaignId: string; voterId: string; member: boolean; changeNumber: number },
) {
  await applySignerChange(redis, change);
  await sql("select public.delete_applied_signer_changes($1, $2, $3)", [
    change.campaignId,
    change.voterId,
    change.changeNumber,
  ]);
}

/** The members of a campaign's set, and the voters with a live line there. */
export async function compareSigners(redis: Redis, sql: Sql, campaignId: string) {
  const rows = await sql<{ voter_id: string }>(
    `select voter_id from public.lines where campaign_id = $1 and verdict = 'accepted' and removed_at is null order by voter_id collate "C"`,
    [campaignId],
  );
  return {
    set: (await redis.smembers(signersKey(campaignId))).toSorted(),
    table: rows.map(({ voter_id }) => voter_id).toSorted(),
  };
}
