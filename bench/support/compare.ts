import { isDeepStrictEqual } from "node:util";
import { median } from "../../harness/measure.ts";
import { sized } from "../../harness/run-bench.ts";

/** One way to compute something. It should take at least `expectedRatio` times as long as the first variant. */
export type Variant = { name: string; run: () => Promise<unknown>; expectedRatio?: number };

const runs = sized(25, 2);
const runMs = sized(60, 1); // calls in a row: a single call between slow ones of another kind finds everything cold
const warmUpMs = sized(500, 1);
const maxDurationMs = 7_000;

/**
 * Runs all variants in turn, so that other load on the machine affects each of them. Prints the median of each with its ratio to
 * the first. Throws if their results differ.
 */
export async function compare(title: string, variants: [Variant, ...Variant[]]): Promise<void> {
  await requireEqualResults(title, variants);
  for (const { run } of variants) await meanDuration(run, warmUpMs);

  const measured = variants.map((variant) => ({ ...variant, durationsMs: [] as number[] }));
  const endsAt = performance.now() + maxDurationMs;
  for (let round = 0; round < runs && performance.now() < endsAt; round++) {
    for (const { run, durationsMs } of measured) durationsMs.push(await meanDuration(run, runMs));
  }

  const firstMedian = median(measured[0]?.durationsMs ?? []);
  console.log(`\n${title} (medians of ${measured[0]?.durationsMs.length} interleaved runs)`);
  for (const { name, durationsMs, expectedRatio } of measured) {
    const ratio = (median(durationsMs) / firstMedian).toFixed(1).padStart(8);
    const expected = expectedRatio ? `   expected: at least ${expectedRatio}` : "";
    console.log(`  ${name.padEnd(36)}${median(durationsMs).toFixed(2).padStart(8)} ms${ratio}${expected}`);
  }
}

async function requireEqualResults(title: string, variants: [Variant, ...Variant[]]) {
  const [first, ...others] = variants;
  const expected = await first.run();
  for (const { name, run } of others) {
    const result = await run();
    if (isDeepStrictEqual(result, expected)) continue;
    throw new Error(`${title}: ${first.name} and ${name} differ.\n${JSON.stringify([expected, result])}`);
  }
}

async function meanDuration(run: () => Promise<unknown>, minimumMs: number) {
  const startedAt = performance.now();
  let calls = 0;
  do {
    await run();
    calls += 1;
  } while (performance.now() - startedAt < minimumMs);
  return (performance.now() - startedAt) / calls;
}
