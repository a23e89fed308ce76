import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { readEnv } from "../../scripts/local-stack/read-env.ts";

export type StartedStack = { env: Record<string, string>; stop(): Promise<void> };

/** Starts what `npm run stack` starts, on a folder of its own and with no settings of this machine but the given ones. */
export async function startStackForBench(settings: Record<string, string> = {}): Promise<StartedStack> {
  const folder = mkdtempSync(join(tmpdir(), "signet-bench-"));
  const { PATH, HOME } = process.env;
  const stack = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", resolve(import.meta.dirname, "../../scripts/stack.ts")],
    {
      env: { NODE_ENV: "production", PATH, HOME, SIGNET_LOCAL: folder, PORT: "3200", ...settings },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  const stop = async () => {
    stack.kill("SIGTERM");
    if (stack.exitCode === null && stack.signalCode === null) await once(stack, "exit");
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.once(signal, () => void stop().then(() => process.exit(1)));

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
  return { env: readEnv(folder), stop };
}
