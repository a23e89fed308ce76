import "server-only";
import { type Attempt, limitAttempts } from "@/lib/auth/attempts";
import { authError, signInMessages, signUpMessages } from "@/lib/auth/messages";
import { needsSecondFactor } from "@/lib/auth/second-factor";
import { publicEnv } from "@/lib/env";
import { createAuthClient, createSessionlessAuthClient } from "@/lib/supabase/server";

/** Who signed in, and whether they must still enter a code. */
export type SignInResult = { userId: string; state: "signed-in" | "needs-code" };

/** Signs a person in and sets the session cookies. Failed attempts delay the next ones. Throws an AppError with the reason. */
export async function signIn({ email, password }: { email: string; password: string }): Promise<SignInResult> {
  return limitAttempts("sign-in", email, async (): Promise<SignInResult> => {
    const auth = await createAuthClient();
    const { data, error } = await auth.signInWithPassword({ email, password });
    if (error) throw authError(error, signInMessages);
    const state = (await needsSecondFactor(auth, data.user)) ? "needs-code" : "signed-in";
    return { userId: data.user.id, state };
  });
}

/**
 * Creates an account and sets its session cookies: `signed-in`. If emails must be confirmed, `confirm`: Auth sends a link that
 * signs in and leads to the path `next`. It sends none to an email that has an account, and the result doesn't reveal that.
 * Without confirmation it can't be hidden: AppError `conflict`. Throws an AppError with the reason.
 */
export async function signUp(person: {
  email: string;
  password: string;
  name: string;
  next: string;
}): Promise<"signed-in" | "confirm"> {
  const { state } = await limitAttempts("sign-up", person.email, async (): Promise<Attempt> => {
    const auth = await createSessionlessAuthClient();
    const { data, error } = await auth.signUp({
      email: person.email,
      password: person.password,
      options: { data: { name: person.name }, emailRedirectTo: new URL(person.next, publicEnv().siteUrl).href },
    });
    if (error) throw authError(error, signUpMessages);
    if (!data.session) return { state: "not-signed-in" };
    const stored = await (await createAuthClient()).setSession(data.session);
    if (stored.error) throw authError(stored.error, signUpMessages);
    return { state: "signed-in" };
  });
  return state === "signed-in" ? state : "confirm";
}
