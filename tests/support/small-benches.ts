import { execFile } from "node:child_process";
import { ownEnvironment } from "./own-environment.ts";

/** The benches that start the application: minutes on a small machine. Those that share a stack and a build run together. */
export const longBenches = [["charts", "routes", "search"], ["duplicate"], ["guard"], ["permissions-cache"]];

/** Runs benches in their small size until the test ends, and gives what they printed with the error of a run that failed. */
export function runSmallBenches(names: string[], signal: AbortSignal) {
  const args = ["--disable-warning=ExperimentalWarning", "bench/run.ts", "--small", ...names];
  return new Promise<{ failed: boolean; stdout: string; stderr: string }>((done) => {
    execFile(process.execPath, args, { env: ownEnvironment, maxBuffer: 2 ** 24, signal }, (error, stdout, stderr) =>
      done({ failed: error !== null, stdout, stderr }),
    );
  });
}
