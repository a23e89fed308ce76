import { Agent, request } from "node:http";
import type { Redis } from "ioredis";
import { median, quantile } from "../../harness/numbers.ts";
import type { App } from "../../harness/started-app.ts";

/** What is asked, and the application that answers, where its CPU time is of interest. */
type Way = { name: string; app?: App; run: () => Promise<unknown> };

const maxDurationMs = 90_000;

/**
 * Lets each way in turn answer so many requests, some at once, so that what else happens on the machine befalls all of
 * them, and prints how they did. Gives for a way its requests a second and its ms of CPU a request, of each round.
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
  // The first round compiles, and fills the caches.
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

// A reused connection that was idle for this long is closed here: servers do so after 5 s, under a request perhaps.
const agent = new Agent({ keepAlive: true, timeout: 2_000 });

/** Sends a request, and what is given as JSON, over reused connections: `fetch` takes more of a machine that is measured. */
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

/** Resets the rate limits of everyone: no one asks as often as a bench. */
export async function forgetLimits(redis: Redis): Promise<void> {
  const counts = await redis.keys("rate:*");
  if (counts.length > 0) await redis.del(counts);
}
