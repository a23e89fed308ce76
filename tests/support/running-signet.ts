// Starts the demo on a separate folder and ports, once for all tests that share it or need its build. `demo.ts` waits until it
// is ready, while other tests run.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";
import type { TestProject } from "vitest/node";
import { ownEnvironment } from "../../harness/own-environment.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The data folder of the demo. Its file `started` is empty, or has the output if the start failed. */
    signet?: string;
  }
}

export default function setup(project: TestProject) {
  const folders = project.vitest.projects.map((other) => other.getProvidedContext().signet);
  const shared = folders.find((other) => other !== undefined);
  const folder = shared ?? mkdtempSync(join(tmpdir(), "signet-test-"));
  project.provide("signet", folder);
  if (shared) return;

  // Unpacked here, because two test files that unpack at once would start a half-written program.
  const unpacking = process.env.CHROME_PATH ? Promise.resolve("") : chromium.executablePath();
  const unpackingProblem = unpacking.then(
    () => "",
    (error: unknown) => `The browser could not be unpacked.\n${error}`,
  );
  // Two runs at once on one machine try different ports.
  const port = 3100 + 20 * (process.pid % 10);
  const demo = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/demo.ts"], {
    env: { ...ownEnvironment, SIGNET_LOCAL: folder, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exited = once(demo, "exit");
  let printed = "";
  let isReady = false;
  const started = (problem: string) => writeFileSync(join(folder, "started"), problem);
  const read = (chunk: Buffer) => {
    printed += chunk;
    if (isReady || !printed.includes("is ready: ")) return;
    isReady = true;
    void unpackingProblem.then(started);
  };
  demo.stdout.on("data", read);
  demo.stderr.on("data", read);
  exited.then(() => {
    if (!isReady) started(`The demo did not start.\n${printed}`);
  });

  return async () => {
    demo.kill("SIGTERM");
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
}
