import "server-only";
import { cookies, headers } from "next/headers";
import { publicEnv } from "@/lib/env";
import { callerKey } from "@/lib/supabase/caller-key";
import { type CookieJar, createCookieClient } from "@/lib/supabase/cookie-client";

/** ms that somebody who signs in or out waits for Auth. */
export const authPatience = 8_000;

/** Supabase as the person of the session cookies: her rights, her row-level security. One for each request. */
export async function createSessionClient() {
  // Cookies first: a build, which has no environment yet, learns by them that the page is not static.
  const store = await cookies();
  return sessionClient(store, publicEnv().publishableKey);
}

/**
 * Auth for signing in and out, on the session cookies, told whose request it is. Each of its requests ends after
 * `authPatience`, with an error that has no status.
 */
export async function createAuthClient() {
  const store = await cookies();
  const caller = callerKey(await headers());
  const { auth } = sessionClient(store, caller.key, {
    headers: caller.headers,
    fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(authPatience) }),
  });
  return auth;
}

function sessionClient(
  store: Awaited<ReturnType<typeof cookies>>,
  key: string,
  request?: Parameters<typeof createCookieClient>[2],
) {
  const jar: CookieJar = {
    getAll: () => store.getAll(),
    setAll: (changed) => {
      try {
        for (const { name, value, options } of changed) store.set(name, value, options);
      } catch {
        // A page cannot set cookies; the middleware has refreshed them already.
      }
    },
  };
  return createCookieClient(key, jar, request);
}
