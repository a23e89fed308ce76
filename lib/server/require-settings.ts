import * as env from "@/lib/env";
import { logEvent } from "@/lib/log-event";

/**
 * Ends a production server with code 1 if settings are missing or wrong, and says which. Logs if the number of proxies in
 * front of it isn't set.
 */
export function requireSettings(): void {
  if (!env.isProduction()) return;
  try {
    const { publicEnv, supabaseSecretKey, redisUrl, rateLimits, allowsNewTeams, trustedProxies } = env;
    for (const read of [publicEnv, supabaseSecretKey, redisUrl, rateLimits, allowsNewTeams, trustedProxies]) read();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
  const message = env.missingProxiesMessage();
  if (message !== null) logEvent("setting-missing", { message });
}
