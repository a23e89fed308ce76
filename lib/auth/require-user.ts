import "server-only";
import { getSession, type Session } from "@/lib/auth/get-session";
import { redirectToLogin } from "@/lib/auth/redirect-to-login";

/** The signed-in user; everyone else is sent to sign in, and comes back to where she was. */
export async function requireUser(): Promise<Session> {
  const session = await getSession();
  if (session) return session;
  return redirectToLogin();
}
