import { createClient } from "npm:@supabase/supabase-js@2.119.0";

const options = { auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false } };

/** Supabase as the caller: her token, her rights. */
export function userClient(token: string) {
  const headers = { Authorization: `Bearer ${token}` };
  return createClient(url(), key("PUBLISHABLE", "ANON"), { ...options, global: { headers } });
}

/** Supabase past every policy. Verify the caller first. */
export function adminClient() {
  return createClient(url(), key("SECRET", "SERVICE_ROLE"), options);
}

function url() {
  return required("SUPABASE_URL");
}

// The platform gives keys as a JSON dictionary, older projects give the legacy ones.
function key(kind: "PUBLISHABLE" | "SECRET", legacy: "ANON" | "SERVICE_ROLE") {
  const dictionary = Deno.env.get(`SUPABASE_${kind}_KEYS`);
  if (!dictionary) return required(`SUPABASE_${legacy}_KEY`);
  const keys: Record<string, string> = JSON.parse(dictionary);
  const first = keys.default ?? Object.values(keys)[0];
  if (first === undefined) throw new Error(`SUPABASE_${kind}_KEYS holds no key.`);
  return first;
}

function required(name: string) {
  const value = Deno.env.get(name);
  if (!value) throw new Error(`${name} is not set.`);
  return value;
}
