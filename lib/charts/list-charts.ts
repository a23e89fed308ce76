import "server-only";
import { z } from "zod";
import { type StoredChart, storedChartSchema } from "@/lib/charts/stored-chart";
import type { Place } from "@/lib/ids";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/**
 * The charts of a dashboard in their order, with what was generated last; on that of a campaign, after them the charts of
 * the whole team, as far as the person may see those. One that tells who signed is `withheld` where they lack
 * `signatures.view`. With `id`, this one alone. Guard `charts.view` first.
 */
export async function listCharts({
  actorId,
  place,
  id,
}: {
  actorId: string;
  place: Place;
  id?: string;
}): Promise<StoredChart[]> {
  const result = await createAdminClient().rpc("read_charts", {
    p_actor_id: actorId,
    p_team_id: place.team,
    p_campaign_id: place.campaign ?? null,
    p_id: id ?? null,
  });
  return z.array(storedChartSchema).parse(unwrap(result));
}
