import "server-only";
import type { AuthError, User } from "@supabase/supabase-js";
import { z } from "zod";
import { type Attempt, limitAttempts } from "@/lib/auth/attempts";
import type { Session } from "@/lib/auth/get-session";
import { authMessages, secondFactorError } from "@/lib/auth/messages";
import { signOut } from "@/lib/auth/sign-out";
import { publicEnv } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { processWide } from "@/lib/process-wide";
import { createAdminClient } from "@/lib/supabase/admin";
import { createAuthClient } from "@/lib/supabase/server";

// A code from an authenticator app, asked after the password if the account has one. Auth knows the factors; each token says
// whether its account has one (`app_metadata.second_factor`, which only the secret key writes) and if a code was entered (`aal`).

type AuthClient = Awaited<ReturnType<typeof createAuthClient>>;

/** A code of the app, as people type it. */
export const secondFactorCode = z.object({
  code: z
    .string()
    .transform((text) => text.replace(/\s/g, ""))
    .pipe(z.string().regex(/^\d{6}$/, "must have six digits")),
});

/** What an authenticator app needs: a picture to scan, as a data URL, and the same as text. */
export type NewFactor = { factorId: string; picture: string; secret: string };

const availability = processWide("second-factor-availability", () => ({ known: undefined as boolean | undefined }));

/** Whether Auth says, without a sign-in, that it has second factors. */
export async function hasSecondFactors(): Promise<boolean> {
  const { supabaseUrl, publishableKey } = publicEnv();
  const checkAvailability = async () => {
    const init = { method: "POST", headers: { apikey: publishableKey }, signal: AbortSignal.timeout(1_000) };
    const { status } = await fetch(`${supabaseUrl}/auth/v1/factors`, init);
    availability.known = status !== 422 && status !== 404;
  };
  if (availability.known === undefined) await checkAvailability().catch(() => undefined);
  return availability.known ?? true;
}

/** Starts a second factor for the signed-in person; it counts once its first code was entered. */
export async function beginSecondFactor(): Promise<NewFactor> {
  const auth = await createAuthClient();
  // Replaces those that were started and never finished.
  const known = await auth.mfa.listFactors();
  if (known.error) throw secondFactorError(known.error);
  for (const { id, status } of known.data.all) if (status === "unverified") await auth.mfa.unenroll({ factorId: id });
  const { data, error } = await auth.mfa.enroll({ factorType: "totp", issuer: "Signet" });
  if (error) throw secondFactorError(error);
  return { factorId: data.id, picture: data.totp.qr_code, secret: data.totp.secret };
}

/** Enters the first code: from now on signing in requires one, and sessions without one end. */
export async function confirmSecondFactor(factorId: string, code: string): Promise<void> {
  const auth = await createAuthClient();
  const { error } = await auth.mfa.challengeAndVerify({ factorId, code });
  if (error) throw secondFactorError(error);
  await saveMark(auth);
}

/** Removes the second factor of the signed-in person. */
export async function removeSecondFactor(): Promise<void> {
  const auth = await createAuthClient();
  const { data, error } = await auth.mfa.listFactors();
  if (error) throw secondFactorError(error);
  for (const { id: factorId } of data.all) {
    const removed = await auth.mfa.unenroll({ factorId });
    if (removed.error) throw secondFactorError(removed.error);
  }
  await saveMark(auth);
}

/** Enters the code a sign-in needs, of any of the person's apps. Wrong ones delay the next. Throws an AppError. */
export async function verifySecondFactor({ email }: Session, code: string): Promise<void> {
  await limitAttempts("second-factor", email, async (): Promise<Attempt> => {
    const auth = await createAuthClient();
    const { data, error } = await auth.mfa.listFactors();
    if (error) throw secondFactorError(error);
    let refused: AuthError | null = null;
    for (const { id: factorId } of data.totp) {
      const shown = await auth.mfa.challengeAndVerify({ factorId, code });
      if (!shown.error) return { state: "signed-in" };
      refused = shown.error;
    }
    throw refused ? secondFactorError(refused) : new AppError("conflict", authMessages.factorRemoved);
  });
}

/** Whether a new sign-in still needs a code; its cookies say so too. If that is unknown, signs out and throws an AppError. */
export async function needsSecondFactor(auth: AuthClient, user: User): Promise<boolean> {
  try {
    const { has, changed } = await markSecondFactor(user);
    const refreshed = changed ? await auth.refreshSession() : null;
    if (refreshed?.error) throw secondFactorError(refreshed.error);
    return has;
  } catch (error) {
    await signOut();
    throw error;
  }
}

/**
 * Saves with an account whether it has a second factor, if its tokens disagree: after a change, or after the operator removed
 * one because of a lost phone. Returns whether it has one, and whether a new token is needed.
 */
async function markSecondFactor(user: User): Promise<{ has: boolean; changed: boolean }> {
  const isVerified = ({ status }: { status: string }) => status === "verified";
  const marked = user.app_metadata?.second_factor === true;
  if ((user.factors?.some(isVerified) ?? false) === marked) return { has: marked, changed: false };
  // Asked again without the session: only Auth's own list may remove the mark.
  const { admin } = createAdminClient().auth;
  const { data, error } = await admin.mfa.listFactors({ userId: user.id });
  if (error) throw secondFactorError(error);
  const has = data.factors.some(isVerified);
  if (has === marked) return { has, changed: false };
  const updated = await admin.updateUserById(user.id, { app_metadata: { second_factor: has } });
  if (updated.error) throw secondFactorError(updated.error);
  return { has, changed: true };
}

async function saveMark(auth: AuthClient) {
  const { data, error } = await auth.getUser();
  if (error) throw secondFactorError(error);
  if ((await markSecondFactor(data.user)).changed) await auth.refreshSession();
}
