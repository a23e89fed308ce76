import "server-only";
import { z } from "zod";
import { formatOf } from "@/lib/format/format-of";
import { createAdminClient } from "@/lib/supabase/admin";
import { type Column, unwrap } from "@/lib/supabase/unwrap";

const shownForDays = 30;
const rowSchema = z
  .object({
    role_name: z.string(),
    permission_set_name: z.string(),
    campaign_name: z.string(),
    status: z.string(),
    ends_at: z.string().nullable(),
  })
  .partial();
const changeSchema = z.object({
  at: z.string(),
  campaign_id: z.string().nullable(),
  actor_id: z.uuid().nullable(),
  actor_name: z.string().nullable(),
  table_name: z.string(),
  before: rowSchema,
  after: rowSchema.nullable(),
});
type Change = z.infer<typeof changeSchema>;

/**
 * The last change or removal of a person's access in a team, as a sentence; null if it was long ago. With a `campaign`, only
 * changes there or team-wide; null means only team-wide. Only for the person themselves, even after they were removed.
 */
export async function describeLastChange(
  userId: string,
  teamId: string,
  campaign?: string | null,
): Promise<string | null> {
  const result = await createAdminClient()
    .from("audit_log")
    .select("at, campaign_id, actor_id, actor_name, table_name, before, after")
    .eq("team_id", teamId)
    .eq("subject_id", userId)
    .in("table_name", ["team_users", "campaign_user_roles_team", "campaign_user_team_sets"])
    .in("action", ["update", "delete"])
    .gte("at", new Date(Date.now() - shownForDays * 86_400_000).toISOString())
    .order("id" satisfies Column<"audit_log">, { ascending: false })
    .limit(100);
  const changes = z
    .array(changeSchema)
    .parse(unwrap(result))
    .filter(({ campaign_id }) => campaign === undefined || [null, campaign].includes(campaign_id));
  // Removing a membership also deletes its roles in campaigns, logged after it.
  const isRemoval = ({ at, table_name, after }: Change) =>
    at === changes[0]?.at && table_name === "team_users" && after === null;
  const change = changes.find(isRemoval) ?? changes[0];
  if (!change) return null;
  const team = await readTeam(teamId);
  const { day } = formatOf(team);
  const endedAt = change.actor_id === null ? Date.parse(change.before.ends_at ?? "") : Number.NaN;
  if (endedAt <= Date.parse(change.at)) {
    const lastDay = day(new Date(endedAt - 1).toISOString());
    return `Your access to ${change.before.campaign_name ?? "the team"} ended on ${lastDay}.`;
  }
  const what =
    change.actor_id !== userId &&
    (isRemoval(change)
      ? `removed you from ${team?.name ?? "the team"}`
      : (await isWithCampaign(teamId, change))
        ? `removed ${change.before.campaign_name} from your team`
        : whatChanged(change));
  return what ? `${change.actor_name ?? "Signet"} ${what} on ${day(change.at)}.` : null;
}

async function readTeam(teamId: string) {
  const columns = "name, locale, timeZone:time_zone";
  return unwrap(await createAdminClient().from("teams").select(columns).eq("id", teamId).maybeSingle()) ?? undefined;
}

// Whether they lost their role or set because the campaign was removed from the team.
async function isWithCampaign(teamId: string, { at, campaign_id, after }: Change) {
  if (campaign_id === null || after !== null) return false;
  const removals = await createAdminClient()
    .from("audit_log")
    .select("id")
    .eq("team_id", teamId)
    .match({ table_name: "campaign_team", action: "delete", campaign_id, at })
    .order("id" satisfies Column<"audit_log">, { ascending: false })
    .limit(1);
  return unwrap(removals).length > 0;
}

function whatChanged({ table_name, before, after }: Change) {
  const place = before.campaign_name ?? "the team";
  if (after?.status === "suspended") return "suspended you";
  if (after?.role_name === before.role_name) return null;
  if (after) return `changed your role in ${place} from ${before.role_name} to ${after.role_name}`;
  if (table_name === "campaign_user_team_sets")
    return `removed your ${before.permission_set_name} permission set in ${place}`;
  return `removed you from ${place}`;
}
