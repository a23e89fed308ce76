import "server-only";
import type { AuthError } from "@supabase/supabase-js";
import { z } from "zod";
import { type Attempt, limitAttempts } from "@/lib/auth/attempts";
import { rememberDevice } from "@/lib/auth/device-cookie";
import { getSession } from "@/lib/auth/get-session";
import { authError, authMessages, emailMessages } from "@/lib/auth/messages";
import { needsSecondFactor } from "@/lib/auth/second-factor";
import { endUserSession } from "@/lib/auth/sessions";
import { publicEnv } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { logFailure } from "@/lib/log-event";
import { createAuthClient, createSessionlessAuthClient } from "@/lib/supabase/server";
import { isAuthUnavailable } from "@/lib/supabase/with-timeout";

const sendTimeoutMs = 1_500; // less than a step of lib/auth/attempts.ts

/**
 * Asks Auth to send an email, and returns Auth's error, or null. Auth sends before it responds, and only to some addresses,
 * so a slow, limited or failed send is logged and not revealed. If Auth is unreachable, that reveals nothing: such errors
 * have no status.
 */
export async function sendLink(send: () => Promise<{ error: AuthError | null }>): Promise<AuthError | null> {
  let isLate = false;
  const sent = send().then(({ error }) => {
    if (!error || (!isLate && !(error.status && isAuthUnavailable(error.status)))) return error;
    logFailure("An email with a link was not sent.", error);
    return null;
  });
  const timeout = new Promise<null>((resolve) => {
    setTimeout(() => {
      isLate = true;
      resolve(null);
    }, sendTimeoutMs).unref();
  });
  return Promise.race([sent, timeout]);
}

/**
 * Sends a link to choose a new password and continue at the path `next`, if the address has an account, which it doesn't
 * reveal.
 * Once a minute. Throws AppError `unavailable` when Auth is unreachable.
 */
export async function sendRecovery({ email, next }: { email: string; next: string }): Promise<void> {
  await limitAttempts("recovery", email, async (): Promise<Attempt> => {
    const auth = await createSessionlessAuthClient();
    const redirectTo = new URL(next, publicEnv().siteUrl).href;
    const error = await sendLink(() => auth.resetPasswordForEmail(email, { redirectTo }));
    if (!error) return { state: "not-signed-in" };
    if (!error.status) throw authError(error, emailMessages);
    logFailure("An email for a new password was not sent.", error);
    return { state: "not-signed-in" };
  });
}

/** The query of an email link, as written by supabase/templates. */
export const emailLinkSchema = z.object({
  token_hash: z.string().regex(/^[\w-]{1,200}$/),
  type: z.enum(["signup", "recovery", "email_change", "magiclink"]),
});

/** The links that let someone choose a password. One from before the email was confirmed doesn't work. */
export const passwordLinkSchema = emailLinkSchema.extend({ type: z.enum(["signup", "recovery"]) });

export type EmailLink = z.output<typeof emailLinkSchema>;

/** The error of an email link that works no longer, perhaps caused by another one. Forms know it by its reason. */
export function linkOver({ type }: EmailLink, what: string, cause?: AppError): AppError {
  const isInvitation = type === "signup" || type === "magiclink";
  const then = isInvitation ? "Go to the invitation to sign in." : "Get a new one.";
  return new AppError(cause?.code ?? "conflict", `${what} ${then}`, { reason: "link-over", cause });
}

/**
 * Uses an email link and sets the session cookies: true. False if another address has to confirm before anything changes.
 * The session ends that the same person had in this browser. Throws AppError `conflict` for a used, expired or wrong link.
 */
export async function confirmLink(link: EmailLink): Promise<boolean> {
  const replaced = await getSession();
  const auth = await createAuthClient();
  const { data, error } = await auth.verifyOtp(link);
  if (error?.status && error.status < 500 && error.status !== 429) {
    throw linkOver(link, "This link was already used or has expired.");
  }
  if (error) throw new AppError("unavailable", authMessages.linkNotChecked, { cause: error });
  if (data.session === null) return false;
  const { user } = data.session;
  // The link is used, so a failure here must not look like one of the link.
  if (replaced?.userId === user.id)
    await endUserSession(replaced, replaced.sessionId).catch((error: unknown) =>
      logFailure("The session that a link replaced could not be ended.", error),
    );
  if (!(await needsSecondFactor(auth, user)) && user.email) await rememberDevice(user.email);
  return true;
}

/** Turns the code of an email link into a session with its cookies; otherwise says if the link or Auth failed. */
export async function exchangeCode(code: string): Promise<"signed-in" | "link" | "unavailable"> {
  const auth = await createAuthClient();
  const { data, error } = await auth.exchangeCodeForSession(code);
  if (error?.status && error.status < 500) return "link";
  try {
    if (error) throw error;
    if (!(await needsSecondFactor(auth, data.user)) && data.user.email) await rememberDevice(data.user.email);
    return "signed-in";
  } catch (cause) {
    logFailure("A sign-in link could not be checked.", cause);
    return "unavailable";
  }
}
