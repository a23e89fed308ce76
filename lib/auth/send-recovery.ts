import "server-only";
import { limitAttempts } from "@/lib/auth/limit-attempts";
import { sendLink } from "@/lib/auth/send-link";
import { publicEnv } from "@/lib/env";
import { AppError } from "@/lib/errors";
import { logFailure } from "@/lib/log-event";
import { createSessionlessAuthClient } from "@/lib/supabase/server";

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
      const message = "E-mails cannot be sent right now. Try again in a moment.";
      throw new AppError("unavailable", message, { cause: error });
    }
    logFailure("An e-mail for a new password was not sent.", error);
    return false;
  });
}
