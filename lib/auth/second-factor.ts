import "server-only";
import { type AuthError, isAuthSessionMissingError, type User } from "@supabase/supabase-js";
import { z } from "zod";
import { limitAttempts } from "@/lib/auth/attempts";
import type { Session } from "@/lib/auth/get-session";
import { signOut } from "@/lib/auth/sign-out";
import { AppError } from "@/lib/errors";
import { createAdminClient } from "@/lib/supabase/admin";
import { createAuthClient } from "@/lib/supabase/server";

// A code of an app on the phone, asked after the password of those who chose so. Auth knows the factors; each token tells
// whether its account has one (`app_metadata.second_factor`, which only the secret key writes) and whether it was shown (`aal`).

type AuthClient = Awaited<ReturnType<typeof createAuthClient>>;

/** The code that an app shows, as people write it. */
export const secondFactorCode = z.object({
  code: z
    .string()
    .transform((text) => text.replace(/\s/g, ""))
    .pipe(z.string().regex(/^\d{6}$/, "has six digits")),
});

/** What an app on the phone needs to make codes: a picture to scan, as a data URL, and the same as text. */
export type NewFactor = { factorId: string; picture: string; secret: string };

/** Begins a second factor for the person of the session cookies; it counts once its first code was shown. */
export async function beginSecondFactor(): Promise<NewFactor> {
  const auth = await createAuthClient();
  // What was begun before and never finished, in whose stead this is.
  const known = await auth.mfa.listFactors();
  if (known.error) throw factorError(known.error);
  for (const { id, status } of known.data.all) if (status === "unverified") await auth.mfa.unenroll({ factorId: id });
  const { data, error } = await auth.mfa.enroll({ factorType: "totp", issuer: "Signet" });
  if (error) throw factorError(error);
  return { factorId: data.id, picture: data.totp.qr_code, secret: data.totp.secret };
}

/** Shows a code for the first time: from now on signing in asks for one, and sessions without are over. */
export async function confirmSecondFactor(factorId: string, code: string): Promise<void> {
  const auth = await createAuthClient();
  const { error } = await auth.mfa.challengeAndVerify({ factorId, code });
  if (error) throw factorError(error);
  await keepMark(auth);
}

/** Takes the second factor off the account of the session cookies. */
export async function removeSecondFactor(): Promise<void> {
  const auth = await createAuthClient();
  const { data, error } = await auth.mfa.listFactors();
  if (error) throw factorError(error);
  for (const { id: factorId } of data.all) {
    const removed = await auth.mfa.unenroll({ factorId });
    if (removed.error) throw factorError(removed.error);
  }
  await keepMark(auth);
}

/**
 * Makes half a sign-in a whole one, by a code of any of the person's apps. Wrong ones slow the next ones down. Throws an
 * AppError that says why it cannot be.
 */
export async function showSecondFactor({ email }: Session, code: string): Promise<void> {
  await limitAttempts("second-factor", email, async () => {
    const auth = await createAuthClient();
    const { data, error } = await auth.mfa.listFactors();
    if (error) throw factorError(error);
    if (data.totp.length === 0) {
      throw new AppError(
        "conflict",
        "Two-factor sign-in is now off for this account. Sign in again with your password.",
      );
    }
    let refused: AuthError | null = null;
    for (const { id: factorId } of data.totp) {
      const shown = await auth.mfa.challengeAndVerify({ factorId, code });
      if (!shown.error) return true;
      refused = shown.error;
    }
    throw refused && factorError(refused);
  });
}

/**
 * Whether a sign-in that Auth has just given, by whatever way, is half a one; its cookies tell so too. When that cannot be
 * found out, it is none: throws an AppError.
 */
export async function asksSecondFactor(auth: AuthClient, user: User): Promise<boolean> {
  try {
    const { has, changed } = await markSecondFactor(user);
    const refreshed = changed ? await auth.refreshSession() : null;
    if (refreshed?.error) throw factorError(refreshed.error);
    return has;
  } catch (error) {
    await signOut();
    throw error;
  }
}

/**
 * Keeps with an account whether it has a second factor, where its tokens tell otherwise: as after a change, or when the
 * operator took one off for somebody whose phone is lost. Gives whether it has one, and whether a new token is needed to tell.
 */
async function markSecondFactor(user: User): Promise<{ has: boolean; changed: boolean }> {
  const isVerified = ({ status }: { status: string }) => status === "verified";
  const marked = user.app_metadata?.second_factor === true;
  if ((user.factors?.some(isVerified) ?? false) === marked) return { has: marked, changed: false };
  // Asked again past the session, as nothing but Auth's list may take a mark away.
  const { admin } = createAdminClient().auth;
  const { data, error } = await admin.mfa.listFactors({ userId: user.id });
  if (error) throw factorError(error);
  const has = data.factors.some(isVerified);
  if (has === marked) return { has, changed: false };
  const kept = await admin.updateUserById(user.id, { app_metadata: { second_factor: has } });
  if (kept.error) throw factorError(kept.error);
  return { has, changed: true };
}

async function keepMark(auth: AuthClient) {
  const { data, error } = await auth.getUser();
  if (error) throw factorError(error);
  if ((await markSecondFactor(data.user)).changed) await auth.refreshSession();
}

function factorError(cause: AuthError) {
  if (isAuthSessionMissingError(cause)) {
    return new AppError("unauthenticated", "Your sign-in has expired. Sign in again with your password.", { cause });
  }
  switch (cause.code) {
    case "mfa_verification_failed":
    case "mfa_challenge_expired":
      return new AppError("forbidden", "Wrong or expired code. Enter the one your app shows now.");
    case "mfa_totp_enroll_not_enabled":
    case "mfa_totp_verify_not_enabled":
      return switchedOff(cause);
    default:
      return cause.status === 404
        ? switchedOff(cause)
        : new AppError("unavailable", "Two-factor sign-in isn't working right now. Try again in a moment.", { cause });
  }
}

function switchedOff(cause: AuthError) {
  return new AppError("conflict", "Two-factor sign-in isn't available on this server.", {
    cause,
  });
}
