import "server-only";
import { z } from "zod";
import type { ReadsFilter } from "@/lib/activity/activity-filter";
import { type ReadKind, readKinds } from "@/lib/activity/record-read";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const readSchema = z
  .object({
    id: z.number().int(),
    at: z.string(),
    actor_id: z.uuid(),
    actor_name: z.string().nullable(),
    campaign_name: z.string().nullable(),
    kind: z.enum(readKinds),
    filter: z.record(z.string(), z.unknown()),
    row_count: z.number().int(),
    match_count: z.number().nullable(),
  })
  .transform((row) => ({
    id: row.id,
    /** ISO 8601. */
    at: row.at,
    actorId: row.actor_id,
    /** Name of who read it, as it was then; null for an account that was deleted at once. */
    actor: row.actor_name,
    /** Name of the campaign, as it was then; null where it was of the whole team, or of none. */
    campaign: row.campaign_name,
    kind: row.kind,
    /** What it was narrowed to. A long part is the beginning of its JSON, as text. */
    filter: row.filter,
    /** Lines of a file, or voters on a page. */
    rowCount: row.row_count,
    /** How many voters a search found in all; null for files. */
    matchCount: row.match_count,
  }));
export type ReadEntry = z.infer<typeof readSchema>;

const kinds: Record<NonNullable<ReadsFilter["kind"]>, ReadKind[]> = {
  exports: readKinds.filter((kind) => kind !== "search"),
  searches: ["search"],
};

/**
 * One page of a team's exports and searches, newest first; empty for a person without `members.manage` there, which the
 * database asks again. `next` is the filter's `before` of the page that follows; null on the last.
 */
export async function listReads(
  { actorId, teamId }: { actorId: string; teamId: string },
  { kind, ...filter }: ReadsFilter,
  pageSize = 100,
): Promise<{ reads: ReadEntry[]; next: number | null }> {
  const result = await createAdminClient().rpc("team_reads", {
    p_actor_id: actorId,
    p_team_id: teamId,
    p_filter: { ...filter, ...(kind && { kinds: kinds[kind] }) },
    p_limit: pageSize + 1,
  });
  const found = z.array(readSchema).parse(unwrap(result));
  const reads = found.slice(0, pageSize);
  return { reads, next: found.length > pageSize ? (reads.at(-1)?.id ?? null) : null };
}
