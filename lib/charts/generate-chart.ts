import "server-only";
import { z } from "zod";
import { chartResultSchema } from "@/lib/charts/chart-result";
import { missingChart } from "@/lib/charts/require-editable-chart";
import { runInTime } from "@/lib/charts/run-in-time";
import { AppError } from "@/lib/errors";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const computedSchema = z.object({ version: z.int(), data: chartResultSchema });
const storedSchema = z.object({ outcome: z.enum(["stored", "newer", "changed"]), data: chartResultSchema.nullable() });

/**
 * Computes a chart's data and stores it (interface.md 4.5): whole, and only while the definition is the one that was
 * computed. Answers what is stored, as the JSON of a ChartResult: a long one is written once. Guard `charts.edit` for the
 * chart's team and campaign first. Throws AppError `not-found`, `conflict`, `gateway-timeout`, or ChartProblem; then what
 * was stored stays.
 */
export async function generateChart(id: string): Promise<string> {
  const admin = createAdminClient();
  const computed = computedSchema.nullable().parse(await runInTime(admin.rpc("aggregate_stored_chart", { p_id: id })));
  if (computed === null) throw missingChart();
  const json = JSON.stringify(computed.data);
  const result = await admin.rpc("store_chart_result", { p_id: id, p_version: computed.version, p_data: json });
  const stored = storedSchema.parse(unwrap(result));
  if (stored.outcome === "stored") return json;
  if (stored.outcome === "newer" && stored.data) return JSON.stringify(stored.data);
  throw new AppError("conflict", "The chart was changed while it was computed. Generate it again.");
}
