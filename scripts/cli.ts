// Arguments, errors and progress of the scripts of `npm run`.
import { type ParseArgsConfig, parseArgs } from "node:util";

const startedAt = Date.now();

/** Prints one line of progress with the seconds since the start. */
export function logProgress(message: string): void {
  console.log(`${((Date.now() - startedAt) / 1000).toFixed(1).padStart(6)} s  ${message}`);
}

/** A problem that the person at the terminal can solve: printed without a stack. */
export class UserError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode = 1) {
    super(message);
    this.exitCode = exitCode;
  }
}

/**
 * The script's arguments. `--help` prints the usage, which begins with `npm run <script>`, and ends the process with code 0;
 * a wrong argument prints one line and ends it with code 2.
 */
export function readArguments<const Config extends ParseArgsConfig>(usage: string, config: Config) {
  if (process.argv.slice(2).some((argument) => argument === "--help" || argument === "-h")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    return exitWithUsageError(usage, error instanceof Error ? error.message : String(error));
  }
}

/** Says in one line what is wrong with the arguments, and ends the process with code 2. */
export function exitWithUsageError(usage: string, problem: string): never {
  const [sentence] = problem.split(/\. |\n/);
  const [command = "npm run"] = /^npm (run )?[\w-]+/.exec(usage) ?? [];
  console.error(`${sentence?.replace(/\.$/, "")}. See ${command} -- --help`);
  process.exit(2);
}

/** Runs a script's body and ends the process. Of a UserError it prints only the message. */
export async function runScript(body: () => Promise<void>): Promise<void> {
  try {
    await body();
    process.exit(process.exitCode);
  } catch (error) {
    console.error(error instanceof UserError ? error.message : error);
    process.exit(error instanceof UserError ? error.exitCode : 1);
  }
}
