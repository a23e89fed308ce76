import { freePort } from "../scripts/local-stack/ports.ts";

/**
 * A free port near `preferred` that no parallel test file tries. Each caller needs its own last two digits, below 32,768:
 * above that, Linux assigns ports to connections.
 */
export const ownPort = (preferred: number) => freePort(preferred + 100 * Number(process.env.VITEST_POOL_ID));
