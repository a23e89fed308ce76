import "server-only";
import { createClient } from "@supabase/supabase-js";
import { cookies, headers } from "next/headers";
import { publicEnv } from "@/lib/env";
import { type CookieJar, callerKey, createCookieClient } from "@/lib/supabase/cookie-client";
import type { Database } from "@/supabase/functions/_shared/database";

/** How long signing in and out waits for Auth. */
export const authTimeoutMs = 8_000;

/** Auth as the signed-in person; the database grants people nothing. One per request. */
export async function createSessionClient() {
  // Cookies first: they make the page dynamic before a build, which has no environment, looks for variables.
  const store = await cookies();
  return createCookieClient(publicEnv().publishableKey, cookieJar(store, { removes: false }));
}

/**
 * Auth for signing in and out, with the session cookies and the client's address. Each request ends after `authTimeoutMs`,
 * with an error that has no status.
 */
export async function createAuthClient() {
  const store = await cookies();
  const { key, request } = await authCaller();
  return createCookieClient(key, cookieJar(store), request).auth;
}

/**
 * Auth with the client's address and without a session. Signing in leaves no cookies. Without a PKCE verifier, links that Auth
 * sends work in every browser.
 */
export async function createSessionlessAuthClient() {
  const { key, request } = await authCaller();
  const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
  return createClient<Database>(publicEnv().supabaseUrl, key, { auth, global: request }).auth;
}

async function authCaller() {
  const { key, headers: callerHeaders } = callerKey(await headers());
  const fetchAuth: typeof fetch = (input, init) =>
    fetch(input, { ...init, signal: AbortSignal.timeout(authTimeoutMs) });
  return { key, request: { headers: callerHeaders, fetch: fetchAuth } };
}

function cookieJar(store: Awaited<ReturnType<typeof cookies>>, { removes = true } = {}): CookieJar {
  return {
    getAll: () => store.getAll(),
    setAll: (changed) => {
      try {
        // An action that removes cookies renders its page again, which redirects to the sign-in page and loses what was typed.
        // Removals next to cookies that are set are chunks of the previous session.
        const applied = removes || changed.some(({ value }) => value !== "") ? changed : [];
        for (const { name, value, options } of applied) store.set(name, value, options);
      } catch {
        // A page can't set cookies; the middleware has already refreshed them.
      }
    },
  };
}
