import { freePort } from "../scripts/local-stack/ports.ts";

/** A free port near that one, where no file that runs at once looks: two would be given the same before one listens. */
export const ownPort = (preferred: number) => freePort(preferred + 100 * Number(process.env.VITEST_POOL_ID));
