import { publicEnv } from "@/lib/env";

/** How every cookie of a sign-in is set: out of the reach of scripts, and for HTTPS alone where people reach Signet by it. */
export function cookieOptions() {
  return { httpOnly: true, sameSite: "lax", path: "/", secure: publicEnv().siteUrl.startsWith("https:") } as const;
}
