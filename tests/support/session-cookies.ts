import { cookieHeader, sessionCookies as signIn } from "../../scripts/local-stack/session-cookies.ts";
import { env } from "./demo.ts";

/** The session cookies of a demo person on the running stack. */
export const sessionCookies = (email: string) => signIn(env, email);

/** The same as a request header, by address or the first part of a demo address; empty for null. */
export async function cookieOf(name: string | null) {
  return name ? cookieHeader(await sessionCookies(name.includes("@") ? name : `${name}@demo.test`)) : "";
}
