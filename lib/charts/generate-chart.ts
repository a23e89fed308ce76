import "server-only";
import { z } from "zod";
import { chartResultSchema } from "@/lib/charts/chart-result";
import { timeLimits } from "@/lib/charts/chart-time-limits";
import { missingChart } from "@/lib/charts/require-editable-chart";
import { runInTime, tookTooLong } from "@/lib/charts/run-in-time";
import { AppError } from "@/lib/errors";
import { createAdminClient } from "@/lib/supabase/admin";

const answerSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("done"), data: chartResultSchema }),
  z.object({ outcome: z.enum(["changed", "late", "not-found"]) }),
]);

/**
 * Computes a chart's data and stores it (contract 4.5): whole, and only while the definition is the one that was
 * computed. Answers what is stored, as the JSON of a ChartResult: a long one is written once. Guard `charts.edit` for the
 * chart's team and campaign first. Throws AppError `not-found`, `conflict`, `gateway-timeout`, `forbidden` for a chart that
 * tells who signed when the actor lacks `signatures.view` in its place, or ChartProblem; then what was stored stays.
 */
export async function generateChart({ actorId, id }: { actorId: string; id: string }): Promise<string> {
  const admin = createAdminClient();
  const beganAt = performance.now();
  const signal = AbortSignal.timeout(timeLimits.answer);
  // The database's time was this or later when its answer came, so its clock has passed the deadline when ours is over.
  const time = z.number().parse(await runInTime(admin.rpc("database_time"), signal));
  const deadline = new Date(time + timeLimits.store - (performance.now() - beganAt));
  const call = admin.rpc("generate_chart", { p_actor_id: actorId, p_id: id, p_deadline: deadline.toISOString() });
  const answer = answerSchema.parse(await runInTime(call, signal));
  switch (answer.outcome) {
    case "done":
      return JSON.stringify(answer.data);
    case "changed":
      throw new AppError("conflict", "The chart was changed while it was computed. Generate it again.");
    case "late":
      throw tookTooLong();
    case "not-found":
      throw missingChart();
  }
}
