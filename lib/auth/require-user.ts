import "server-only";
import { getLiveSession, getSession, type Session } from "@/lib/auth/get-session";
import { redirectToLogin } from "@/lib/auth/redirect-to-login";

/** The signed-in user; everyone else is redirected to sign in, and comes back here. */
export async function requireUser(): Promise<Session> {
  return (await getSession()) ?? redirectToLogin();
}

/** The user of a session that Auth confirms, for changes. Otherwise redirects to the login. Throws AppError `unavailable`. */
export async function requireLiveUser(): Promise<Session> {
  return (await getLiveSession()) ?? redirectToLogin();
}
