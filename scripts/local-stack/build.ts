import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { logProgress, UserError } from "../cli.ts";

const root = resolve(import.meta.dirname, "../..");

/** Next.js's command-line program. */
export const nextBin = join(root, "node_modules/next/dist/bin/next");

/**
 * Where servers with demo data listen: on 127.0.0.1, because their passwords are public, unless HOSTNAME is set. Containers
 * and shells set it to the machine's name, which doesn't count.
 */
export function listenHost({ HOSTNAME }: NodeJS.ProcessEnv = process.env, machine: string = hostname()): string {
  return HOSTNAME && HOSTNAME !== machine ? HOSTNAME : "127.0.0.1";
}

/** Environment variables for the server. Connections stay open for longer than load balancers keep them. */
export const serverEnv = { HOSTNAME: listenHost(), KEEP_ALIVE_TIMEOUT: "75000" };

/** The path of the server that a build in a folder has produced. */
export function serverOf(folder: string = root): string {
  return join(folder, ".next/standalone", relative(root, folder), "server.js");
}

const buildStep = /^(?: {1,2}|✓ |. )*((?:Creating|Compiled|Running|Finished|Collecting|Generating|Finalizing) .*)$/;

/**
 * Builds the application for production, and reports each step. The server's folder is complete and contains no settings. A
 * build of this repository saves a hash of its sources, for buildIfStale.
 */
export async function build(folder: string = root, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  const fingerprint = fingerprintOfSources();
  const next = spawn(process.execPath, [nextBin, "build"], {
    cwd: folder,
    env: { ...env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const errors = text(next.stderr);
  let printed = "";
  for await (const line of createInterface(next.stdout)) {
    printed += `${line}\n`;
    const [, step] = buildStep.exec(line) ?? [];
    if (step) logProgress(`  ${step}`);
  }
  const [status] = next.exitCode === null ? await once(next, "exit") : [next.exitCode];
  if (status !== 0) throw new UserError(`The build failed.\n${printed}\n${await errors}`);
  const made = dirname(serverOf(folder));
  cpSync(join(folder, ".next/static"), join(made, ".next/static"), { recursive: true });
  for (const name of [".env", ".env.production"]) rmSync(join(made, name), { force: true });
  if (folder === root) writeFileSync(stamp, fingerprint);
}

const stamp = join(root, ".next/signet-sources");
const sources = [
  "app/**/*",
  "components/**/*",
  "lib/**/*",
  "supabase/functions/_shared/**/*",
  "*.ts",
  "*.mjs",
  "package-lock.json",
  "tsconfig.json",
];

function fingerprintOfSources(): string {
  const hash = createHash("sha256");
  for (const file of globSync(sources, { cwd: root, withFileTypes: true, exclude: ["next-env.d.ts"] })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()) {
    hash.update(file).update(readFileSync(file));
  }
  return hash.digest("hex");
}

/** Builds the application for production, unless there is a build of the same sources. */
export async function buildIfStale(): Promise<void> {
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprintOfSources()) return;
  logProgress("Building the application");
  await build();
}
