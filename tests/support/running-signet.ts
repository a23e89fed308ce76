// Starts what `npm run demo` starts, on a folder and ports of its own, once for all tests that share it or need its build. It
// becomes ready while tests without it run: `demo.ts` waits for it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { ownEnvironment } from "../../harness/own-environment.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The folder of the demo's data. A file `started` is written there: empty, or with what was printed when it failed. */
    signet?: string;
  }
}

export default function setup(project: TestProject) {
  const folders = project.vitest.projects.map((other) => other.getProvidedContext().signet);
  const shared = folders.find((other) => other !== undefined);
  const folder = shared ?? mkdtempSync(join(tmpdir(), "signet-test-"));
  project.provide("signet", folder);
  if (shared) return;

  // Two runs at once on one machine look for a port in different places.
  const port = 3100 + 20 * (process.pid % 10);
  const demo = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/demo.ts"], {
    env: { ...ownEnvironment, SIGNET_LOCAL: folder, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  let isReady = false;
  const started = (problem: string) => writeFileSync(join(folder, "started"), problem);
  const read = (chunk: Buffer) => {
    printed += chunk;
    if (isReady || !printed.includes("is ready: ")) return;
    isReady = true;
    started("");
  };
  demo.stdout.on("data", read);
  demo.stderr.on("data", read);
  demo.once("exit", () => {
    if (!isReady) started(`The demo did not start.\n${printed}`);
  });

  return async () => {
    demo.kill("SIGTERM");
    if (demo.exitCode === null) await once(demo, "exit");
    rmSync(folder, { recursive: true, force: true });
  };
}
