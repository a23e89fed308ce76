import "server-only";
import { unstable_cache } from "next/cache";
import { cache } from "react";
import { count } from "@/lib/permissions/cache-counters";
import { readEpoch } from "@/lib/permissions/read-epoch";
import { permissionsTag } from "@/lib/permissions/snapshot";
import { processWide } from "@/lib/process-wide";

const lifetime = 3600; // seconds (contract 8)

const flights = processWide("permission-flights", () => new Map<string, Promise<unknown>>());

// Once a request, so that all of a page is decided by one state.
const epochOfRequest = cache(readEpoch);
// A page asks for the same snapshot in its layouts, its metadata and itself.
const readsOfRequest = cache(() => new Map<string, Promise<unknown>>());

/**
 * What `compute` gives, cached for 3600 s under `keyParts` and the tag `permissions-<user>` until the user's epoch
 * changes (contract 4.7); with `sessionId` for that session alone. Without an epoch nothing is cached. Whatever `compute`
 * throws is thrown and never stored. `name` and `keyParts` say all else that the value depends on.
 */
export async function cachedByEpoch<Value>({
  name,
  userId,
  sessionId = "",
  keyParts,
  compute,
}: {
  name: string;
  userId: string;
  sessionId?: string;
  keyParts: string[];
  compute: () => Promise<Value>;
}): Promise<Value> {
  const epoch = await epochOfRequest(userId);
  if (epoch === null) {
    count("bypass");
    return compute();
  }

  const key = JSON.stringify([name, keyParts, epoch, sessionId]);
  const reads = readsOfRequest();
  const reading =
    (reads.get(key) as Promise<Value> | undefined) ??
    readEntry({ name, userId, sessionId, keyParts, epoch, key, compute });
  reads.set(key, reading);
  return reading;
}

async function readEntry<Value>({
  name,
  userId,
  sessionId,
  keyParts,
  epoch,
  key,
  compute,
}: {
  name: string;
  userId: string;
  sessionId: string;
  keyParts: string[];
  epoch: string;
  key: string;
  compute: () => Promise<Value>;
}): Promise<Value> {
  let computed = false;
  // The epoch and the session are arguments: arguments join the key, and the key parts stay as the contract has them.
  const computeEntry = async (_epoch: string, _sessionId: string) => {
    computed = true;
    const beganAt = Date.now();
    return { beganAt, value: await compute() };
  };
  // The text of the function joins the key too, and is not the same in the bundles of pages and of routes.
  computeEntry.toString = () => name;

  const read = unstable_cache(computeEntry, keyParts, { revalidate: lifetime, tags: [permissionsTag(userId)] });
  const entry = await singleFlight(key, () => read(epoch, sessionId));
  if (Date.now() - entry.beganAt < lifetime * 1000) {
    count(computed ? "miss" : "hit");
    return entry.value;
  }
  // An entry past its lifetime is served once more while it is computed behind: an old "yes".
  count("recompute");
  return singleFlight(`${key} recompute`, compute);
}

// A result stays a moment longer than its flight: Next stores it in the cache only after it has been answered.
function singleFlight<Value>(key: string, run: () => Promise<Value>): Promise<Value> {
  const underway = flights.get(key) as Promise<Value> | undefined;
  if (underway !== undefined) return underway;
  const flight = run();
  flights.set(key, flight);
  const land = () => flights.delete(key);
  flight.then(() => setTimeout(land, 1_000).unref(), land);
  return flight;
}
