import { randomBytes } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parseEnv } from "node:util";
import { z } from "zod";
import { UserError } from "../cli.ts";

/** Where the stack keeps its data, keys and logs. */
export const localFolder = resolve(import.meta.dirname, "../..", process.env.SIGNET_LOCAL ?? ".local");

/**
 * Locks the data folder; throws a UserError if a stack already runs on it. With `reset`, removes the database. Call it
 * before anything is changed.
 */
export function lockLocalFolder({ reset = false }: { reset?: boolean | undefined }): void {
  mkdirSync(localFolder, { recursive: true });
  if (!lockFile(join(localFolder, "stack.lock"))) {
    throw new UserError(`Signet is already running on ${localFolder}. Stop it first.`);
  }
  if (reset) rmSync(join(localFolder, "postgres"), { recursive: true, force: true });
}

const heldLocks: DatabaseSync[] = []; // a database that is garbage-collected would release its lock

/** Takes a lock that the operating system releases when this process ends. Returns false if another process has it. */
export function lockFile(path: string): boolean {
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    database.exec("pragma locking_mode = exclusive; begin exclusive; create table if not exists lock (held int)");
  } catch (error) {
    database.close();
    if (error instanceof Error && error.message.includes("locked")) return false;
    throw error;
  }
  heldLocks.push(database);
  return true;
}

const random = () => randomBytes(24).toString("base64url");

// Keys that an older file doesn't have are generated.
const keysSchema = z.object({
  publishable: z.string().default(() => `sb_publishable_${random()}`),
  secret: z.string().default(() => `sb_secret_${random()}`),
  jwtSecret: z.string().default(() => random() + random()),
  database: z.string().default(random),
  searchPassword: z.string().default(random),
});

/** The keys and passwords of the local stack. They are generated at its first start and never committed. */
export function localKeys() {
  const path = join(localFolder, "keys.json");
  const keys = keysSchema.parse(existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {});
  writePrivately("keys.json", JSON.stringify(keys));
  return keys;
}

/** Writes a file of the folder that only this user can read. */
export function writePrivately(name: string, text: string): void {
  const path = join(localFolder, name);
  writeFileSync(path, text, { mode: 0o600 });
  chmodSync(path, 0o600); // an existing file keeps its mode otherwise
}

/** The connection settings of the stack that runs on this folder. Throws if none runs there. */
export function readEnv(folder: string): Record<string, string> {
  return z.record(z.string(), z.string()).parse(parseEnv(readFileSync(join(folder, "env"), "utf8")));
}

/** The connection settings of the running demo. */
export function readDemoEnv(): Record<string, string> {
  try {
    return readEnv(localFolder);
  } catch {
    throw new UserError("Start the demo first: npm run demo");
  }
}

/**
 * Loads `.env`, otherwise the settings of the local stack, into the environment. Existing variables take precedence. Returns
 * the path.
 */
export function loadSettings(): string | undefined {
  const path = [".env", join(localFolder, "env")].find((candidate) => existsSync(candidate));
  if (path) process.loadEnvFile(path);
  return path;
}
