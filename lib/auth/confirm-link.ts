import "server-only";
import { z } from "zod";
import { rememberDevice } from "@/lib/auth/device-cookie";
import { asksSecondFactor } from "@/lib/auth/second-factor";
import { AppError } from "@/lib/errors";
import { createAuthClient } from "@/lib/supabase/server";

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
    throw new AppError("conflict", "This link has been used already or is too old. Ask for a new one.");
  }
  if (error) {
    const message = "The link could not be checked right now, and was not used. Try again in a moment.";
    throw new AppError("unavailable", message, { cause: error });
  }
  if (data.session === null) return false;
  const { user } = data.session;
  if (!(await asksSecondFactor(auth, user)) && user.email) await rememberDevice(user.email);
  return true;
}
