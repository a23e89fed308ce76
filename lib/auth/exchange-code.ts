import "server-only";
import { rememberDevice } from "@/lib/auth/device-cookie";
import { asksSecondFactor } from "@/lib/auth/second-factor";
import { logFailure } from "@/lib/log-event";
import { createAuthClient } from "@/lib/supabase/server";

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
