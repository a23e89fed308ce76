import "server-only";
import { z } from "zod";
import { listCharts } from "@/lib/charts/list-charts";
import type { StoredChart } from "@/lib/charts/stored-chart";
import type { Place } from "@/lib/ids";

/**
 * A chart that a person may see on the dashboard of this place, or undefined: one of another place, a deleted and a missing
 * one are the same. One that tells who signed is `withheld` without `signatures.view`. Guard `charts.view` first.
 */
export async function findChart(asked: {
  actorId: string;
  place: Place;
  id: string;
}): Promise<StoredChart | undefined> {
  if (!z.guid().safeParse(asked.id).success) return undefined;
  const [chart] = await listCharts(asked);
  return chart;
}
