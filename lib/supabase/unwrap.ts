import { AppError } from "@/lib/errors";

/** The data of a Supabase answer. supabase-js returns errors: a failed read throws here and is never "no rows". */
export function unwrap<Data>(result: { data: Data; error: null } | { data: unknown; error: Error }): Data {
  if (result.error === null) return result.data as Data;
  throw new AppError("unavailable", "The data could not be read. Try again in a moment.", { cause: result.error });
}
