import "server-only";
import type { Session } from "@/lib/auth/get-session";
import type { Names } from "@/lib/palette/answers";
import { listPlaces, type TeamPlace } from "@/lib/permissions/list-places";
import { createAdminClient } from "@/lib/supabase/admin";
import type { Column } from "@/lib/supabase/column";
import { unwrap } from "@/lib/supabase/unwrap";
import { listMembers } from "@/lib/team-access/list-members";

/** The members of the teams in which the user holds `members.view`, and the charts that `charts.view` shows them, 1,000 at most. */
export async function listNames(session: Session): Promise<Names> {
  const teams = await listPlaces(session);
  const shown = teams.filter(({ permissionKeys }) => permissionKeys.includes("members.view"));
  const [members, charts] = await Promise.all([Promise.all(shown.map(({ id }) => membersOf(id))), chartsOf(teams)]);
  return { members: members.flat(), charts };
}

async function membersOf(team: string) {
  const members = await listMembers(team);
  return members.map(({ userId, name, email }) => ({ team, id: userId, name, email }));
}

async function chartsOf(teams: TeamPlace[]) {
  const seen = new Map(
    teams.map((team) => [
      team.id,
      [{ id: null, permissionKeys: team.permissionKeys }, ...team.campaigns]
        .filter(({ permissionKeys }) => permissionKeys.includes("charts.view"))
        .map(({ id }) => id),
    ]),
  );
  const asked = createAdminClient()
    .from("charts")
    .select("team:team_id, campaign:campaign_id, id, name")
    .in("team_id" satisfies Column<"charts">, [...seen.keys()])
    .is("deleted_at" satisfies Column<"charts">, null);
  const charts = unwrap(await asked.order("name" satisfies Column<"charts">).limit(1_000));
  return charts.filter(({ team, campaign }) => seen.get(team)?.includes(campaign));
}
