import "server-only";
import type { Session } from "@/lib/auth/get-session";
import { AppError } from "@/lib/errors";
import { createAdminClient } from "@/lib/supabase/admin";

/** Gives the signed-in person another name, by which others know them. Throws AppError `unavailable`. */
export async function changeName({ userId }: Session, name: string): Promise<void> {
  const { error: cause } = await createAdminClient().from("profiles").upsert({ user_id: userId, name });
  if (cause)
    throw new AppError("unavailable", "The name could not be saved right now. Try again in a moment.", { cause });
}
