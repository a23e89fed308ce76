import { type NextRequest, NextResponse } from "next/server";
import { type CookieJar, callerKey, createCookieClient } from "@/lib/supabase/cookie-client";
import { within } from "@/lib/supabase/within";

/** Request header in which the middleware tells pages their own path, for the way back after sign-in. */
export const pathHeader = "x-signet-path";

/**
 * Refreshes the session where it is about to expire, and gives the response to go on with: the new cookies are in it
 * for the browser, and in the request for the page, which gets the headers of `told` too. `cookieHeader` holds all cookies
 * as they are after the refresh. `hasSession` believes the cookie: nothing may be decided by it.
 */
export async function refreshSession(request: NextRequest, told: Record<string, string> = {}) {
  const caller = callerKey(request.headers);
  const path = request.nextUrl.pathname + request.nextUrl.search;
  const next = () => {
    const headers = new Headers(request.headers);
    for (const [name, value] of Object.entries({ ...told, [pathHeader]: path })) headers.set(name, value);
    return NextResponse.next({ request: { headers } });
  };
  let response = next();
  const jar: CookieJar = {
    getAll: () => request.cookies.getAll(),
    setAll: (changed, noStore) => {
      for (const { name, value } of changed) request.cookies.set(name, value);
      response = next();
      for (const { name, value, options } of changed) response.cookies.set(name, value, options);
      for (const [name, value] of Object.entries(noStore)) response.headers.set(name, value);
    },
  };
  const supabase = createCookieClient(caller.key, jar, caller);
  // While Auth is away the request goes on as it came; the page says so.
  const stored = await within(3_000, supabase.auth.getSession()).catch(() => null);
  return { response, hasSession: Boolean(stored?.data.session), cookieHeader: request.cookies.toString() };
}
