import { spawn } from "node:child_process";
import { createWriteStream } from "node:fs";

export type Child = {
  /** Asks the part to end and waits for it; kills it after five seconds. */
  stop(): Promise<void>;
};

/**
 * The end of a shell script: runs the script's arguments as a program, and ends it by the command `stop` when standard input
 * closes, which it does when the process that started the script ends, however it ends.
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
