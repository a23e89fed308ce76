import "server-only";
import type { AuthError } from "@supabase/supabase-js";
import { getSignIn, type Session } from "@/lib/auth/get-session";
import { signInAfresh } from "@/lib/auth/require-password";
import { AppError } from "@/lib/errors";
import { logFailure } from "@/lib/log-event";
import { storableText } from "@/lib/storable";
import { createAdminClient } from "@/lib/supabase/admin";
import { createAuthClient } from "@/lib/supabase/server";

/** A new password, as Auth takes it. */
export const newPasswordSchema = storableText
  .min(10, "must have at least 10 characters")
  .refine((text) => Buffer.byteLength(text) <= 72, "must have at most 72 characters");

type AuthClient = Awaited<ReturnType<typeof createAuthClient>>;

/**
 * Gives the signed-in person, who knows the `current` one, another password, and ends their sessions in other browsers. It
 * signs in afresh and goes on with that session, as Auth takes a new password from a recent sign-in alone
 * (`secure_password_change`). Throws an AppError that says why it cannot be.
 */
export async function changePassword(
  person: Session,
  { current, password }: { current: string; password: string },
): Promise<void> {
  const browser = await createAuthClient();
  const isHalf = (await getSignIn())?.hasSecondFactor === true; // then the fresh one is, and Auth changes nothing in it
  const fresh = await signInAfresh(person, current);
  const auth = isHalf ? browser : fresh;
  const { error } = await auth.updateUser({ password });
  if (error || isHalf) await fresh.signOut({ scope: "local" });
  if (error) throw passwordError(error);
  if (!isHalf) await keepSession(browser, fresh);
  await endOtherSessions(auth);
}

/**
 * Gives the person whom the link of an e-mail has just signed in another password, or the one that they have, and ends their
 * other sessions. Half a sign-in stays half. Throws an AppError that says why it cannot be.
 */
export async function choosePassword(password: string): Promise<void> {
  const auth = await createAuthClient();
  const signIn = await getSignIn();
  // Who reads their e-mail and forgot the password has nothing but half a sign-in.
  const { error } = signIn?.isHalf
    ? await createAdminClient().auth.admin.updateUserById(signIn.session.userId, { password })
    : await auth.updateUser({ password });
  if (error && error.code !== "same_password") throw passwordError(error);
  // Changed so, it ends all sessions: the half one begins anew. When that fails, they sign in with what they have chosen.
  if (signIn?.isHalf) await auth.signInWithPassword({ email: signIn.session.email, password });
  await endOtherSessions(auth);
}

async function keepSession(browser: AuthClient, fresh: AuthClient) {
  const { data } = await fresh.getSession();
  const kept = data.session && (await browser.setSession(data.session));
  if (kept?.error) logFailure("The session that changed its password could not be kept.", kept.error);
}

async function endOtherSessions(auth: AuthClient) {
  const { error } = await auth.signOut({ scope: "others" });
  if (error) logFailure("The sessions in other browsers could not be ended.", error);
}

function passwordError(error: AuthError) {
  switch (error.code) {
    case "same_password":
      return new AppError("invalid", "That is the password that you have already. Choose another one.");
    case "weak_password":
      return new AppError("invalid", "This password is too easy to guess. Choose a longer one.");
    case "reauthentication_needed":
      return new AppError("conflict", "You signed in too long ago. Sign out, sign in again, then change the password.");
    default:
      return new AppError("unavailable", "The password could not be changed right now. Try again in a moment.", {
        cause: error,
      });
  }
}
