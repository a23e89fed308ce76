import "server-only";
import type { AuthError } from "@supabase/supabase-js";
import { getSignIn } from "@/lib/auth/get-session";
import { AppError } from "@/lib/errors";
import { logFailure } from "@/lib/log-event";
import { storableText } from "@/lib/storable";
import { createAdminClient } from "@/lib/supabase/admin";
import { createAuthClient } from "@/lib/supabase/server";

/** A new password, as Auth takes it. */
export const newPasswordSchema = storableText
  .min(10, "must have at least 10 characters")
  .refine((text) => Buffer.byteLength(text) <= 72, "must have at most 72 characters");

/**
 * Gives the person of the session cookies another password, and ends her sessions in other browsers. `byLink`, by the link of
 * an e-mail, it may be the one that she has, and of half a sign-in, which stays half. Throws an AppError that says why it
 * cannot be.
 */
export async function changePassword(password: string, { byLink = false } = {}): Promise<void> {
  const auth = await createAuthClient();
  const signIn = byLink ? await getSignIn() : null;
  // Auth changes nothing in half a sign-in, and who reads her e-mail and forgot her password has no other.
  const { error } = signIn?.isHalf
    ? await createAdminClient().auth.admin.updateUserById(signIn.session.userId, { password })
    : await auth.updateUser({ password });
  if (error && !(byLink && error.code === "same_password")) throw passwordError(error);
  // Changed so, it ends all her sessions: the half one begins anew. When that fails, she signs in with what she has chosen.
  if (signIn?.isHalf) await auth.signInWithPassword({ email: signIn.session.email, password });
  const { error: left } = await auth.signOut({ scope: "others" });
  if (left) logFailure("The sessions in other browsers could not be ended.", left);
}

function passwordError(error: AuthError) {
  switch (error.code) {
    case "same_password":
      return new AppError("invalid", "That is the password that you have already. Choose another one.");
    case "weak_password":
      return new AppError("invalid", "This password is too easy to guess. Choose a longer one.");
    default:
      return new AppError("unavailable", "The password could not be changed right now. Try again in a moment.", {
        cause: error,
      });
  }
}
