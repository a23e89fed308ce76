import { createClient } from "npm:@supabase/supabase-js@2.119.0";
import { z } from "npm:zod@4.6.7";
import type { Database } from "./database.ts";

// Below the timeouts of callers: 5 s for a snapshot, 10 s for a search, which makes two calls.
const patience = 4_000; // ms
const inTime: typeof fetch = (input, init) => {
  const limit = AbortSignal.timeout(patience);
  return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit });
};

const options = {
  auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
  global: { fetch: inTime },
};

/** Supabase as the caller, with their token and privileges. */
export function userClient(token: string) {
  const headers = { Authorization: `Bearer ${token}` };
  return createClient<Database>(required("SUPABASE_URL"), first(keys("PUBLISHABLE", "ANON")), {
    ...options,
    global: { ...options.global, headers },
  });
}

/** Supabase without a session, for signing in. */
export function strangerClient() {
  return createClient<Database>(required("SUPABASE_URL"), first(keys("PUBLISHABLE", "ANON")), options);
}

/** The database with the secret key. Verify the caller first. */
export function adminClient() {
  return createClient<Database>(required("SUPABASE_URL"), first(secretKeys()), options);
}

/** Auth for sending e-mails: it answers once the mail server has taken one, and asks the secret key for no captcha. */
export function mailClient() {
  return createClient<Database>(required("SUPABASE_URL"), first(secretKeys()), {
    auth: options.auth,
    global: { fetch: (input, init) => fetch(input, { ...init, signal: AbortSignal.timeout(60_000) }) },
  });
}

/** The project's secret keys. */
export function secretKeys() {
  return keys("SECRET", "SERVICE_ROLE");
}

// The platform gives keys as a JSON dictionary; older projects have one legacy key of each kind.
function keys(kind: "PUBLISHABLE" | "SECRET", legacy: "ANON" | "SERVICE_ROLE"): string[] {
  const dictionary = Deno.env.get(`SUPABASE_${kind}_KEYS`);
  if (!dictionary) return [required(`SUPABASE_${legacy}_KEY`)];
  const named = z.record(z.string(), z.string()).parse(JSON.parse(dictionary));
  return named.default === undefined ? Object.values(named) : [named.default, ...Object.values(named)];
}

function first(values: string[]) {
  const [value] = values;
  if (value === undefined) throw new Error("The project has no API key.");
  return value;
}

function required(name: string) {
  const value = Deno.env.get(name);
  if (!value) throw new Error(`${name} is not set.`);
  return value;
}
