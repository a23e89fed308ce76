import "server-only";
import type { AuthError } from "@supabase/supabase-js";
import { limitAttempts } from "@/lib/auth/limit-attempts";
import { publicEnv } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { createAuthClient, createSessionlessAuthClient } from "@/lib/supabase/server";

/**
 * Creates an account and sets its session cookies: `signed-in`. Where addresses must be confirmed first, `confirm`: Auth
 * sends a link that signs in and leads to the path `next`, unless the address has an account, which nobody learns here.
 * Where Auth signs in at once it cannot be hidden: AppError `conflict`. Throws one that says why it cannot be.
 */
export async function signUp(person: {
  email: string;
  password: string;
  name: string;
  next: string;
}): Promise<"signed-in" | "confirm"> {
  const isSignedIn = await limitAttempts("sign-up", person.email, async () => {
    const auth = await createSessionlessAuthClient();
    const { data, error } = await auth.signUp({
      email: person.email,
      password: person.password,
      options: { data: { name: person.name }, emailRedirectTo: new URL(person.next, publicEnv().siteUrl).href },
    });
    if (error) throw signUpError(error);
    if (!data.session) return false;
    const kept = await (await createAuthClient()).setSession(data.session);
    if (kept.error) throw signUpError(kept.error);
    return true;
  });
  return isSignedIn ? "signed-in" : "confirm";
}

function signUpError(error: AuthError) {
  if (error.status === 429) {
    return new AppError("too-many-requests", "Too many attempts. Wait a few minutes, then try again.");
  }
  switch (error.code) {
    case "user_already_exists":
    case "email_exists":
      return new AppError("conflict", "This address has an account already. Sign in with it.", { cause: error });
    case "weak_password":
      return new AppError("invalid", "This password is too easy to guess. Choose a longer one.");
    case "signup_disabled":
    case "email_provider_disabled":
      return new AppError("forbidden", "Accounts cannot be created here. Ask an administrator of the team for one.");
    default:
      return new AppError("unavailable", "The account could not be created right now. Try again in a moment.", {
        cause: error,
      });
  }
}
