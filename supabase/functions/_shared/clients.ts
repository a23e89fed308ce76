import { createClient } from "npm:@supabase/supabase-js@2.119.0";
import { z } from "npm:zod@4.6.7";
import type { Database } from "./database.ts";

/** Supabase as the caller, with their token and privileges. */
export function userClient(token: string, timeoutMs: number) {
  return clientWith(publishableKey(), { timeoutMs, headers: { Authorization: `Bearer ${token}` } });
}

/** Supabase without a session, for signing in. */
export function anonymousClient() {
  return clientWith(publishableKey());
}

/** Supabase with the secret key. Verify the caller first. */
export function adminClient(timeoutMs = 4_000) {
  return clientWith(secretKey(), { timeoutMs });
}

/** Auth for sending emails: slow, because it waits for the mail server. The secret key needs no captcha. */
export function mailClient() {
  return clientWith(secretKey(), { timeoutMs: 60_000 });
}

// Callers allow 10 s for a search with two calls, so each call gets 4 s.
function clientWith(key: string, { timeoutMs = 4_000, headers = {} }: Options = {}) {
  const fetchWithTimeout: typeof fetch = (input, init) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    return fetch(input, { ...init, signal: init?.signal ? AbortSignal.any([init.signal, timeout]) : timeout });
  };
  return createClient<Database>(requireEnv("SUPABASE_URL"), key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    global: { fetch: fetchWithTimeout, headers },
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
  return readApiKeys("SECRET", "SERVICE_ROLE");
}

/** The secret key to authenticate with and to derive other keys from. */
export function secretKey() {
  return firstKey(secretKeys());
}

function publishableKey() {
  return firstKey(readApiKeys("PUBLISHABLE", "ANON"));
}

// The platform gives keys as a JSON dictionary; older projects have one legacy key of each kind.
function readApiKeys(kind: "PUBLISHABLE" | "SECRET", legacy: "ANON" | "SERVICE_ROLE"): string[] {
  const dictionary = Deno.env.get(`SUPABASE_${kind}_KEYS`);
  if (!dictionary) return [requireEnv(`SUPABASE_${legacy}_KEY`)];
  const keysByName = z.record(z.string(), z.string()).parse(JSON.parse(dictionary));
  return keysByName.default === undefined
    ? Object.values(keysByName)
    : [keysByName.default, ...Object.values(keysByName)];
}

function firstKey([key]: string[]) {
  if (key === undefined) throw new Error("The project has no API key.");
  return key;
}

function requireEnv(name: string) {
  const value = Deno.env.get(name);
  if (!value) throw new Error(`${name} is not set.`);
  return value;
}
