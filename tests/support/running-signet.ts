// Starts what `npm run demo` starts, on a folder and ports of its own, once for all tests that need it whole.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { readEnv } from "../../scripts/local-stack/read-env.ts";
import { ownEnvironment } from "./own-environment.ts";

/** Values of the running stack, as in `.local/env`, and where its data is. */
export type RunningSignet = { siteUrl: string; folder: string; env: Record<string, string> };

declare module "vitest" {
  export interface ProvidedContext {
    signet: RunningSignet;
  }
}

export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), "signet-test-"));
  const demo = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/demo.ts"], {
    env: { ...ownEnvironment, SIGNET_LOCAL: folder, PORT: "3100" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  const ready = new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      const address = /is ready: (\S+)/.exec(printed)?.[1];
      if (address) resolve(address);
    };
    demo.stdout.on("data", read);
    demo.stderr.on("data", read);
    demo.once("exit", () => reject(new Error(`The demo did not start.\n${printed}`)));
  });
  const siteUrl = await ready;
  project.provide("signet", { siteUrl, folder, env: readEnv(folder) });

  return async () => {
    demo.kill("SIGTERM");
    if (demo.exitCode === null) await once(demo, "exit");
    rmSync(folder, { recursive: true, force: true });
  };
}
