import "server-only";
import type { AuthError } from "@supabase/supabase-js";
import { logFailure } from "@/lib/log-event";
import { isOverloaded } from "@/lib/supabase/is-overloaded";

const patience = 1_500; // ms: within the step at which lib/auth/limit-attempts.ts answers

/**
 * Asks Auth for what ends with an e-mail, and gives what Auth refuses, or null. Auth sends before it answers, and to some
 * addresses alone: that sending is slow, is limited or fails is logged, and nobody learns it here. An Auth that is not there
 * is so for every address: its error has no status.
 */
export async function sendLink(ask: () => Promise<{ error: AuthError | null }>): Promise<AuthError | null> {
  let isLate = false;
  const asked = ask().then(({ error }) => {
    if (!error || (!isLate && !(error.status && isOverloaded(error.status)))) return error;
    logFailure("An e-mail with a link was not sent.", error);
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
