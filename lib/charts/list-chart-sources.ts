import "server-only";
import { z } from "zod";
import { type ChartSource, chartSourceSchema } from "@/lib/charts/chart-source";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/** What charts may read: the views of schema `reporting`, with the words and the types of their columns. */
export async function listChartSources(): Promise<ChartSource[]> {
  return z.array(chartSourceSchema).parse(unwrap(await createAdminClient().rpc("chart_sources")));
}
