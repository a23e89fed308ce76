import { isProduction, publicEnv, untoldProxies } from "@/lib/env";
import { logEvent } from "@/lib/log-event";

/**
 * Ends the process of a production server whose settings are missing or wrong, with which they are, and code 1. Logs that
 * nobody has said how many proxies are in front of it.
 */
export function requireSettings(): void {
  if (!isProduction()) return;
  try {
    publicEnv();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
  const message = untoldProxies();
  if (message !== null) logEvent("setting-missing", { message });
}
