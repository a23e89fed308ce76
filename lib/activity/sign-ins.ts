import "server-only";
import { headers } from "next/headers";
import { recordSignInFrom } from "@/lib/activity/reads";
import { describeDevice } from "@/lib/auth/device";
import { getSignIn, type Session } from "@/lib/auth/get-session";
import { recordDevice } from "@/lib/auth/sessions";

/**
 * Records a sign-in of this browser for the person and their teams, once it needs no code any more. `completed` is a session
 * whose code was just entered. Never fails.
 */
export async function recordSignIn(completed?: Session): Promise<void> {
  const signIn = completed ? null : await getSignIn().catch(() => null);
  const session = completed ?? (signIn && !signIn.needsCode ? signIn.session : null);
  if (!session) return;
  const device = describeDevice((await headers()).get("user-agent") ?? "");
  recordSignInFrom(session.userId, device);
  recordDevice(session, device);
}
