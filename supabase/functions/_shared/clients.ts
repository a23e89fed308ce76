import { createClient } from "npm:@supabase/supabase-js@2.119.0";
import { z } from "npm:zod@4.6.7";
import type { Database } from "./database.ts";

/** Supabase as the caller, with their token and privileges. */
export function userClient(token: string) {
  return clientWith(publishableKey(), { headers: { Authorization: `Bearer ${token}` } });
}

/** Supabase without a session, for signing in. */
export function anonymousClient() {
  return clientWith(publishableKey());
}

/** The database with the secret key. Verify the caller first. */
export function adminClient() {
  return clientWith(secretKey());
}

/** Auth for sending emails. It responds once the mail server has accepted one, and needs no captcha from the secret key. */
export function mailClient() {
  return clientWith(secretKey(), { timeoutMs: 60_000 });
}

// Callers wait 5 s for a snapshot, and 10 s for a search, which makes two calls.
function clientWith(key: string, { timeoutMs = 4_000, headers = {} }: Options = {}) {
  const fetchInTime: typeof fetch = (input, init) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout });
  };
  return createClient<Database>(required("SUPABASE_URL"), key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: fetchInTime, headers },
  });
}

type Options = { timeoutMs?: number; headers?: Record<string, string> };

/** The data of a result. Throws its error. */
export function requireData<Data>({ data, error }: { data: Data; error: null } | { data: null; error: Error }): Data {
  if (error) throw error;
  return data;
}

/** The project's secret keys. */
export function secretKeys() {
  return keys("SECRET", "SERVICE_ROLE");
}

/** The secret key to send and to derive others from. */
export function secretKey() {
  return first(secretKeys());
}

function publishableKey() {
  return first(keys("PUBLISHABLE", "ANON"));
}

// The platform gives keys as a JSON dictionary; older projects have one legacy key of each kind.
function keys(kind: "PUBLISHABLE" | "SECRET", legacy: "ANON" | "SERVICE_ROLE"): string[] {
  const dictionary = Deno.env.get(`SUPABASE_${kind}_KEYS`);
  if (!dictionary) return [required(`SUPABASE_${legacy}_KEY`)];
  const named = z.record(z.string(), z.string()).parse(JSON.parse(dictionary));
  return named.default === undefined ? Object.values(named) : [named.default, ...Object.values(named)];
}

function first([value]: string[]) {
  if (value === undefined) throw new Error("The project has no API key.");
  return value;
}

function required(name: string) {
  const value = Deno.env.get(name);
  if (!value) throw new Error(`${name} is not set.`);
  return value;
}
