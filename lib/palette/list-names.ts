import "server-only";
import type { Session } from "@/lib/auth/get-session";
import { type PaletteEntries, paletteResponseSchema } from "@/lib/palette/responses";
import { listPlaces } from "@/lib/permissions/list-places";
import { callSql } from "@/lib/supabase/call-sql";
import { listMembers } from "@/lib/team-access/members";

/** The members of teams where the user has `members.view`, and at most 1,000 charts where they have `charts.view`. */
export async function listNames(session: Session): Promise<PaletteEntries> {
  const teams = (await listPlaces(session)).filter(({ permissionKeys }) => permissionKeys.includes("members.view"));
  const [members, charts] = await Promise.all([
    Promise.all(
      teams.map(async ({ id: team }) => {
        const members = await listMembers(team);
        return members.map(({ userId, name, email }) => ({ team, id: userId, name, email }));
      }),
    ),
    callSql("chart_names", { p_actor_id: session.userId }, paletteResponseSchema.shape.charts),
  ]);
  const open = new Set((await listPlaces(session)).map(({ id }) => id));
  return { members: members.flat(), charts: charts.filter(({ team }) => open.has(team)) };
}
