import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { pathHeader } from "@/lib/supabase/middleware";

const thrown = new WeakSet<object>();

/** Redirects to the sign-in page, which leads back here. */
export async function redirectToLogin(): Promise<never> {
  const path = (await headers()).get(pathHeader);
  try {
    redirect(path && path !== "/" ? `/login?next=${encodeURIComponent(path)}` : "/login");
  } catch (error) {
    if (error instanceof Error) thrown.add(error);
    throw error;
  }
}

/** Whether a thrown redirect leads to the sign-in page: the session has ended. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof Error && thrown.has(error);
}
