import "server-only";
import { limitAttempts } from "@/lib/auth/attempts";
import { authError, signInMessages, signUpMessages } from "@/lib/auth/messages";
import { needsSecondFactor } from "@/lib/auth/second-factor";
import { publicEnv } from "@/lib/env";
import { createAuthClient, createSessionlessAuthClient } from "@/lib/supabase/server";

/** Who signed in, and whether it is half a sign-in until they enter a code. */
export type SignedIn = { userId: string; needsCode: boolean };

/** Signs a person in and sets the session cookies. Failed attempts delay the next ones. Throws an AppError with the reason. */
export async function signIn({ email, password }: { email: string; password: string }): Promise<SignedIn> {
  let signedIn: SignedIn = { userId: "", needsCode: false };
  await limitAttempts("sign-in", email, async () => {
    const auth = await createAuthClient();
    const { data, error } = await auth.signInWithPassword({ email, password });
    if (error) throw authError(error, signInMessages);
    signedIn = { userId: data.user.id, needsCode: await needsSecondFactor(auth, data.user) };
    return signedIn.needsCode ? "half" : true;
  });
  return signedIn;
}

/**
 * Creates an account and sets its session cookies: `signed-in`. If addresses must be confirmed, `confirm`: Auth sends a link
 * that signs in and leads to the path `next`, unless the address has an account, which is not revealed. Without confirmation
 * it can't be hidden: AppError `conflict`. Throws an AppError with the reason.
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
    if (error) throw authError(error, signUpMessages);
    if (!data.session) return false;
    const stored = await (await createAuthClient()).setSession(data.session);
    if (stored.error) throw authError(stored.error, signUpMessages);
    return true;
  });
  return isSignedIn ? "signed-in" : "confirm";
}
