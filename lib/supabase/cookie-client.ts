import { type CookieMethodsServer, createServerClient } from "@supabase/ssr";
import { clientAddress } from "@/lib/client-address";
import { publicEnv, supabaseSecretKey } from "@/lib/env";
import { fetchInTime, isOverloaded } from "@/lib/supabase/within";
import type { Database } from "@/supabase/functions/_shared/database";

/** How every cookie of a sign-in is set: out of the reach of scripts, and for HTTPS alone where people reach Signet by it. */
export function cookieOptions() {
  return { httpOnly: true, sameSite: "lax", path: "/", secure: publicEnv().siteUrl.startsWith("https:") } as const;
}

/**
 * The key and the headers that a request to Auth carries. Where the client's address is known they tell it, so that Auth
 * limits the client and not this server; Auth believes that of the secret key alone (Supabase: IP address forwarding).
 * For Auth and nothing else: without a session the secret key reads everything.
 */
export function callerKey(headers: Headers): { key: string; headers: Record<string, string> } {
  const address = clientAddress(headers);
  if (address === null) return { key: publicEnv().publishableKey, headers: {} };
  return { key: supabaseSecretKey(), headers: { "Sb-Forwarded-For": address } };
}

/** The cookies of a request, and how an answer sets others. */
export type CookieJar = Required<Pick<CookieMethodsServer, "getAll" | "setAll">>;

/**
 * Supabase on the session cookies of a request. An Auth that is overloaded or fails says nothing of the session: its
 * client would end it over any answer to a refresh that it does not know, and the cookies stay as they are then.
 */
export function createCookieClient(
  key: string,
  { getAll, setAll }: CookieJar,
  { headers, fetch: ask = fetchInTime }: { headers?: Record<string, string>; fetch?: typeof fetch } = {},
) {
  let overloaded = false;
  return createServerClient<Database>(publicEnv().supabaseUrl, key, {
    global: {
      headers,
      fetch: async (input, init) => {
        const response = await ask(input, init);
        if (String(input).includes("grant_type=refresh_token")) overloaded = isOverloaded(response.status);
        return response;
      },
    },
    db: { retry: false },
    cookieOptions: cookieOptions(),
    cookies: { getAll, setAll: (changed, noStore) => (overloaded ? undefined : setAll(changed, noStore)) },
  });
}
