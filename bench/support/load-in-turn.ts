import { Agent, request } from "node:http";
import type { Redis } from "ioredis";
import { median, quantile } from "../../harness/measure.ts";
import type { App } from "../../harness/started-app.ts";

/** A request to measure. With `app`, the CPU time of that application is measured too. */
type Variant = { name: string; app?: App; run: () => Promise<unknown> };

const maxDurationMs = 90_000;

/**
 * Sends requests for each variant in turn, some at once, so that other load on the machine affects all of them, and prints the
 * results. Returns each round's requests per second and ms of CPU per request.
 */
export async function loadInTurn(
  title: string,
  variants: Variant[],
  {
    rounds,
    requests,
    atOnce,
    before,
  }: { rounds: number; requests: number; atOnce: number; before?: () => Promise<void> },
): Promise<(name: string) => { rates: number[]; cpuMs: number[] }> {
  const measured = variants.map((variant) => ({
    ...variant,
    rates: [] as number[],
    cpuMs: [] as number[],
    durationsMs: [] as number[],
  }));
  const endsAt = performance.now() + maxDurationMs;
  // The first round is a warm-up: it compiles code and fills caches.
  for (let round = -1; round < rounds && performance.now() < endsAt; round++) {
    for (const { app, run, rates, cpuMs, durationsMs } of round % 2 === 0 ? measured : measured.toReversed()) {
      await before?.();
      const cpuBeforeMs = (await app?.cpuTimeMs()) ?? 0;
      const startedAt = performance.now();
      const roundDurationsMs = await measureDurations(run, requests, atOnce);
      if (round < 0) continue;
      rates.push((requests / (performance.now() - startedAt)) * 1000);
      cpuMs.push((((await app?.cpuTimeMs()) ?? 0) - cpuBeforeMs) / requests);
      durationsMs.push(...roundDurationsMs);
    }
  }

  console.log(
    `\n${title}, ${atOnce} at once (medians of ${measured[0]?.rates.length} interleaved rounds of ${requests})`,
  );
  for (const { name, app, rates, cpuMs, durationsMs } of measured) {
    const shown = [median(rates), median(durationsMs), quantile(durationsMs, 0.95)].map((value) =>
      value.toFixed(1).padStart(8),
    );
    const cpuText = app ? `, ${median(cpuMs).toFixed(2)} ms of CPU each` : "";
    console.log(`  ${name.padEnd(40)}${shown[0]} requests/s   median${shown[1]} ms, p95${shown[2]} ms${cpuText}`);
  }
  return (name) => {
    const found = measured.find((variant) => variant.name === name);
    if (!found) throw new Error(`There is no way "${name}".`);
    return found;
  };
}

async function measureDurations(run: () => Promise<unknown>, requests: number, atOnce: number) {
  const durationsMs: number[] = [];
  let remaining = requests;
  const client = async () => {
    while (remaining-- > 0) {
      const startedAt = performance.now();
      await run();
      durationsMs.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return durationsMs;
}

// Closes connections after this idle time. Servers close them after 5 s, possibly during a request.
const agent = new Agent({ keepAlive: true, timeout: 2_000 });

/** Sends a request with JSON over reused connections. `fetch` would take more CPU of the measured machine. */
export function send(
  url: string,
  { method = "POST", headers = {}, json }: { method?: string; headers?: Record<string, string>; json?: unknown },
): Promise<{ status: number | undefined; text: string }> {
  const body = json === undefined ? undefined : JSON.stringify(json);
  const bodyHeaders = body && { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((done, fail) => {
    const outgoing = request(url, { method, agent, headers: { ...headers, ...bodyHeaders } }, async (response) => {
      const text = Buffer.concat(await response.toArray()).toString();
      done({ status: response.statusCode, text });
    });
    outgoing.once("error", fail);
    outgoing.end(body);
  });
}

/** Resets everyone's rate limits, because benchmarks exceed them. */
export async function forgetLimits(redis: Redis): Promise<void> {
  const counts = await redis.keys("rate:*");
  if (counts.length > 0) await redis.del(counts);
}
