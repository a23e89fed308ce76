import "server-only";
import type { AuthError } from "@supabase/supabase-js";
import { z } from "zod";
import { limitAttempts } from "@/lib/auth/attempts";
import { rememberDevice } from "@/lib/auth/device-cookie";
import { asksSecondFactor } from "@/lib/auth/second-factor";
import { publicEnv } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { logFailure } from "@/lib/log-event";
import { createAuthClient, createSessionlessAuthClient } from "@/lib/supabase/server";
import { isOverloaded } from "@/lib/supabase/within";

const patience = 1_500; // ms: within the step at which lib/auth/attempts.ts answers

/**
 * Asks Auth for what ends with an e-mail, and gives what Auth refuses, or null. Auth sends before it answers, and to some
 * addresses alone: that sending is slow, is limited or fails is logged, and nobody learns it here. An Auth that is not there
 * is so for every address: its error has no status.
 */
export async function sendLink(ask: () => Promise<{ error: AuthError | null }>): Promise<AuthError | null> {
  let isLate = false;
  const asked = ask().then(({ error }) => {
    if (!error || (!isLate && !(error.status && isOverloaded(error.status)))) return error;
    logFailure("An email with a link wasn't sent.", error);
    return null;
  });
  const late = new Promise<null>((resolve) => {
    setTimeout(() => {
      isLate = true;
      resolve(null);
    }, patience).unref();
  });
  return Promise.race([asked, late]);
}

/**
 * Has Auth send a link to choose a new password, which leads to the path `next` then, to an address that has an account;
 * nobody learns here whether it has. Once a minute. Throws AppError `unavailable` when Auth is away for every address.
 */
export async function sendRecovery({ email, next }: { email: string; next: string }): Promise<void> {
  await limitAttempts("recovery", email, async () => {
    const auth = await createSessionlessAuthClient();
    const redirectTo = new URL(next, publicEnv().siteUrl).href;
    const error = await sendLink(() => auth.resetPasswordForEmail(email, { redirectTo }));
    if (!error) return false;
    if (!error.status) {
      const message = "Couldn't send the email. Try again in a moment.";
      throw new AppError("unavailable", message, { cause: error });
    }
    logFailure("A password reset email wasn't sent.", error);
    return false;
  });
}

/** What the link of an e-mail carries, as the templates in supabase/templates write it. */
export const emailLinkSchema = z.object({
  token_hash: z.string().regex(/^[\w-]{1,200}$/),
  type: z.enum(["signup", "recovery", "email_change", "magiclink"]),
});

/** Those with which a password is chosen: what a sign-up gave before its address was proven is worth nothing. */
export const passwordLinkSchema = emailLinkSchema.extend({ type: z.enum(["signup", "recovery"]) });

export type EmailLink = z.output<typeof emailLinkSchema>;

/**
 * Uses up the link of an e-mail and sets the session cookies: true. False when another address has to confirm too before
 * anything changes. Throws AppError `conflict` for a link that is used up, too old or none.
 */
export async function confirmLink(link: EmailLink): Promise<boolean> {
  const auth = await createAuthClient();
  const { data, error } = await auth.verifyOtp(link);
  if (error?.status && error.status < 500 && error.status !== 429) {
    throw new AppError("conflict", "This link was already used or has expired. Get a new one.");
  }
  if (error) {
    const message = "Couldn't check the link. It wasn't used: try again in a moment.";
    throw new AppError("unavailable", message, { cause: error });
  }
  if (data.session === null) return false;
  const { user } = data.session;
  if (!(await asksSecondFactor(auth, user)) && user.email) await rememberDevice(user.email);
  return true;
}

/** Turns the code of an e-mailed link into a session with its cookies; else says whether the link or Auth failed. */
export async function exchangeCode(code: string): Promise<"signed-in" | "link" | "away"> {
  const auth = await createAuthClient();
  const { data, error } = await auth.exchangeCodeForSession(code);
  if (error?.status && error.status < 500) return "link";
  try {
    if (error) throw error;
    if (!(await asksSecondFactor(auth, data.user)) && data.user.email) await rememberDevice(data.user.email);
    return "signed-in";
  } catch (cause) {
    logFailure("A sign-in link could not be checked.", cause);
    return "away";
  }
}
