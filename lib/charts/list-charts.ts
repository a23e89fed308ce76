import "server-only";
import { z } from "zod";
import { type StoredChart, storedChartColumns, storedChartSchema } from "@/lib/charts/stored-chart";
import type { Place } from "@/lib/ids";
import type { Column } from "@/lib/supabase/column";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";

/**
 * The charts of a dashboard in their order, with what was generated last; on that of a campaign, after them the charts of
 * the whole team, as far as the signed-in user may see those. Guard `charts.view` first.
 */
export async function listCharts({ team, campaign }: Place): Promise<StoredChart[]> {
  const supabase = await createSessionClient();
  const ofTeam = () =>
    supabase
      .from("charts")
      .select(storedChartColumns)
      .eq("team_id", team)
      .order("position" satisfies Column<"charts">)
      .order("id" satisfies Column<"charts">);
  const results = await Promise.all([
    ...(campaign === undefined ? [] : [ofTeam().eq("campaign_id", campaign)]),
    ofTeam().is("campaign_id" satisfies Column<"charts">, null),
  ]);
  return results.flatMap((result) => z.array(storedChartSchema).parse(unwrap(result)));
}
