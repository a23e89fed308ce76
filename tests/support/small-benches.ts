import { execFile } from "node:child_process";
import { ownEnvironment } from "./own-environment.ts";

/** The benches that build the application once more or start a stack of their own: minutes on a small machine. */
export const longBenches = ["duplicate", "guard", "permissions-cache"];

/** Runs benches in their small size, and gives what they printed with the error of a run that failed. */
export function runSmallBenches(names: string[]) {
  const args = ["--disable-warning=ExperimentalWarning", "bench/run.ts", "--small", ...names];
  return new Promise<{ failed: boolean; stdout: string; stderr: string }>((done) => {
    execFile(process.execPath, args, { env: ownEnvironment, maxBuffer: 2 ** 24 }, (error, stdout, stderr) =>
      done({ failed: error !== null, stdout, stderr }),
    );
  });
}
