import "server-only";
import type { Session } from "@/lib/auth/get-session";
import { limitAttempts } from "@/lib/auth/limit-attempts";
import { signInError } from "@/lib/auth/sign-in";
import { AppError } from "@/lib/errors";
import { createSessionlessAuthClient } from "@/lib/supabase/server";

/**
 * Lets pass who knows the password of their account, so that nobody takes it over at a screen that was left open. Failed
 * attempts count as those to sign in do. Throws AppError `forbidden` for a wrong one.
 */
export async function requirePassword(person: Session, password: string): Promise<void> {
  const auth = await signInAfresh(person, password);
  await auth.signOut({ scope: "local" });
}

/** The same, and gives Auth on the session that this took, which is in no cookie: whoever asks for it ends it. */
export async function signInAfresh({ email }: Session, password: string) {
  const auth = await createSessionlessAuthClient();
  await limitAttempts("sign-in", email, async () => {
    const { error } = await auth.signInWithPassword({ email, password });
    if (error?.code === "invalid_credentials") {
      throw new AppError("forbidden", "The current password is wrong, so nothing was changed. Write it again.");
    }
    if (error) throw signInError(error);
    return true;
  });
  return auth;
}
