import "server-only";
import { headers } from "next/headers";
import { recordSignInFrom } from "@/lib/activity/reads";
import { getSignIn, type Session } from "@/lib/auth/get-session";
import { recordDevice } from "@/lib/auth/sessions";

/**
 * Records a completed sign-in of this browser for the person and their teams; half a sign-in isn't one. `completed` is a
 * session whose code was just entered. Never fails.
 */
export async function recordSignIn(completed?: Session): Promise<void> {
  const signIn = completed ? null : await getSignIn().catch(() => null);
  const session = completed ?? (signIn && !signIn.isHalf ? signIn.session : null);
  if (!session) return;
  const device = deviceOf((await headers()).get("user-agent") ?? "");
  recordSignInFrom(session.userId, device);
  recordDevice(session, device);
}

const browsers = { "Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome", "Safari/": "Safari" };
const systems = {
  ...{ iPhone: "iPhone", iPad: "iPad", Android: "Android", Windows: "Windows", "Mac OS X": "Mac", CrOS: "ChromeOS" },
  Linux: "Linux",
};

/** A device in words, by its user agent: `Chrome on Windows`. */
export function deviceOf(userAgent: string): string {
  const nameIn = (names: Record<string, string>) =>
    Object.entries(names).find(([part]) => userAgent.includes(part))?.[1] ?? null;
  const [browser, system] = [nameIn(browsers), nameIn(systems)];
  if (browser && system) return `${browser} on ${system}`;
  return browser ?? system ?? "an unknown device";
}
