import "server-only";
import type { PostgrestError } from "@supabase/supabase-js";
import { z } from "zod";
import { ChartProblem } from "@/lib/charts/chart-problem";
import { AppError } from "@/lib/errors";
import { unwrap } from "@/lib/supabase/unwrap";

const timeLimit = 15_000; // ms; the function in the database has the same

const refusedSchema = z.object({ refused: z.object({ part: z.string(), message: z.string() }) });

type Asked = { abortSignal(signal: AbortSignal): PromiseLike<{ data: unknown; error: PostgrestError | null }> };

/**
 * What a function over a chart's records answers. Throws ChartProblem (422) for a definition that cannot run, and
 * AppError `gateway-timeout` after 15 s.
 */
export async function runInTime(call: Asked): Promise<unknown> {
  const signal = AbortSignal.timeout(timeLimit);
  const { data, error } = await call.abortSignal(signal);
  const refusal = refusedSchema.safeParse(data);
  if (refusal.success) throw new ChartProblem(refusal.data.refused.message, refusal.data.refused.part);
  if (error !== null && (signal.aborted || error.code === "57014")) {
    throw new AppError("gateway-timeout", "The chart took longer than 15 seconds. Narrow it with a filter.", {
      cause: error,
    });
  }
  return error === null ? data : unwrap({ data, error });
}
