import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { pathHeader } from "@/lib/supabase/middleware";

const thrown = new WeakSet<object>();

/** Sends to the sign-in page, with the way back. */
export async function redirectToLogin(): Promise<never> {
  const path = (await headers()).get(pathHeader);
  try {
    redirect(path && path !== "/" ? `/login?next=${encodeURIComponent(path)}` : "/login");
  } catch (error) {
    if (error instanceof Error) thrown.add(error);
    throw error;
  }
}

/** Whether what was thrown sends to the sign-in page: the session has ended. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof Error && thrown.has(error);
}
