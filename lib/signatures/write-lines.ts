import "server-only";
import type { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const patience = 5_000; // ms; what is stored after it is found again when the line is sent again

/**
 * Calls a function of the database that writes lines or sheets, and reads its answer. Throws AppError `unavailable` when
 * there is none within 5 s.
 */
export async function writeLines<Schema extends z.ZodType>(
  name: string,
  given: Record<string, unknown>,
  schema: Schema,
): Promise<z.output<Schema>> {
  const call = createAdminClient().rpc(name, given).abortSignal(AbortSignal.timeout(patience));
  return schema.parse(unwrap(await call));
}
