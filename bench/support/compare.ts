import { isDeepStrictEqual } from "node:util";
import { median } from "../../harness/numbers.ts";
import { sized } from "../../harness/run-bench.ts";

/** One way to compute something. `expectedRatio`: how many times as long as the first way it should take at least. */
export type Way = { name: string; run: () => Promise<unknown>; expectedRatio?: number };

const runs = sized(25, 2);
const runLength = sized(60, 1); // ms of calls in a row: a single call between slow ones of another kind finds everything cold
const warmUpLength = sized(500, 1); // ms
const maxDurationMs = 7_000;

/**
 * Runs all ways in turn, so that other load on the machine affects each of them. Prints the median of each with its ratio to
 * the first. Throws if their results differ.
 */
export async function compare(what: string, ways: [Way, ...Way[]]): Promise<void> {
  await requireEqualResults(what, ways);
  for (const { run } of ways) await meanTime(run, warmUpLength);

  const measured = ways.map((way) => ({ ...way, times: [] as number[] }));
  const endsAt = performance.now() + maxDurationMs;
  for (let round = 0; round < runs && performance.now() < endsAt; round++) {
    for (const { run, times } of measured) times.push(await meanTime(run, runLength));
  }

  const base = median(measured[0]?.times ?? []);
  console.log(`\n${what} (medians of ${measured[0]?.times.length} interleaved runs)`);
  for (const { name, times, expectedRatio } of measured) {
    const ratio = (median(times) / base).toFixed(1).padStart(8);
    const expected = expectedRatio ? `   expected: at least ${expectedRatio}` : "";
    console.log(`  ${name.padEnd(36)}${median(times).toFixed(2).padStart(8)} ms${ratio}${expected}`);
  }
}

async function requireEqualResults(what: string, ways: [Way, ...Way[]]) {
  const [first, ...others] = ways;
  const expected = await first.run();
  for (const { name, run } of others) {
    const result = await run();
    if (isDeepStrictEqual(result, expected)) continue;
    throw new Error(`${what}: ${first.name} and ${name} differ.\n${JSON.stringify([expected, result])}`);
  }
}

async function meanTime(run: () => Promise<unknown>, length: number) {
  const startedAt = performance.now();
  let calls = 0;
  do {
    await run();
    calls += 1;
  } while (performance.now() - startedAt < length);
  return (performance.now() - startedAt) / calls;
}
