import "server-only";
import { unstable_cache } from "next/cache";
import { cache } from "react";
import { readEpoch } from "@/lib/permissions/read-epoch";
import { permissionsTag, snapshotMaxAgeSeconds } from "@/lib/permissions/snapshot";
import { processWide } from "@/lib/process-wide";

/**
 * Counts of reads in this process: `hit` is from the cache, `bypass` computed without it, `recompute` computed again because of
 * its age.
 */
export const cacheCounters = processWide("permission-counters", () => ({ hit: 0, miss: 0, bypass: 0, recompute: 0 }));

const inFlight = processWide("permission-flights", () => new Map<string, Promise<unknown>>());

// Once per request, so that one state decides all of a page.
const epochOfRequest = cache(readEpoch);
// A page reads the same snapshot in its layouts and metadata.
const readsOfRequest = cache(() => new Map<string, Promise<unknown>>());

/**
 * What `compute` returns, cached for 3600 s or until the user's epoch changes (contract 4.7). The key is `keyParts`, the tag
 * `permissions-<user>`. With `sessionId`, it is cached only for that session. Without an epoch nothing is cached, and an error
 * never is. `name` and `keyParts` must name everything else the value depends on.
 */
export async function cachedByEpoch<Value>(read: {
  name: string;
  userId: string;
  sessionId?: string;
  keyParts: string[];
  compute: () => Promise<Value>;
}): Promise<Value> {
  const epoch = await epochOfRequest(read.userId);
  if (epoch === null) {
    cacheCounters.bypass += 1;
    return read.compute();
  }
  const key = JSON.stringify([read.name, read.keyParts, epoch, read.sessionId ?? ""]);
  const reads = readsOfRequest();
  const reading = (reads.get(key) as Promise<Value> | undefined) ?? readEntry({ ...read, epoch, key });
  reads.set(key, reading);
  return reading;
}

type Read<Value> = Parameters<typeof cachedByEpoch<Value>>[0] & { epoch: string; key: string };

async function readEntry<Value>({ name, userId, sessionId = "", keyParts, epoch, key, compute }: Read<Value>) {
  let wasComputed = false;
  // Epoch and session are arguments, which are part of the key: the key parts are as in the contract.
  const computeEntry = async (_epoch: string, _sessionId: string) => {
    wasComputed = true;
    const beganAt = Date.now();
    return { beganAt, value: await compute() };
  };
  // The function's text is part of the key too, and differs between pages and routes.
  computeEntry.toString = () => name;

  const read = unstable_cache(computeEntry, keyParts, {
    revalidate: snapshotMaxAgeSeconds,
    tags: [permissionsTag(userId)],
  });
  const entry = await singleFlight(key, () => read(epoch, sessionId));
  if (Date.now() - entry.beganAt < snapshotMaxAgeSeconds * 1000) {
    cacheCounters[wasComputed ? "miss" : "hit"] += 1;
    return entry.value;
  }
  // Next.js serves an expired entry once more while it computes a new one: that could be a revoked "yes".
  cacheCounters.recompute += 1;
  return singleFlight(`${key} recompute`, compute);
}

// A result is shared for one more second, because Next.js caches it only after it was returned.
function singleFlight<Value>(key: string, run: () => Promise<Value>): Promise<Value> {
  const current = inFlight.get(key) as Promise<Value> | undefined;
  if (current !== undefined) return current;
  const flight = run();
  inFlight.set(key, flight);
  const forget = () => inFlight.delete(key);
  flight.then(() => setTimeout(forget, 1_000).unref(), forget);
  return flight;
}
