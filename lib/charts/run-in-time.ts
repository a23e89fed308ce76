import "server-only";
import type { PostgrestError } from "@supabase/supabase-js";
import { z } from "zod";
import { ChartProblem } from "@/lib/charts/chart-problem";
import { timeLimits } from "@/lib/charts/chart-time-limits";
import { signersWithheld } from "@/lib/charts/signers-withheld";
import { AppError } from "@/lib/errors";
import { unwrap } from "@/lib/supabase/unwrap";

const refusedSchema = z.object({
  refused: z.union([
    z.object({ part: z.string(), message: z.string() }),
    z.object({ needs: z.literal("signatures.view") }),
  ]),
});

type Asked = { abortSignal(signal: AbortSignal): PromiseLike<{ data: unknown; error: PostgrestError | null }> };

/**
 * What a function over a chart's records answers. Throws ChartProblem (422) for a definition that cannot run, and AppError
 * `forbidden` for what tells who signed to an actor without `signatures.view`, `gateway-timeout` after 15 s, or when the
 * signal of several calls says so.
 */
export async function runInTime(call: Asked, signal = AbortSignal.timeout(timeLimits.answer)): Promise<unknown> {
  const { data, error } = await call.abortSignal(signal);
  const refused = refusedSchema.safeParse(data).data?.refused;
  if (refused && "needs" in refused) throw new AppError("forbidden", signersWithheld);
  if (refused) throw new ChartProblem(refused.message, refused.part);
  if (error !== null && (signal.aborted || error.code === "57014")) throw tookTooLong(error);
  return error === null ? data : unwrap({ data, error });
}

/** A chart that was not computed within its time. */
export function tookTooLong(cause?: unknown): AppError {
  return new AppError("gateway-timeout", "The chart took longer than 15 seconds. Narrow it with a filter.", { cause });
}
