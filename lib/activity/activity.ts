import "server-only";
import { z } from "zod";
import { type ActivityFilter, activityAreas } from "@/lib/activity/activity-filter";
import { createAdminClient } from "@/lib/supabase/admin";
import { callSql } from "@/lib/supabase/call-sql";
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
    /** Name of the person at that time; null for a change made directly in the database, by `databaseRole`. */
    actor: row.actor_name,
    databaseRole: row.database_role,
    action: row.action,
    table: row.table_name,
    campaignId: row.campaign_id,
    /** The person it was about, if any. */
    subjectId: row.subject_id,
    subject: row.subject_name,
    /** The row, or null. It has the names that its role, permission set, campaign and `campaign_roles` had then. */
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
  const searchWords = words?.toLowerCase().split(/\s+/) ?? [];
  const isMatch = (entry: ActivityEntry) => {
    const { what, changes } = describe(entry);
    const values = changes.flatMap((change) => [change.label, change.before, change.after]);
    const shown = [actorName(entry), what, ...values].join(" ").toLowerCase();
    return searchWords.every((word) => shown.includes(word));
  };
  const entries: ActivityEntry[] = [];
  let next = before ?? null;
  for (let batch = 0; batch < maxBatches; batch++) {
    const args = { p_team_id: teamId, p_filter: { ...filter, ...tables, before: next }, p_limit: limit };
    const rows = await callSql("team_activity", args, z.array(entrySchema));
    entries.push(...(words ? rows.filter(isMatch) : rows));
    if (entries.length > pageSize) {
      const page = entries.slice(0, pageSize);
      return { entries: page, next: page.at(-1)?.id ?? null };
    }
    if (rows.length < limit) return { entries, next: null };
    next = rows.at(-1)?.id ?? null;
  }
  return { entries, next };
}

const removedSchema = z.array(
  z
    .object({ userId: z.uuid(), name: z.string(), roleId: z.uuid(), email: z.string().nullable() })
    .transform(({ userId, name, ...last }) => ({
      ...last,
      id: userId,
      name: `${name || "A deleted account"} (removed)`,
    })),
);

/**
 * People who are no longer in a team, as choices of a filter, with their last role. Anyone who joined by an invitation has the
 * email that was invited. Guard with `members.manage` first.
 */
export async function listRemovedMembers(teamId: string): Promise<z.infer<typeof removedSchema>> {
  return callSql("removed_members", { p_team_id: teamId }, removedSchema);
}

/** The emails of invitations that weren't accepted, open or not, as choices of a filter. Guard with `members.manage` first. */
export async function listInvitedEmails(teamId: string): Promise<{ id: string; name: string }[]> {
  const invitations = createAdminClient().from("invitations").select("email").eq("team_id", teamId);
  const rows = z.array(z.object({ email: z.string() })).parse(unwrap(await invitations.is("accepted_at", null)));
  return [...new Set(rows.map(({ email }) => email))].sort().map((id) => ({ id, name: `${id} (invited)` }));
}

const groupWindowMs = 60_000;

/** Who made a change, as lists show it. Signet's own changes come through the service role, others by SQL. */
export function actorName({ actor, actorId, databaseRole }: ActivityEntry): string {
  if (actor !== null || actorId !== null) return actor ?? "A deleted account";
  return databaseRole === "service_role" ? "Signet" : "System";
}

/** What the other changes of its transaction follow from. */
const isLead = ({ table, action }: ActivityEntry) =>
  (table === "team_users" && action === "delete") || (table === "teams" && action === "insert");
const isSamePerson = (a: ActivityEntry, b: ActivityEntry) =>
  b.actorId !== null && a.actorId === b.actorId && a.databaseRole === b.databaseRole;
const actOf = ({ at, actorId, databaseRole }: ActivityEntry) => `${at} ${actorId} ${databaseRole}`;

/** An entry with others, newest first: `alike` of them are of its kind, the rest followed from it. */
export type EntryGroup = ActivityEntry & { more: ActivityEntry[]; alike: number };

/** What changes that are alike have in common: all but the person, and which lines, permissions or values. */
function kindOf({ table, action, campaignId, before, after }: ActivityEntry): string {
  const row = after ?? before ?? {};
  const changed = Object.entries(after ?? {}).filter(
    ([column, value]) => before && JSON.stringify(value) !== JSON.stringify(before[column]),
  );
  const what =
    table === "access_requests"
      ? [row.key, row.unknown_campaign_id, row.granted]
      : (row.kind ??
        changed.map(([column, value]) => [column, /^(status|role_id)$/.test(column) ? value : value === null]));
  return JSON.stringify([table, action, campaignId, action === "insert" && row.role_id, what]);
}

/**
 * Groups changes of the same kind by the same person: those of one transaction, or in a row within a minute. Changes without a
 * person, such as by SQL, are only grouped by transaction. The removal of a member comes first, with the roles and requests
 * that it also deletes; so does a new team, which comes with its permission sets.
 */
export function groupEntries(entries: ActivityEntry[]): EntryGroup[] {
  const ledActs = new Set(entries.filter(isLead).map(actOf));
  const groups: [ActivityEntry, ...ActivityEntry[]][] = [];
  for (const entry of entries) {
    const isTogether = ledActs.has(actOf(entry));
    const isAlike = (other: ActivityEntry) => kindOf(other) === kindOf(entry);
    const isInARow = (other: ActivityEntry) =>
      isSamePerson(other, entry) && Date.parse(other.at) - Date.parse(entry.at) <= groupWindowMs;
    const last = groups.at(-1);
    const group =
      groups.findLast(([first]) => actOf(first) === actOf(entry) && (isTogether || isAlike(first))) ??
      (last && isAlike(last[0]) && isInARow(last[0]) ? last : undefined);
    if (!group) groups.push([entry]);
    else if (isTogether && isLead(entry) && !isLead(group[0])) group.unshift(entry);
    else group.push(entry);
  }
  return groups.map(([first, ...more]) => ({
    ...first,
    more,
    alike: more.filter((entry) => kindOf(entry) === kindOf(first)).length,
  }));
}
