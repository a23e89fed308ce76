import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient, type SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";
import { readEnv } from "../scripts/local-stack/local-folder.ts";
import { startTemporaryPostgres } from "../scripts/local-stack/postgres-server.ts";
import { cookieHeader, sessionCookies } from "../scripts/local-stack/session-cookies.ts";
import type { Database } from "../supabase/functions/_shared/database.ts";
import { ownEnvironment } from "./own-environment.ts";
import { atEnd, root, stopChild } from "./run-bench.ts";

/** The environment variables of an application that uses the stack, and the URL of its PostgreSQL. */
const stackSchema = z
  .object({
    NEXT_PUBLIC_SUPABASE_URL: z.string(),
    NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: z.string(),
    SUPABASE_SECRET_KEY: z.string(),
    REDIS_URL: z.string(),
    DATABASE_URL: z.string(),
  })
  .catchall(z.string());
export type Stack = z.infer<typeof stackSchema>;

/**
 * Starts the local stack, without settings of this machine, and stops it when the benchmark ends. In a small run all
 * benchmarks share the one in `BENCH_STACK`.
 */
export async function startedStack(): Promise<Stack> {
  if (process.env.BENCH_STACK) return stackSchema.parse(JSON.parse(process.env.BENCH_STACK));
  const server = await startTemporaryPostgres();
  atEnd(server.stop);
  const database = { DATABASE_URL: server.url };
  const folder = mkdtempSync(join(tmpdir(), "signet-bench-"));
  atEnd(() => rmSync(folder, { recursive: true, force: true }));
  const stack = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", join(root, "scripts/stack.ts")], {
    env: { ...ownEnvironment, SIGNET_LOCAL: folder, PORT: "3200", ...database },
    stdio: ["ignore", "pipe", "pipe"],
  });
  atEnd(() => stopChild(stack));

  let printed = "";
  await new Promise<void>((ready, reject) => {
    const read = (chunk: Buffer) => {
      printed += chunk;
      if (printed.includes("The stack is ready")) ready();
    };
    stack.stdout.on("data", read);
    stack.stderr.on("data", read);
    stack.once("exit", () => reject(new Error(`The stack did not start.\n${printed}`)));
  });
  return stackSchema.parse({ ...readEnv(folder), ...database });
}

/** A client for the database and Auth, with the secret key. */
export function adminOf(stack: Stack): SupabaseClient<Database> {
  const auth = { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false };
  return createClient<Database>(stack.NEXT_PUBLIC_SUPABASE_URL, stack.SUPABASE_SECRET_KEY, { auth });
}

/** The cookie header of a demo person. */
export async function cookieOf(stack: Stack, email: string): Promise<string> {
  return cookieHeader(await sessionCookies(stack, email));
}
