import { createIncrementalCache } from "next/dist/export/helpers/create-incremental-cache.js";

/**
 * Next.js's own cache, new and in memory, for what of the application runs in this process. The test imports
 * next/dist/server/node-environment-baseline.js first.
 */
export function startNextCache() {
  return createIncrementalCache({ dir: "/", distDir: "/", cacheMaxMemorySize: 50 * 1024 * 1024, flushToDisk: false });
}
