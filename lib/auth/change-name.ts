import "server-only";
import { AppError } from "@/lib/errors";
import { createAuthClient } from "@/lib/supabase/server";

/** Gives the person of the session cookies another name; the database keeps it in her profile. Throws AppError `unavailable`. */
export async function changeName(name: string): Promise<void> {
  const auth = await createAuthClient();
  const { error: cause } = await auth.updateUser({ data: { name } });
  if (cause)
    throw new AppError("unavailable", "The name could not be saved right now. Try again in a moment.", { cause });
}
