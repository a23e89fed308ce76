import "server-only";
import type { z } from "zod";
import { AppError } from "@/lib/errors";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const patience = 5_000; // ms; what is stored after it is found again when the line is sent again

// SQLSTATE: a value out of range, or one that a constraint refuses. A unique one can be met by chance, and is tried again.
const cannotBeStored = /^(22\w{3}|23(502|503|514))$/;

/**
 * Calls a function of the database that writes lines or sheets, and reads its answer. Throws AppError `unavailable` when
 * there is none within 5 s, and `invalid` for values that it can never store: what waits behind them is not held up.
 */
export async function writeLines<Schema extends z.ZodType>(
  name: string,
  given: Record<string, unknown>,
  schema: Schema,
): Promise<z.output<Schema>> {
  const call = createAdminClient().rpc(name, given).abortSignal(AbortSignal.timeout(patience));
  const result = await call;
  if (result.error && cannotBeStored.test(result.error.code)) {
    const sentence = "This cannot be stored as it is. Correct it and send it again.";
    throw new AppError("invalid", sentence, { cause: result.error });
  }
  return schema.parse(unwrap(result));
}
