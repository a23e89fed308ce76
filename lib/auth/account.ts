import "server-only";
import type { AuthError } from "@supabase/supabase-js";
import { limitAttempts } from "@/lib/auth/attempts";
import { getSignIn, type Session } from "@/lib/auth/get-session";
import { sendLink } from "@/lib/auth/links";
import { signInError } from "@/lib/auth/sign-in";
import { publicEnv } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { logFailure } from "@/lib/log-event";
import { storableText } from "@/lib/storable";
import { createAdminClient } from "@/lib/supabase/admin";
import { createAuthClient, createSessionlessAuthClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";

/**
 * Has Auth send the links that confirm another address for the person of the session; until then the old one holds. Whether
 * the new one has an account already, nobody learns here. Once a minute. Throws an AppError that says why it cannot be.
 */
export async function changeEmail(person: Session, email: string): Promise<void> {
  await limitAttempts("email-change", person.email, async () => {
    const { data } = await (await createAuthClient()).getSession();
    const auth = await createSessionlessAuthClient();
    const error = await sendLink(async () => {
      if (data.session) await auth.setSession(data.session);
      return auth.updateUser({ email }, { emailRedirectTo: `${publicEnv().siteUrl}/account` });
    });
    if (!error || error.code === "email_exists") return false;
    if (error.code === "email_address_invalid") {
      throw new AppError("invalid", "We can't send email to this address. Check it, or use another one.");
    }
    throw new AppError("unavailable", "Couldn't send the email. Try again in a moment.", {
      cause: error,
    });
  });
}

/** Gives the signed-in person another name, by which others know them. Throws AppError `unavailable`. */
export async function changeName({ userId }: Session, name: string): Promise<void> {
  const { error: cause } = await createAdminClient().from("profiles").upsert({ user_id: userId, name });
  if (cause) throw new AppError("unavailable", "Couldn't save the name. Try again in a moment.", { cause });
}

/**
 * Lets pass who knows the password of their account, so that nobody takes it over at a screen that was left open. Failed
 * attempts count as those to sign in do. Throws AppError `forbidden` for a wrong one.
 */
export async function requirePassword(person: Session, password: string): Promise<void> {
  const auth = await signInAfresh(person, password);
  await auth.signOut({ scope: "local" });
}

/** The same, and gives Auth on the session that this took, which is in no cookie: whoever asks for it ends it. */
async function signInAfresh({ email }: Session, password: string) {
  const auth = await createSessionlessAuthClient();
  await limitAttempts("sign-in", email, async () => {
    const { error } = await auth.signInWithPassword({ email, password });
    if (error?.code === "invalid_credentials") {
      throw new AppError("forbidden", "Wrong password. Nothing was changed.");
    }
    if (error) throw signInError(error);
    return true;
  });
  return auth;
}

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
      return new AppError("invalid", "That's your current password. Choose another one.");
    case "weak_password":
      return new AppError("invalid", "This password is too easy to guess. Choose a longer one.");
    case "reauthentication_needed":
      return new AppError("conflict", "You signed in too long ago. Sign out, sign in again, then change the password.");
    default:
      return new AppError("unavailable", "Couldn't change the password. Try again in a moment.", {
        cause: error,
      });
  }
}

/** The name by which others know the person of the session. */
export async function readName({ userId }: Session): Promise<string> {
  return unwrap(await createAdminClient().from("profiles").select("name").eq("user_id", userId).single()).name;
}
