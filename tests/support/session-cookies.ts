import { cookieHeader, sessionCookies as signIn } from "../../scripts/local-stack/session-cookies.ts";
import { publishableKey, supabaseUrl } from "./demo.ts";

/** The session cookies of a demo person on the running stack. */
export function sessionCookies(email: string) {
  return signIn({ supabaseUrl, publishableKey, email });
}

/** The same as the header of a request, by the first part of her address; empty for nobody. */
export async function cookieOf(name: string | null) {
  return name ? cookieHeader(await sessionCookies(`${name}@demo.test`)) : "";
}
