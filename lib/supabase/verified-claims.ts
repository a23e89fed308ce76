import type { SupabaseClient } from "@supabase/supabase-js";
import { processWide } from "@/lib/process-wide";
import { isOverloaded } from "@/lib/supabase/within";

const flights = processWide("verified-claims", () => new Map<string, Promise<unknown>>());

/**
 * The claims of an access token whose signature holds, or null for a token that is not valid. Throws when Auth cannot be
 * asked. Requests with one token that come at once share the question: many of one person must not keep Auth from others.
 */
export function verifiedClaims(supabase: SupabaseClient, accessToken: string): Promise<unknown> {
  const underway = flights.get(accessToken);
  if (underway !== undefined) return underway;
  const flight = verify(supabase, accessToken).finally(() => flights.delete(accessToken));
  flights.set(accessToken, flight);
  return flight;
}

async function verify(supabase: SupabaseClient, accessToken: string): Promise<unknown> {
  const result = await supabase.auth.getClaims(accessToken).catch(() => null); // thrown for an `alg` that nobody uses
  if (result === null) return null;
  const { data, error } = result;
  if (error && isOverloaded(error.status)) throw error;
  return data?.claims ?? null;
}
