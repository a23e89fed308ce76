import { sessionCookies as signIn } from "../../scripts/local-stack/session-cookies.ts";
import { publishableKey, supabaseUrl } from "./demo.ts";

/** The session cookies of a demo person on the running stack. */
export function sessionCookies(email: string) {
  return signIn({ supabaseUrl, publishableKey, email });
}
