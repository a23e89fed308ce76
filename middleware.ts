import { type NextRequest, NextResponse } from "next/server";
import { publicEnv } from "@/lib/env";
import { isReadableForm } from "@/lib/forms/is-readable-form";
import { isHardReload } from "@/lib/permissions/is-hard-reload";
import { refreshSession } from "@/lib/supabase/middleware";

// Refreshes the session, and drops the cached snapshot when a person reloads the page. It decides nothing: every page,
// action and route asks for itself.
export async function middleware(request: NextRequest) {
  if (!(await isReadableForm(request))) {
    const error = "This form could not be read. Reload the page and send it again.";
    return new NextResponse(error, { status: 400, headers: { "Content-Type": "text/plain; charset=utf-8" } });
  }
  const { response, hasSession, cookieHeader } = await refreshSession(request);
  if (hasSession && isHardReload(request)) await revalidatePermissions(cookieHeader);
  return response;
}

// To the configured origin: the Host header belongs to the client. A failure leaves the snapshot as it was.
async function revalidatePermissions(cookieHeader: string) {
  try {
    await fetch(`${publicEnv().siteUrl}/api/permissions/revalidate`, {
      method: "POST",
      headers: { cookie: cookieHeader },
      redirect: "manual",
      signal: AbortSignal.timeout(2_000),
    });
  } catch {
    console.warn(JSON.stringify({ event: "reload-revalidation-failed" }));
  }
}

export const config = {
  matcher: ["/((?!_next/static/|_next/image|favicon\\.ico$|icon\\.svg$).*)"],
};
