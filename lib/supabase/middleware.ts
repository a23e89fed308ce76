import { createServerClient } from "@supabase/ssr";
import { type NextRequest, NextResponse } from "next/server";
import { publicEnv } from "@/lib/env";
import { callerKey } from "@/lib/supabase/caller-key";
import { cookieOptions } from "@/lib/supabase/cookie-options";
import { within } from "@/lib/supabase/within";
import type { Database } from "@/supabase/functions/_shared/database";

/** Request header in which the middleware tells pages their own path, for the way back after sign-in. */
export const pathHeader = "x-signet-path";

/**
 * Refreshes the session where it is about to expire, and gives the response to go on with: the new cookies are in it
 * for the browser, and in the request for the page. `cookieHeader` holds all cookies as they are after the refresh.
 * `hasSession` believes the cookie: nothing may be decided by it.
 */
export async function refreshSession(request: NextRequest) {
  const caller = callerKey(request.headers);
  const path = request.nextUrl.pathname + request.nextUrl.search;
  const next = () => {
    const headers = new Headers(request.headers);
    headers.set(pathHeader, path);
    return NextResponse.next({ request: { headers } });
  };
  let response = next();
  const supabase = createServerClient<Database>(publicEnv().supabaseUrl, caller.key, {
    global: { headers: caller.headers },
    cookieOptions: cookieOptions(),
    cookies: {
      getAll: () => request.cookies.getAll(),
      setAll: (changed, noStore) => {
        for (const { name, value } of changed) request.cookies.set(name, value);
        response = next();
        for (const { name, value, options } of changed) response.cookies.set(name, value, options);
        for (const [name, value] of Object.entries(noStore)) response.headers.set(name, value);
      },
    },
  });
  // While Auth is away the request goes on as it came; the page says so.
  const stored = await within(3_000, supabase.auth.getSession()).catch(() => null);
  return { response, hasSession: Boolean(stored?.data.session), cookieHeader: request.cookies.toString() };
}
