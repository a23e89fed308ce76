import { Agent, request } from "node:http";
import type { Redis } from "ioredis";
import { median, quantile } from "../../harness/numbers.ts";
import type { App } from "../../harness/started-app.ts";

/** A request to measure, and the application that handles it, if its CPU time should be measured. */
type Way = { name: string; app?: App; run: () => Promise<unknown> };

const maxDurationMs = 90_000;

/**
 * Sends requests for each way in turn, some at once, so that other load on the machine affects all of them, and prints the
 * results. Returns each round's requests per second and ms of CPU per request.
 */
export async function loadInTurn(
  what: string,
  ways: Way[],
  {
    rounds,
    requests,
    atOnce,
    before,
  }: { rounds: number; requests: number; atOnce: number; before?: () => Promise<void> },
): Promise<(name: string) => { rates: number[]; cpu: number[] }> {
  const measured = ways.map((way) => ({ ...way, rates: [] as number[], cpu: [] as number[], times: [] as number[] }));
  const endsAt = performance.now() + maxDurationMs;
  // The first round is a warm-up: it compiles code and fills caches.
  for (let round = -1; round < rounds && performance.now() < endsAt; round++) {
    for (const { app, run, rates, cpu, times } of round % 2 === 0 ? measured : measured.toReversed()) {
      await before?.();
      const cpuBefore = (await app?.cpuTime()) ?? 0;
      const beganAt = performance.now();
      const taken = await timesOf(run, requests, atOnce);
      if (round < 0) continue;
      rates.push((requests / (performance.now() - beganAt)) * 1000);
      cpu.push((((await app?.cpuTime()) ?? 0) - cpuBefore) / requests);
      times.push(...taken);
    }
  }

  console.log(
    `\n${what}, ${atOnce} at once (medians of ${measured[0]?.rates.length} interleaved rounds of ${requests})`,
  );
  for (const { name, app, rates, cpu, times } of measured) {
    const shown = [median(rates), median(times), quantile(times, 0.95)].map((value) => value.toFixed(1).padStart(8));
    const ofCpu = app ? `, ${median(cpu).toFixed(2)} ms of CPU each` : "";
    console.log(`  ${name.padEnd(40)}${shown[0]} requests/s   median${shown[1]} ms, p95${shown[2]} ms${ofCpu}`);
  }
  return (name) => {
    const found = measured.find((way) => way.name === name);
    if (!found) throw new Error(`There is no way "${name}".`);
    return found;
  };
}

async function timesOf(run: () => Promise<unknown>, requests: number, atOnce: number) {
  const times: number[] = [];
  let left = requests;
  const client = async () => {
    while (left-- > 0) {
      const beganAt = performance.now();
      await run();
      times.push(performance.now() - beganAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));
  return times;
}

// Closes connections after this idle time. Servers close them after 5 s, possibly during a request.
const agent = new Agent({ keepAlive: true, timeout: 2_000 });

/** Sends a request with JSON over reused connections. `fetch` would take more CPU of the measured machine. */
export function send(
  url: string,
  { method = "POST", headers = {}, json }: { method?: string; headers?: Record<string, string>; json?: unknown },
): Promise<{ status: number | undefined; text: string }> {
  const body = json === undefined ? undefined : JSON.stringify(json);
  const ofBody = body && { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  return new Promise((done, fail) => {
    const sent = request(url, { method, agent, headers: { ...headers, ...ofBody } }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      done({ status: answer.statusCode, text });
    });
    sent.once("error", fail);
    sent.end(body);
  });
}

/** Resets everyone's rate limits, because benchmarks exceed them. */
export async function forgetLimits(redis: Redis): Promise<void> {
  const counts = await redis.keys("rate:*");
  if (counts.length > 0) await redis.del(counts);
}
