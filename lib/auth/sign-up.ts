import "server-only";
import type { AuthError } from "@supabase/supabase-js";
import { publicEnv } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { createSessionClient } from "@/lib/supabase/server";

/**
 * Creates an account and sets its session cookies: `signed-in`. Where addresses must be confirmed first, Auth sends a
 * link that signs in and leads to the path `next`: `confirm`. Throws AppError `conflict` for an address that has an
 * account, and one that says why it cannot be.
 */
export async function signUp(person: {
  email: string;
  password: string;
  name: string;
  next: string;
}): Promise<"signed-in" | "confirm"> {
  const callback = new URL("/auth/callback", publicEnv().siteUrl);
  callback.searchParams.set("next", person.next);
  const supabase = await createSessionClient();
  const { data, error } = await supabase.auth.signUp({
    email: person.email,
    password: person.password,
    options: { data: { name: person.name }, emailRedirectTo: callback.href },
  });
  if (error) throw signUpError(error);
  if (data.session) return "signed-in";
  if (data.user?.identities?.length === 0) throw taken(); // how Auth tells of an account where it must not say so
  return "confirm";
}

const taken = (cause?: AuthError) =>
  new AppError("conflict", "This address has an account already. Sign in with it.", { cause });

function signUpError(error: AuthError) {
  if (error.status === 429) {
    return new AppError("too-many-requests", "Too many attempts. Wait a few minutes, then try again.");
  }
  switch (error.code) {
    case "user_already_exists":
    case "email_exists":
      return taken(error);
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
