import "server-only";
import { headers } from "next/headers";
import { recordSignInFrom } from "@/lib/activity/reads";
import { getSignIn } from "@/lib/auth/get-session";

/** Records a completed sign-in of this browser for the person's teams; half a sign-in isn't one. Never fails. */
export async function recordSignIn(userId?: string): Promise<void> {
  const signIn = userId === undefined ? await getSignIn().catch(() => null) : null;
  const who = userId ?? (signIn && !signIn.isHalf ? signIn.session.userId : null);
  if (who !== null) recordSignInFrom(who, deviceOf((await headers()).get("user-agent") ?? ""));
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
