import "server-only";
import { createClient } from "@supabase/supabase-js";
import { cookies, headers } from "next/headers";
import { publicEnv } from "@/lib/env";
import { type CookieJar, callerKey, createCookieClient } from "@/lib/supabase/cookie-client";
import type { Database } from "@/supabase/functions/_shared/database";

/** ms that somebody who signs in or out waits for Auth. */
export const authPatience = 8_000;

/** Auth as the person of the session cookies; the database grants people nothing. One for each request. */
export async function createSessionClient() {
  // Cookies first: a build, which has no environment yet, learns by them that the page is not static.
  const store = await cookies();
  return sessionClient(store, publicEnv().publishableKey, { removes: false });
}

/**
 * Auth for signing in and out, on the session cookies, told whose request it is. Each of its requests ends after
 * `authPatience`, with an error that has no status.
 */
export async function createAuthClient() {
  const store = await cookies();
  const { key, request } = await authCaller();
  return sessionClient(store, key, { request }).auth;
}

/**
 * The same without a session: what it signs in leaves no cookies, and the links that it has Auth send work in every browser,
 * as no verifier of PKCE lies in this one.
 */
export async function createSessionlessAuthClient() {
  const { key, request } = await authCaller();
  const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
  return createClient<Database>(publicEnv().supabaseUrl, key, { auth, global: request }).auth;
}

async function authCaller() {
  const { key, headers: told } = callerKey(await headers());
  const fetchInTime: typeof fetch = (input, init) =>
    fetch(input, { ...init, signal: AbortSignal.timeout(authPatience) });
  return { key, request: { headers: told, fetch: fetchInTime } };
}

function sessionClient(
  store: Awaited<ReturnType<typeof cookies>>,
  key: string,
  { request, removes = true }: { request?: Parameters<typeof createCookieClient>[2]; removes?: boolean },
) {
  const jar: CookieJar = {
    getAll: () => store.getAll(),
    setAll: (changed) => {
      try {
        // An action that removes cookies makes its page anew, which leads to the sign-in page: what was typed would be lost.
        // Beside cookies that are set, what is removed are chunks of the session before.
        const kept = removes || changed.some(({ value }) => value !== "") ? changed : [];
        for (const { name, value, options } of kept) store.set(name, value, options);
      } catch {
        // A page cannot set cookies; the middleware has refreshed them already.
      }
    },
  };
  return createCookieClient(key, jar, request);
}
