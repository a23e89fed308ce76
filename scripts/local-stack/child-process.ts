import { type ChildProcess, spawn } from "node:child_process";
import { createWriteStream } from "node:fs";

export type Child = {
  process: ChildProcess;
  /** Asks the process to end and waits for it; kills it after five seconds. */
  stop(): Promise<void>;
};

/**
 * Starts a part of the stack. What it prints goes to `logFile`, or to the terminal when there is none. `onExit` is
 * called when it ends without having been asked to.
 */
export function startChild({
  command,
  args,
  env,
  logFile,
  onExit,
}: {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  logFile?: string;
  onExit: () => void;
}): Child {
  // Its own group: Ctrl-C reaches the supervisor alone, which ends the parts in order.
  const child = spawn(command, args, { env, stdio: ["pipe", "pipe", "pipe", "ipc"], detached: true });
  const log = logFile ? createWriteStream(logFile) : undefined;
  child.stdout?.pipe(log ?? process.stdout, { end: false });
  child.stderr?.pipe(log ?? process.stderr, { end: false });
  let stopping = false;
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => {
      resolve();
      if (!stopping) onExit();
    });
    child.once("error", () => resolve());
  });
  return {
    process: child,
    stop: async () => {
      stopping = true;
      child.kill("SIGTERM");
      const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}
