import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";

export type Child = {
  /** Asks the process to end and waits for it; kills it after five seconds. */
  stop(): Promise<void>;
};

/**
 * The end of a shell script that runs its arguments as a program. It runs the command `stop` when standard input closes,
 * which happens when the process that started the script ends, for whatever reason.
 */
export const runWatched = (stop = "kill $program") => `
  exec 3<&0
  "$@" &
  program=$!
  (cat <&3; ${stop}) >/dev/null 2>&1 &
  watcher=$!
  wait $program
  status=$?
  kill $watcher
  exit $status
`;

/**
 * Starts a process of the stack. Its output goes to `logFile`, otherwise to the terminal. `onExit` is called when it ends
 * without being stopped.
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
  // In its own process group, so that Ctrl-C only reaches this process, which stops the others in order.
  const child = spawn("sh", ["-c", runWatched(), "sh", command, ...args], { env, stdio: "pipe", detached: true });
  const log = logFile ? createWriteStream(logFile) : undefined;
  child.stdout.pipe(log ?? process.stdout, { end: false });
  child.stderr.pipe(log ?? process.stderr, { end: false });
  let stopping = false;
  const ended = new Promise<void>((resolve) => {
    child.once("exit", () => {
      child.stdin.end();
      resolve();
      if (!stopping) onExit();
    });
    child.once("error", () => resolve());
  });
  return {
    stop: async () => {
      stopping = true;
      child.stdin.end();
      const timer = setTimeout(() => process.kill(-Number(child.pid), "SIGKILL"), 5_000);
      await ended;
      clearTimeout(timer);
    },
  };
}
