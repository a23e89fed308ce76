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

/** Next.js's own program. */
export const nextBin = join(root, "node_modules/next/dist/bin/next");

/**
 * Where servers with demo data listen, whose passwords are public: on 127.0.0.1 unless HOSTNAME says otherwise. Containers
 * and shells set that to the machine's own name, which asks for nothing.
 */
export function listenHost({ HOSTNAME }: NodeJS.ProcessEnv = process.env, machine: string = hostname()): string {
  return HOSTNAME && HOSTNAME !== machine ? HOSTNAME : "127.0.0.1";
}

/** What a server is started with: see listenHost; and keeping connections for longer than balancers do. */
export const serverEnv = { HOSTNAME: listenHost(), KEEP_ALIVE_TIMEOUT: "75000" };

/** The server that a build of the application in a folder has made. */
export function serverOf(folder: string = root): string {
  return join(folder, ".next/standalone", relative(root, folder), "server.js");
}

const buildStep = /^(?: {1,2}|✓ |. )*((?:Creating|Compiled|Running|Finished|Collecting|Generating|Finalizing) .*)$/;

/**
 * Builds the application for production, reporting each step. Its server's folder is complete and holds no settings. A build
 * of this repository is stamped with its sources, so that buildIfStale uses it.
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

/** Builds the application for production, unless the build that is there was made from the same sources. */
export async function buildIfStale(): Promise<void> {
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === fingerprintOfSources()) return;
  logProgress("Building the application");
  await build();
}
