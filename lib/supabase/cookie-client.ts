import { type CookieMethodsServer, createServerClient } from "@supabase/ssr";
import { publicEnv } from "@/lib/env";
import { cookieOptions } from "@/lib/supabase/cookie-options";
import { fetchInTime } from "@/lib/supabase/fetch-in-time";
import { isOverloaded } from "@/lib/supabase/is-overloaded";
import type { Database } from "@/supabase/functions/_shared/database";

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
