import { type CookieMethodsServer, createServerClient } from "@supabase/ssr";
import { clientAddress } from "@/lib/client-address";
import { publicEnv, supabaseSecretKey } from "@/lib/env";
import { fetchWithTimeout, isAuthUnavailable } from "@/lib/supabase/with-timeout";
import type { Database } from "@/supabase/functions/_shared/database";

/** Options of every sign-in cookie: hidden from scripts, and only for HTTPS where Signet uses it. */
export function cookieOptions() {
  return { httpOnly: true, sameSite: "lax", path: "/", secure: publicEnv().siteUrl.startsWith("https:") } as const;
}

/**
 * Key and headers of a request to Auth. They include the client's address, if known, so that Auth limits the client and not
 * this server. Auth only trusts it with the secret key (Supabase: IP address forwarding). Only for Auth: without a session the
 * secret key reads everything.
 */
export function callerKey(headers: Headers): { key: string; headers: Record<string, string> } {
  const address = clientAddress(headers);
  if (address === null) return { key: publicEnv().publishableKey, headers: {} };
  return { key: supabaseSecretKey(), headers: { "Sb-Forwarded-For": address } };
}

/** The cookies of a request, and how to set those of the response. */
export type CookieJar = Required<Pick<CookieMethodsServer, "getAll" | "setAll">>;

/**
 * Supabase with the session cookies of a request. If Auth is overloaded or fails, the cookies stay: its client would end the
 * session after any unknown response to a refresh.
 */
export function createCookieClient(
  key: string,
  { getAll, setAll }: CookieJar,
  { headers, fetch: send = fetchWithTimeout }: { headers?: Record<string, string>; fetch?: typeof fetch } = {},
) {
  let isUnavailable = false;
  return createServerClient<Database>(publicEnv().supabaseUrl, key, {
    global: {
      headers,
      fetch: async (input, init) => {
        const response = await send(input, init);
        if (String(input).includes("grant_type=refresh_token")) isUnavailable = isAuthUnavailable(response.status);
        return response;
      },
    },
    db: { retry: false },
    cookieOptions: cookieOptions(),
    cookies: { getAll, setAll: (changed, cacheHeaders) => (isUnavailable ? undefined : setAll(changed, cacheHeaders)) },
  });
}
