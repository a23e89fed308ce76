import "server-only";
import type { PostgrestError } from "@supabase/supabase-js";
import { z } from "zod";
import { ChartProblem } from "@/lib/charts/chart-problem";
import { timeLimits } from "@/lib/charts/chart-time-limits";
import { AppError } from "@/lib/errors";
import { unwrap } from "@/lib/supabase/unwrap";

const refusedSchema = z.object({ refused: z.object({ part: z.string(), message: z.string() }) });

type Asked = { abortSignal(signal: AbortSignal): PromiseLike<{ data: unknown; error: PostgrestError | null }> };

/**
 * What a function over a chart's records answers. Throws ChartProblem (422) for a definition that cannot run, and
 * AppError `gateway-timeout` after 15 s, or when the signal of several calls says so.
 */
export async function runInTime(call: Asked, signal = AbortSignal.timeout(timeLimits.answer)): Promise<unknown> {
  const { data, error } = await call.abortSignal(signal);
  const refusal = refusedSchema.safeParse(data);
  if (refusal.success) throw new ChartProblem(refusal.data.refused.message, refusal.data.refused.part);
  if (error !== null && (signal.aborted || error.code === "57014")) throw tookTooLong(error);
  return error === null ? data : unwrap({ data, error });
}

/** A chart that was not computed within its time. */
export function tookTooLong(cause?: unknown): AppError {
  return new AppError("gateway-timeout", "The chart took longer than 15 seconds. Narrow it with a filter.", { cause });
}
