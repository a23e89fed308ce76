import "server-only";
import type { z } from "zod";
import { AppError } from "@/lib/errors";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import type { Database } from "@/supabase/functions/_shared/database";

type Functions = Database["public"]["Functions"];

// SQLSTATE: a value out of range, or one that a constraint refuses. A unique one can be met by chance, and is tried again.
const cannotBeStored = /^(22\w{3}|23(502|503|514))$/;

/**
 * Calls a function of the database that writes lines or sheets, and reads its answer. Throws AppError `unavailable` when
 * there is none in time, and what was stored all the same is found again when the line is sent again; `invalid` for values
 * that it can never store: what waits behind them is not held up.
 */
export async function writeLines<Name extends keyof Functions, Schema extends z.ZodType>(
  name: Name,
  given: Functions[Name]["Args"],
  schema: Schema,
): Promise<z.output<Schema>> {
  const result = await createAdminClient().rpc<keyof Functions, Functions[Name]["Args"]>(name, given);
  if (result.error && cannotBeStored.test(result.error.code)) {
    const sentence = "This cannot be stored as it is. Correct it and send it again.";
    throw new AppError("invalid", sentence, { cause: result.error });
  }
  return schema.parse(unwrap(result));
}
