import "server-only";
import type { Session } from "@/lib/auth/get-session";
import { limitAttempts } from "@/lib/auth/limit-attempts";
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
    if (data.session) await auth.setSession(data.session);
    const { error } = await auth.updateUser({ email }, { emailRedirectTo: `${publicEnv().siteUrl}/account` });
    if (!error || error.code === "email_exists") return false;
    if (error.code === "email_address_invalid") {
      throw new AppError("invalid", "Auth sends nothing to this address. Check it, or choose another one.");
    }
    if (error.status !== 429) {
      const message = "The e-mail could not be sent right now. Try again in a moment.";
      throw new AppError("unavailable", message, { cause: error });
    }
    console.error("An e-mail for another address was not sent.", error); // to say so would tell that nobody has the address
    return false;
  });
}
