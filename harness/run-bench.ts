import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { resolve } from "node:path";
import { UserError } from "../scripts/cli.ts";

/** The folder of the repository. */
export const root = resolve(import.meta.dirname, "..");

/** `full`, or `small` in a run that only checks that everything works (`--small`). */
export const sized = <Value>(full: Value, small: Value): Value => (process.env.BENCH_SMALL ? small : full);

const cleanups: (() => unknown)[] = [];

/** Registers a function to call when the benchmark ends, for any reason. The last one registered is called first. */
export function atEnd(cleanup: () => unknown): void {
  cleanups.push(cleanup);
}

/** Runs a benchmark in the folder of the repository, then stops what it started and ends the process. */
export async function runBench(run: () => Promise<void>): Promise<void> {
  process.chdir(root);
  const cleanUp = async () => {
    for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.once(signal, () => void cleanUp().then(() => process.exit(1)));
  let failed = false;
  try {
    await run();
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    failed = true;
  }
  await cleanUp();
  process.exit(failed ? 1 : 0);
}

/** Stops a process if it is still running, and waits for its end. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, "exit");
  child.kill("SIGTERM");
  await ended;
}
