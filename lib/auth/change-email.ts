import "server-only";
import type { Session } from "@/lib/auth/get-session";
import { limitAttempts } from "@/lib/auth/limit-attempts";
import { sendLink } from "@/lib/auth/send-link";
import { publicEnv } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { createAuthClient, createSessionlessAuthClient } from "@/lib/supabase/server";

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
      throw new AppError("invalid", "Auth sends nothing to this address. Check it, or choose another one.");
    }
    throw new AppError("unavailable", "The e-mail could not be sent right now. Try again in a moment.", {
      cause: error,
    });
  });
}
