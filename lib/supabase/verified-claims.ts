import type { SupabaseClient } from "@supabase/supabase-js";
import { processWide } from "@/lib/process-wide";
import { isOverloaded } from "@/lib/supabase/within";

const flights = processWide("verified-claims", () => new Map<string, Promise<unknown>>());

/**
 * The claims of a valid access token, or null. Throws when Auth cannot be asked. Simultaneous requests with one token share a
 * single check, so that one person can't keep Auth busy.
 */
export function verifiedClaims(supabase: SupabaseClient, accessToken: string): Promise<unknown> {
  const underway = flights.get(accessToken);
  if (underway !== undefined) return underway;
  const flight = verify(supabase, accessToken).finally(() => flights.delete(accessToken));
  flights.set(accessToken, flight);
  return flight;
}

async function verify(supabase: SupabaseClient, accessToken: string): Promise<unknown> {
  const result = await supabase.auth.getClaims(accessToken).catch(() => null); // it throws for an unknown `alg`
  if (result === null) return null;
  const { data, error } = result;
  if (error && isOverloaded(error.status)) throw error;
  return data?.claims ?? null;
}
