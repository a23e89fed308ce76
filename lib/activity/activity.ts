import "server-only";
import { z } from "zod";
import { type ActivityFilter, activityAreas } from "@/lib/activity/activity-filter";
import { callSql } from "@/lib/supabase/call-sql";

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
    /** Name of the person at that time; null for a change made directly in the database, by `databaseRole`. */
    actor: row.actor_name,
    databaseRole: row.database_role,
    action: row.action,
    table: row.table_name,
    campaignId: row.campaign_id,
    /** The person it was about, if any. */
    subjectId: row.subject_id,
    subject: row.subject_name,
    /** The row, with the names of its role, permission set, campaign and `campaign_roles` at that time; null if there was none. */
    before: row.before,
    after: row.after,
  }));
export type ActivityEntry = z.infer<typeof entrySchema>;

/** Says what was done, to follow the name of the person, and which values changed. */
export type DescribeEntry = (entry: ActivityEntry) => {
  what: string;
  changes: { label: string; before: string; after: string }[];
};

const [searchBatch, maxBatches] = [1_000, 10];

/**
 * A page of a team's activity, newest first; `next` is the `before` of the next page. Entries match `words` if each is part
 * of what readers see, so `describe` must be theirs. A page has fewer entries if only a few of the next 10,000 match.
 * Guard with `members.manage` first.
 */
export async function listActivity(
  teamId: string,
  { area, words, before, ...filter }: ActivityFilter,
  describe: DescribeEntry,
  pageSize = 50,
): Promise<{ entries: ActivityEntry[]; next: number | null }> {
  const tables = area && { tables: [...activityAreas[area]] };
  const limit = words ? searchBatch : pageSize + 1;
  const wanted = words?.toLowerCase().split(/\s+/) ?? [];
  const isMatch = (entry: ActivityEntry) => {
    const { what, changes } = describe(entry);
    const values = changes.flatMap((one) => [one.label, one.before, one.after]);
    const shown = [actorName(entry), what, ...values].join(" ").toLowerCase();
    return wanted.every((word) => shown.includes(word));
  };
  const entries: ActivityEntry[] = [];
  let next = before ?? null;
  for (let batch = 0; batch < maxBatches; batch++) {
    const args = { p_team_id: teamId, p_filter: { ...filter, ...tables, before: next }, p_limit: limit };
    const found = await callSql("team_activity", args, z.array(entrySchema));
    entries.push(...(words ? found.filter(isMatch) : found));
    if (entries.length > pageSize) {
      const page = entries.slice(0, pageSize);
      return { entries: page, next: page.at(-1)?.id ?? null };
    }
    if (found.length < limit) return { entries, next: null };
    next = found.at(-1)?.id ?? null;
  }
  return { entries, next };
}

const removedSchema = z.array(
  z.object({ userId: z.uuid(), name: z.string() }).transform(({ userId, name }) => ({
    id: userId,
    name: `${name || "A deleted account"} (removed)`,
  })),
);

/** People who were in a team and no longer are, as choices of a filter. Guard with `members.manage` first. */
export async function listRemovedMembers(teamId: string): Promise<z.infer<typeof removedSchema>> {
  return callSql("removed_members", { p_team_id: teamId }, removedSchema);
}

const groupWindowMs = 60_000;

/** Who made a change, as lists show it. Signet's own changes come through the service role, others by SQL. */
export function actorName({ actor, actorId, databaseRole }: ActivityEntry): string {
  if (actor !== null || actorId !== null) return actor ?? "A deleted account";
  return databaseRole === "service_role" ? "Signet" : "Someone with database access";
}

const isMembership = ({ table, action }: ActivityEntry) => table === "team_users" && action === "update";
const isArchiving = ({ table, before, after }: ActivityEntry) =>
  table === "campaigns" && before?.archived_at !== after?.archived_at;
/** What the other changes of its transaction follow from. */
const isLead = ({ table, action }: ActivityEntry) =>
  (table === "team_users" && action === "delete") || (table === "teams" && action === "insert");

/** An entry with the others of the same act, newest first. */
export type EntryGroup = ActivityEntry & { more: ActivityEntry[] };

/**
 * Groups consecutive changes by the same person: those of one transaction, or of the same kind within a minute. Changes
 * without a person, such as by SQL, are only grouped by transaction. A membership is never grouped with its own earlier
 * change, which could be a suspension, and archiving never with other edits. The removal of a member comes first, because it
 * also deletes their roles and requests; so does a new team, which comes with its permission sets.
 */
export function groupEntries(entries: ActivityEntry[]): EntryGroup[] {
  const groups: EntryGroup[] = [];
  for (const entry of entries) {
    const group = groups.at(-1);
    const isAlike =
      group?.table === entry.table &&
      group.action === entry.action &&
      entry.actorId !== null &&
      isArchiving(group) === isArchiving(entry) &&
      !(isMembership(entry) && [group, ...group.more].some(({ subjectId }) => subjectId === entry.subjectId));
    const within = group?.at === entry.at || (isAlike && Date.parse(group.at) - Date.parse(entry.at) <= groupWindowMs);
    const isSame = group?.actorId === entry.actorId && group.databaseRole === entry.databaseRole;
    if (group && isSame && within && group.at === entry.at && isLead(entry) && !isLead(group)) {
      const { more, ...first } = group;
      groups[groups.length - 1] = { ...entry, more: [first, ...more] };
    } else if (group && isSame && within) group.more.push(entry);
    else groups.push({ ...entry, more: [] });
  }
  return groups;
}
