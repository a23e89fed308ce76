import { isProduction, missingProxiesMessage, publicEnv } from "@/lib/env";
import { logEvent } from "@/lib/log-event";

/**
 * Ends a production server with code 1 if settings are missing or wrong, and says which. Logs if the number of proxies in
 * front of it isn't set.
 */
export function requireSettings(): void {
  if (!isProduction()) return;
  try {
    publicEnv();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
  const message = missingProxiesMessage();
  if (message !== null) logEvent("setting-missing", { message });
}
