import "server-only";
import { z } from "zod";
import { type ActivityFilter, activityAreas } from "@/lib/activity/activity-filter";
import { type CsvPiece, csvRow } from "@/lib/format/csv";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const rowSchema = z.record(z.string(), z.unknown()).nullable();
const entrySchema = z
  .object({
    id: z.number().int(),
    at: z.string(),
    actor_id: z.uuid().nullable(),
    actor_name: z.string().nullable(),
    database_role: z.string(),
    action: z.enum(["insert", "update", "delete", "truncate"]),
    table_name: z.string(),
    campaign_id: z.string().nullable(),
    subject_id: z.uuid().nullable(),
    subject_name: z.string().nullable(),
    before: rowSchema,
    after: rowSchema,
  })
  .transform((row) => ({
    id: row.id,
    /** ISO 8601. */
    at: row.at,
    actorId: row.actor_id,
    /** Name of who did it, as it was then; null for a change outside of Signet, made by `databaseRole`. */
    actor: row.actor_name,
    databaseRole: row.database_role,
    action: row.action,
    table: row.table_name,
    campaignId: row.campaign_id,
    /** Whom it was about, where it was about somebody. */
    subjectId: row.subject_id,
    subject: row.subject_name,
    /** The row, with `role_name`, `permission_set_name` and `campaign_name` as they were then; null where there was none. */
    before: row.before,
    after: row.after,
  }));
export type ActivityEntry = z.infer<typeof entrySchema>;

/**
 * One page of a team's activity, newest first. Guard with `members.manage` first. `next` is the filter's `before` of the page that follows; null on the last.
 */
export async function listActivity(
  teamId: string,
  { area, ...filter }: ActivityFilter,
  pageSize = 50,
): Promise<{ entries: ActivityEntry[]; next: number | null }> {
  const result = await createAdminClient().rpc("team_activity", {
    p_team_id: teamId,
    p_filter: { ...filter, ...(area && { tables: [...activityAreas[area]] }) },
    p_limit: pageSize + 1,
  });
  const found = z.array(entrySchema).parse(unwrap(result));
  const entries = found.slice(0, pageSize);
  return { entries, next: found.length > pageSize ? (entries.at(-1)?.id ?? null) : null };
}

const head = ["id", "at", "actor", "action", "table", "campaign", "subject", "before", "after"];

/**
 * All of a team's activity that a filter lets through, as RFC 4180 text with a head row, newest first. No cell is taken for
 * a formula by a spreadsheet. Guard with `members.manage` first.
 */
export async function activityCsv(teamId: string, filter: ActivityFilter, pageSize = 1_000): Promise<CsvPiece> {
  const lines = [csvRow(head)];
  let before = filter.before;
  do {
    const { entries, next } = await listActivity(teamId, { ...filter, before }, pageSize);
    lines.push(...entries.map((entry) => csvRow(cellsOf(entry))));
    before = next ?? undefined;
  } while (before !== undefined);
  return { text: lines.join(""), rowCount: lines.length - 1 };
}

function cellsOf(entry: ActivityEntry) {
  return [
    String(entry.id),
    entry.at,
    entry.actor ?? entry.actorId ?? entry.databaseRole,
    entry.action,
    entry.table,
    entry.campaignId ?? "",
    entry.subject ?? entry.subjectId ?? "",
    entry.before === null ? "" : JSON.stringify(entry.before),
    entry.after === null ? "" : JSON.stringify(entry.after),
  ];
}
