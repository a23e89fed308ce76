import "server-only";
import { z } from "zod";
import type { CampaignOfTeam } from "@/lib/ids";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/** The names of a campaign's charts that could not be generated when that was last tried. Guard with `charts.view` first. */
export async function listFailedCharts({ team, campaign }: CampaignOfTeam): Promise<string[]> {
  const result = await createAdminClient().rpc("failed_charts", { p_team_id: team, p_campaign_id: campaign });
  return z.array(z.string()).parse(unwrap(result));
}
