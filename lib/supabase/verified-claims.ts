import type { SupabaseClient } from "@supabase/supabase-js";
import { isOverloaded } from "@/lib/supabase/is-overloaded";

/**
 * The claims of an access token whose signature holds, or null for a token that is not valid. Throws when Auth cannot be
 * asked.
 */
export async function verifiedClaims(supabase: SupabaseClient, accessToken: string): Promise<unknown> {
  const result = await supabase.auth.getClaims(accessToken).catch(() => null); // thrown for an `alg` that nobody uses
  if (result === null) return null;
  const { data, error } = result;
  if (error && isOverloaded(error.status)) throw error;
  return data?.claims ?? null;
}
