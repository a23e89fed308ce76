import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import type { Column } from "@/lib/supabase/column";
import { unwrap } from "@/lib/supabase/unwrap";

const rowsSchema = z.array(z.object({ campaigns: z.object({ id: z.string(), team_id: z.string() }) }));
const teamsSchema = z.array(z.object({ id: z.string(), name: z.string() }));

/** The teams that run the campaigns of a team, itself or others, by the ids of the campaigns. Guard with `members.manage` first. */
export async function listTeamRunners(teamId: string): Promise<Map<string, { id: string; name: string }>> {
  const admin = createAdminClient();
  const rows = rowsSchema.parse(
    unwrap(await admin.from("campaign_team").select("campaigns(id, team_id)").eq("team_id", teamId)),
  );
  const ids = [...new Set(rows.map(({ campaigns }) => campaigns.team_id))];
  const teams = teamsSchema.parse(
    unwrap(
      await admin
        .from("teams")
        .select("id, name")
        .in("id" satisfies Column<"teams">, ids),
    ),
  );
  const byId = new Map(teams.map((team) => [team.id, team]));
  return new Map(
    rows.flatMap(({ campaigns: { id, team_id } }) => {
      const team = byId.get(team_id);
      return team ? [[id, team] as const] : [];
    }),
  );
}
