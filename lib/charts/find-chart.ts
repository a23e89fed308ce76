import "server-only";
import { z } from "zod";
import { type StoredChart, storedChartColumns, storedChartSchema } from "@/lib/charts/stored-chart";
import type { Place } from "@/lib/ids";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";

/**
 * A chart that the signed-in user may see on the dashboard of this place, or undefined: one of another place, a
 * deleted and a missing one are the same. Guard `charts.view` first.
 */
export async function findChart({ team, campaign }: Place, id: string): Promise<StoredChart | undefined> {
  if (!z.guid().safeParse(id).success) return undefined;
  const supabase = await createSessionClient();
  const result = await supabase
    .from("charts")
    .select(storedChartColumns)
    .eq("id", id)
    .eq("team_id", team)
    .maybeSingle();
  const row = unwrap(result);
  const chart = row === null ? undefined : storedChartSchema.parse(row);
  return chart?.campaign === null || chart?.campaign === campaign ? chart : undefined;
}
