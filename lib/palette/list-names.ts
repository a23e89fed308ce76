import "server-only";
import type { Session } from "@/lib/auth/get-session";
import type { Names } from "@/lib/palette/answers";
import { listPlaces } from "@/lib/permissions/list-places";
import type { Column } from "@/lib/supabase/column";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";
import { listMembers } from "@/lib/team-access/list-members";

/**
 * The members of the teams in which the user holds `members.view`, and the charts that her policies let her see, 1 000 at
 * most.
 */
export async function listNames(session: Session): Promise<Names> {
  const teams = (await listPlaces(session)).filter(({ permissionKeys }) => permissionKeys.includes("members.view"));
  const [members, charts] = await Promise.all([Promise.all(teams.map(({ id }) => membersOf(id))), chartsOf()]);
  return { members: members.flat(), charts };
}

async function membersOf(team: string) {
  const members = await listMembers(team);
  return members.map(({ userId, name, email }) => ({ team, id: userId, name, email }));
}

async function chartsOf() {
  const supabase = await createSessionClient();
  const asked = supabase.from("charts").select("team:team_id, campaign:campaign_id, id, name");
  return unwrap(await asked.order("name" satisfies Column<"charts">).limit(1_000));
}
