import { cookieHeader, sessionCookies as signIn } from "../../scripts/local-stack/session-cookies.ts";
import { publishableKey, supabaseUrl } from "./demo.ts";

/** The session cookies of a demo person on the running stack. */
export function sessionCookies(email: string) {
  return signIn({ supabaseUrl, publishableKey, email });
}

/** The same as a request header, by address or the first part of a demo address; empty for null. */
export async function cookieOf(name: string | null) {
  return name ? cookieHeader(await sessionCookies(name.includes("@") ? name : `${name}@demo.test`)) : "";
}
