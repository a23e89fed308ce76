import { isProduction, publicEnv } from "@/lib/env";

/** Ends the process of a production server whose settings are missing or wrong, with which they are, and code 1. */
export function requireSettings(): void {
  if (!isProduction()) return;
  try {
    publicEnv();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
