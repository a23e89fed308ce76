import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { ownEnvironment } from "../../harness/own-environment.ts";

// Benches that start the application and share a stack and a build run together.
const longBenches = [["charts", "routes", "search"], ["duplicate"], ["guard"], ["permissions-cache"]];
const names = readdirSync("bench").flatMap((name) => (name.endsWith(".ts") ? name.slice(0, -".ts".length) : []));
const quickBenches = names.filter((name) => name !== "run" && !longBenches.flat().includes(name));

function runSmallBenches(names: string[], signal: AbortSignal) {
  const args = ["--disable-warning=ExperimentalWarning", "bench/run.ts", "--small", ...names];
  return new Promise<{ failed: boolean; stdout: string; stderr: string }>((done) => {
    execFile(process.execPath, args, { env: ownEnvironment, maxBuffer: 2 ** 24, signal }, (error, stdout, stderr) =>
      done({ failed: error !== null, stdout, stderr }),
    );
  });
}

// Small runs don't measure speed: they show that everything runs and that compared variants give equal answers.
test.for([quickBenches, ...longBenches])("the benches %s run", { timeout: 600_000 }, async (names, { signal }) => {
  const { failed, stdout, stderr } = await runSmallBenches(names, signal);
  expect({ failed, stderr }).toEqual({ failed: false, stderr: "" });
  expect(stdout.match(/^── .* ──$/gm)).toEqual(names.map((name) => `── ${name} ──`));
  expect(stdout).not.toMatch(/NaN|undefined/);
});

test("an unknown bench is refused", async ({ signal }) => {
  const { failed, stderr } = await runSmallBenches(["speed"], signal);
  expect(failed).toBe(true);
  expect(stderr).toContain("There is no benchmark named speed. See npm run bench -- --help");
});
