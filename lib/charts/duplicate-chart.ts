import "server-only";
import { z } from "zod";
import { requireDone } from "@/lib/charts/require-done";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const answerSchema = z.object({ outcome: z.string(), id: z.guid().optional() });

/**
 * Copies a chart, with what was generated, right behind the original. Answers the copy's id. Throws AppError `not-found`
 * or `forbidden`.
 */
export async function duplicateChart(change: { actorId: string; id: string }): Promise<string> {
  const result = await createAdminClient().rpc("duplicate_chart", { p_actor_id: change.actorId, p_id: change.id });
  const { outcome, id } = answerSchema.parse(unwrap(result));
  requireDone(outcome);
  return z.guid().parse(id);
}
