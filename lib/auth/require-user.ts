import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { getSession, type Session } from "@/lib/auth/get-session";
import { pathHeader } from "@/lib/supabase/middleware";

/** The signed-in user; everyone else is sent to sign in, and comes back to where she was. */
export async function requireUser(): Promise<Session> {
  const session = await getSession();
  if (session) return session;
  return redirectToLogin();
}

/** Sends to the sign-in page, with the way back. */
export async function redirectToLogin(): Promise<never> {
  const path = (await headers()).get(pathHeader);
  redirect(path && path !== "/" ? `/login?next=${encodeURIComponent(path)}` : "/login");
}
