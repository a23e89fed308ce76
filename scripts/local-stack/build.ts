import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { Refusal } from "./report.ts";

const root = resolve(import.meta.dirname, "../..");

/** Next.js's own program. */
export const nextBin = join(root, "node_modules/next/dist/bin/next");

/** What a server is started with: reachable from elsewhere, and keeping connections for longer than balancers do. */
export const serverEnv = { HOSTNAME: "0.0.0.0", KEEP_ALIVE_TIMEOUT: "75000" };

/** The server that a build of the application in a folder has made. */
export function serverOf(folder: string = root): string {
  return join(folder, ".next/standalone", relative(root, folder), "server.js");
}

/** Builds the application for production. The folder of its server holds all that it needs, and no settings. */
export function build(folder: string = root, env: NodeJS.ProcessEnv = process.env): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, [nextBin, "build"], {
    cwd: folder,
    env: { ...env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    encoding: "utf8",
  });
  if (status !== 0) throw new Refusal(`The build failed.\n${stdout}\n${stderr}`);
  const made = dirname(serverOf(folder));
  cpSync(join(folder, ".next/static"), join(made, ".next/static"), { recursive: true });
  for (const name of [".env", ".env.production"]) rmSync(join(made, name), { force: true });
}
