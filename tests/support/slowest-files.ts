import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

/** Prints the twenty slowest files, so that a new slow one is noticed. */
export default class SlowestFiles implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]) {
    if (modules.length <= 20) return;
    const timed = modules.map((module) => ({ path: relative("", module.moduleId), ...module.diagnostic() }));
    const slowest = timed.toSorted((a, b) => b.duration - a.duration).slice(0, 20);
    console.log("The slowest files, in seconds");
    for (const { path, duration } of slowest) console.log(`${(duration / 1000).toFixed(1).padStart(6)}  ${path}`);
  }
}
