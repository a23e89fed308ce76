import "server-only";
import type { AuthError } from "@supabase/supabase-js";
import { limitAttempts } from "@/lib/auth/attempts";
import { asksSecondFactor } from "@/lib/auth/second-factor";
import { publicEnv } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { createAuthClient, createSessionlessAuthClient } from "@/lib/supabase/server";

/** Who signed in, and whether it is half a sign-in until she shows her second factor. */
export type SignedIn = { userId: string; asksCode: boolean };

/**
 * Signs a person in and sets the session cookies. Failed attempts slow the next ones down. Throws an AppError that says
 * why it cannot be, the same for a wrong password and for an address without an account.
 */
export async function signIn({ email, password }: { email: string; password: string }): Promise<SignedIn> {
  let signedIn: SignedIn = { userId: "", asksCode: false };
  await limitAttempts("sign-in", email, async () => {
    const auth = await createAuthClient();
    const { data, error } = await auth.signInWithPassword({ email, password });
    if (error) throw signInError(error);
    signedIn = { userId: data.user.id, asksCode: await asksSecondFactor(auth, data.user) };
    return signedIn.asksCode ? "half" : true;
  });
  return signedIn;
}

/** Why Auth signs nobody in, in words for whoever tried. */
export function signInError(error: AuthError) {
  if (error.status === 429 || error.code === "over_request_rate_limit") {
    return new AppError("too-many-requests", "Too many attempts. Wait a few minutes, then try again.");
  }
  switch (error.code) {
    case "invalid_credentials":
      return new AppError("unauthenticated", "Wrong email or password. Check both and try again.");
    case "email_not_confirmed":
      return new AppError(
        "forbidden",
        "This email isn't confirmed yet. Open the link in the email you got when you created the account, then sign in.",
      );
    case "user_banned":
      return new AppError("forbidden", "This account is blocked. Ask an administrator of your team.");
    default:
      return new AppError(
        "unavailable",
        "Signing in isn't working right now. Your password wasn't checked: try again in a moment.",
        { cause: error },
      );
  }
}

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
      return new AppError("conflict", "This email already has an account. Sign in with it.", { cause: error });
    case "weak_password":
      return new AppError("invalid", "This password is too easy to guess. Choose a longer one.");
    case "signup_disabled":
    case "email_provider_disabled":
      return new AppError("forbidden", "New accounts are turned off here. Ask a team administrator for one.");
    default:
      return new AppError("unavailable", "Couldn't create the account. Try again in a moment.", {
        cause: error,
      });
  }
}
