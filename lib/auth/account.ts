import "server-only";
import { type Attempt, limitAttempts } from "@/lib/auth/attempts";
import { getSignIn, type Session } from "@/lib/auth/get-session";
import { sendLink } from "@/lib/auth/links";
import { authError, authMessages, emailMessages, passwordMessages, signInMessages } from "@/lib/auth/messages";
import { publicEnv } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { logFailure } from "@/lib/log-event";
import { storableText } from "@/lib/storable";
import { createAdminClient } from "@/lib/supabase/admin";
import { createAuthClient, createSessionlessAuthClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";

/**
 * Sends the links that confirm a new email address; until then the old one is used. It doesn't reveal whether the new address
 * has an account. Allowed once a minute per email. Throws an AppError with the reason.
 */
export async function changeEmail(person: Session, email: string): Promise<void> {
  await limitAttempts("email-change", person.email, async (): Promise<Attempt> => {
    const { data } = await (await createAuthClient()).getSession();
    const auth = await createSessionlessAuthClient();
    const error = await sendLink(async () => {
      if (data.session) await auth.setSession(data.session);
      return auth.updateUser({ email }, { emailRedirectTo: `${publicEnv().siteUrl}/account` });
    });
    if (!error || error.code === "email_exists") return { state: "not-signed-in" };
    throw authError(error, emailMessages);
  });
}

/** Changes the name of the signed-in person. Throws AppError `unavailable`. */
export async function changeName({ userId }: Session, name: string): Promise<void> {
  const { error: cause } = await createAdminClient().from("profiles").upsert({ user_id: userId, name });
  if (cause) throw new AppError("unavailable", authMessages.nameNotSaved, { cause });
}

/**
 * Requires the account's password, so that no one can take over an account on an unattended screen. Failed attempts count as
 * sign-in attempts. Throws AppError `forbidden` for a wrong password.
 */
export async function requirePassword(person: Session, password: string): Promise<void> {
  const auth = await signInAgain(person, password);
  await auth.signOut({ scope: "local" });
}

/** Signs in again in a separate session without cookies, and returns its client. The caller must end it. */
async function signInAgain({ email }: Session, password: string) {
  const auth = await createSessionlessAuthClient();
  await limitAttempts("sign-in", email, async (): Promise<Attempt> => {
    const { error } = await auth.signInWithPassword({ email, password });
    if (error?.code === "invalid_credentials")
      throw new AppError("forbidden", authMessages.wrongPassword, { field: "current" });
    if (error) throw authError(error, signInMessages);
    return { state: "signed-in" };
  });
  return auth;
}

/** A new password that Auth accepts. */
export const newPasswordSchema = storableText
  .min(10, "must have at least 10 characters")
  .refine((text) => Buffer.byteLength(text) <= 72, "is too long");

/** Throws AppError `invalid` for a password that is the person's email. */
export function refuseEmailAsPassword(email: string, password: string): void {
  if (password.trim().toLowerCase() === email.toLowerCase())
    throw new AppError("invalid", "can't be your email. Choose another one", { field: "password" });
}

type AuthClient = Awaited<ReturnType<typeof createAuthClient>>;

/**
 * Changes the password of the signed-in person, who knows the `current` one, and ends their sessions in other browsers. It
 * continues with a new session, because Auth only accepts a new password after a recent sign-in (`secure_password_change`).
 * Throws an AppError with the reason.
 */
export async function changePassword(
  person: Session,
  { current, password }: { current: string; password: string },
): Promise<void> {
  refuseEmailAsPassword(person.email, password);
  const browser = await createAuthClient();
  // Auth refuses changes in a session without the code, as the fresh one is.
  const hasSecondFactor = (await getSignIn())?.accountHasSecondFactor === true;
  const fresh = await signInAgain(person, current);
  const auth = hasSecondFactor ? browser : fresh;
  const { error } = await auth.updateUser({ password });
  if (error || hasSecondFactor) await fresh.signOut({ scope: "local" });
  if (error) throw authError(error, passwordMessages);
  if (!hasSecondFactor) await saveSession(browser, fresh);
  await endOtherSessions(auth);
}

/**
 * Sets the password of a person who was just signed in by an email link, possibly to their current one, and ends their
 * other sessions. One that still needs its code goes on needing it. Throws an AppError with the reason.
 */
export async function choosePassword(password: string): Promise<void> {
  const auth = await createAuthClient();
  const signIn = await getSignIn();
  // The email signs someone who forgot the password in without the code.
  const { error } = signIn?.needsCode
    ? await createAdminClient().auth.admin.updateUserById(signIn.session.userId, { password })
    : await auth.updateUser({ password });
  if (error && error.code !== "same_password") throw authError(error, passwordMessages);
  // That ended all sessions, so the sign-in is started again. If that fails, they sign in with the new password.
  if (signIn?.needsCode) await auth.signInWithPassword({ email: signIn.session.email, password });
  await endOtherSessions(auth);
}

async function saveSession(browser: AuthClient, fresh: AuthClient) {
  const { data } = await fresh.getSession();
  const saved = data.session && (await browser.setSession(data.session));
  if (saved?.error) logFailure("The session that changed its password could not be saved.", saved.error);
}

async function endOtherSessions(auth: AuthClient) {
  const { error } = await auth.signOut({ scope: "others" });
  if (error) logFailure("The sessions in other browsers could not be ended.", error);
}

/** The name of the signed-in person. */
export async function readName({ userId }: Session): Promise<string> {
  return unwrap(await createAdminClient().from("profiles").select("name").eq("user_id", userId).single()).name;
}

/** Whether a person has not chosen a name: then it is the beginning of their email, as in a new account. */
export async function hasDefaultName(person: Session): Promise<boolean> {
  return (await readName(person)) === person.email.split("@")[0];
}
