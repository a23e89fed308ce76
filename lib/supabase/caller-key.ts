import { clientAddress } from "@/lib/client-address";
import { publicEnv, supabaseSecretKey } from "@/lib/env";

/**
 * The key and the headers that a request to Auth carries. Where the client's address is known they tell it, so that Auth
 * limits the client and not this server; Auth believes that of the secret key alone (Supabase: IP address forwarding).
 * For Auth and nothing else: without a session the secret key reads everything.
 */
export function callerKey(headers: Headers): { key: string; headers: Record<string, string> } {
  const address = clientAddress(headers);
  if (address === null) return { key: publicEnv().publishableKey, headers: {} };
  return { key: supabaseSecretKey(), headers: { "Sb-Forwarded-For": address } };
}
