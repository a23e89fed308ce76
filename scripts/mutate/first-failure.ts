import { writeFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestCase, TestModule } from "vitest/node";

/** Ends the run at its first failure, and writes the result into the file that FIRST_FAILURE names. */
export default class FirstFailure implements Reporter {
  onTestCaseResult(test: TestCase) {
    if (test.result().state === "failed") reportCaught(test.module, test.fullName);
  }

  onTestModuleEnd(module: TestModule) {
    if (module.state() === "failed") reportCaught(module, "it doesn't run");
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly object[]) {
    const [module] = modules;
    if (errors.length > 0 && module) reportCaught(module, "an unhandled error, here or in another file");
    if (errors.length === 0) writeOutcome("survived", module ? "" : "no related test");
  }
}

function reportCaught({ moduleId }: TestModule, what: string): never {
  writeOutcome("caught", `${relative("", moduleId)}: ${what}`);
  process.exit(1);
}

function writeOutcome(outcome: "caught" | "survived", by: string) {
  writeFileSync(process.env.FIRST_FAILURE ?? "", JSON.stringify({ outcome, by }));
}
