import { freePort } from "../scripts/local-stack/ports.ts";

/**
 * A free port near this one that no parallel test file tries, because a port is free until someone listens. Its last two
 * digits belong to one user, and it is below 32,768, where Linux begins to give ports to connections.
 */
export const ownPort = (preferred: number) => freePort(preferred + 100 * Number(process.env.VITEST_POOL_ID));
