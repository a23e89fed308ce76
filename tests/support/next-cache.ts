import { createIncrementalCache } from "next/dist/export/helpers/create-incremental-cache.js";
import { workAsyncStorage } from "next/dist/server/app-render/work-async-storage.external.js";
import { workUnitAsyncStorage } from "next/dist/server/app-render/work-unit-async-storage.external.js";
import { createWorkStore } from "next/dist/server/async-storage/work-store.js";
import { patchFetch } from "next/dist/server/lib/patch-fetch.js";
import { executeRevalidates } from "next/dist/server/revalidation-utils.js";

// A test that imports this imports next/dist/server/node-environment-baseline.js before anything else of Next.js.

/** A new cache of Next.js in memory, for application code in this process. */
export function startNextCache() {
  return createIncrementalCache({ dir: "/", distDir: "/", cacheMaxMemorySize: 50 * 1024 * 1024, flushToDisk: false });
}

/**
 * Runs something as Next.js runs a route, with its `fetch` and this cache. The work after the response stores entries and
 * invalidates tags.
 */
export async function runAsRoute<Result>(
  incrementalCache: Awaited<ReturnType<typeof startNextCache>>,
  run: () => Promise<Result>,
): Promise<Result> {
  patchFetch({ workAsyncStorage, workUnitAsyncStorage });
  const store = createWorkStore({
    page: "/test/route",
    buildId: "test",
    deploymentId: "",
    previouslyRevalidatedTags: [],
    renderOpts: {
      incrementalCache,
      cacheLifeProfiles: { default: { stale: 0, revalidate: 0, expire: 0 } },
      staticPageGenerationTimeout: 60,
      cacheComponents: false,
      validationLevel: "warning",
      experimental: { authInterrupts: false, useCacheTimeout: 60, durableUseCacheEntries: false },
      waitUntil: undefined,
      onClose: () => undefined,
      onAfterTaskError: undefined,
    },
  });
  try {
    return await workAsyncStorage.run(store, run);
  } finally {
    await executeRevalidates(store);
  }
}
