import "server-only";
import { z } from "zod";
import { rememberDevice } from "@/lib/auth/device-cookie";
import { createAuthClient } from "@/lib/supabase/server";

/** What the link of an e-mail carries, as the templates in supabase/templates write it. */
export const emailLinkSchema = z.object({
  token_hash: z.string().regex(/^[\w-]{1,200}$/),
  type: z.enum(["signup", "recovery", "email_change", "magiclink"]),
});

/**
 * Uses up the link of an e-mail and sets the session cookies: `signed-in`. `half` when another address has to confirm too
 * before anything changes. Else says whether the link or Auth failed.
 */
export async function confirmLink(
  link: z.output<typeof emailLinkSchema>,
): Promise<"signed-in" | "half" | "link" | "away"> {
  const auth = await createAuthClient();
  const { data, error } = await auth.verifyOtp(link);
  if (error) {
    if (error.status && error.status < 500 && error.status !== 429) return "link";
    console.error("The link of an e-mail could not be checked.", error);
    return "away";
  }
  if (!data.session) return "half";
  if (data.session.user.email) await rememberDevice(data.session.user.email);
  return "signed-in";
}
