// Measures a page's guard, compared with the same application with one file replaced. There, cachedByEpoch keeps its first
// value and asks neither Redis nor the cache, so only requireUser is left of the guard.

import { ratio } from "../harness/measure.ts";
import { runBench, sized } from "../harness/run-bench.ts";
import { startedApp } from "../harness/started-app.ts";
import { cookieOf, startedStack } from "../harness/started-stack.ts";
import { buildAltered } from "./support/altered-build.ts";
import { loadInTurn, send } from "./support/load-in-turn.ts";

const withoutPermissionCache = `
import { processWide } from "@/lib/process-wide";

export const cacheCounters = { hit: 0, miss: 0, bypass: 0, recompute: 0 };

const cache = processWide("cache", () => new Map<string, Promise<unknown>>());

export function cachedByEpoch<Value>({ name, keyParts, compute }: {
  name: string;
  userId: string;
  sessionId?: string;
  keyParts: string[];
  compute: () => Promise<Value>;
}): Promise<Value> {
  const key = [name, ...keyParts].join();
  const value = (cache.get(key) as Promise<Value> | undefined) ?? compute();
  cache.set(key, value);
  return value;
}
`;

await runBench(async () => {
  const alteredFolder = await buildAltered({ "lib/permissions/cached-by-epoch.ts": withoutPermissionCache });
  const stack = await startedStack();
  const cookie = await cookieOf(stack, "canvasser@demo.test");
  const fingerprints = new Set<string | undefined>();
  const startVariant = async (name: string, folder?: string) => {
    const app = await startedApp(stack, folder);
    const run = async () => {
      const { status, text } = await send(`${app.url}/riverside/campaign/clean-water`, {
        method: "GET",
        headers: { cookie },
      });
      if (status !== 200 || !text.includes("Your permissions")) throw new Error(`The page answered ${status}.`);
      fingerprints.add(/fingerprint\\*":\\*"([\w-]+)/.exec(text)?.[1]);
    };
    return { name, app, run };
  };
  const variants = [await startVariant("guarded"), await startVariant("requireUser alone", alteredFolder)];
  const resultOf = await loadInTurn("A guarded page, warm", variants, {
    rounds: sized(24, 1),
    requests: sized(48, 8),
    atOnce: 8,
  });
  if (fingerprints.size !== 1 || fingerprints.has(undefined)) throw new Error("The two builds show different pages.");
  const [guarded, bare] = [resultOf("guarded"), resultOf("requireUser alone")];
  console.log(`  ratio of requests/s ${ratio(guarded.rates, bare.rates).toFixed(2)}   expected: at least 0.9`);
  console.log(
    `  ratio by CPU time, which a busy machine disturbs less, ${ratio(bare.cpuMs, guarded.cpuMs).toFixed(2)}`,
  );
});
