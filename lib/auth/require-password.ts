import "server-only";
import type { Session } from "@/lib/auth/get-session";
import { limitAttempts } from "@/lib/auth/limit-attempts";
import { signInError } from "@/lib/auth/sign-in";
import { AppError } from "@/lib/errors";
import { createSessionlessAuthClient } from "@/lib/supabase/server";

/**
 * Lets pass who knows the password of her account, so that nobody takes it over at a screen that was left open. Failed
 * attempts count as those to sign in do. Throws AppError `forbidden` for a wrong one.
 */
export async function requirePassword({ email }: Session, password: string): Promise<void> {
  await limitAttempts("sign-in", email, async () => {
    const auth = await createSessionlessAuthClient();
    const { error } = await auth.signInWithPassword({ email, password });
    if (error?.code === "invalid_credentials") {
      throw new AppError("forbidden", "The current password is wrong, so nothing was changed. Write it again.");
    }
    if (error) throw signInError(error);
    await auth.signOut({ scope: "local" }); // the session that this took
    return true;
  });
}
