import { type NextRequest, NextResponse } from "next/server";
import { type CookieJar, callerKey, createCookieClient } from "@/lib/supabase/cookie-client";
import { withTimeout } from "@/lib/supabase/with-timeout";

/** Request header with the page's own path, to return to after sign-in. */
export const pathHeader = "x-signet-path";

/**
 * Refreshes a session that is about to expire, and returns the response to continue with. The browser and the page's request
 * get the new cookies; the request also gets `extraHeaders`. `cookieHeader` has all cookies after the refresh. `hasSession`
 * trusts the cookie, so it must not decide anything.
 */
export async function refreshSession(request: NextRequest, extraHeaders: Record<string, string> = {}) {
  const caller = callerKey(request.headers);
  const path = request.nextUrl.pathname + request.nextUrl.search;
  const next = () => {
    const headers = new Headers(request.headers);
    for (const [name, value] of Object.entries({ ...extraHeaders, [pathHeader]: path })) headers.set(name, value);
    return NextResponse.next({ request: { headers } });
  };
  let response = next();
  const jar: CookieJar = {
    getAll: () => request.cookies.getAll(),
    setAll: (changed, cacheHeaders) => {
      for (const { name, value } of changed) request.cookies.set(name, value);
      response = next();
      for (const { name, value, options } of changed) response.cookies.set(name, value, options);
      for (const [name, value] of Object.entries(cacheHeaders)) response.headers.set(name, value);
    },
  };
  const supabase = createCookieClient(caller.key, jar, caller);
  // If Auth is unreachable, the request continues unchanged; the page shows the error.
  const stored = await withTimeout(3_000, supabase.auth.getSession()).catch(() => null);
  return { response, hasSession: Boolean(stored?.data.session), cookieHeader: request.cookies.toString() };
}
