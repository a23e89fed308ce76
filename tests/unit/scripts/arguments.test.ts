import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync("package.json", "utf8")));

const runScript = (command: string, argument: string) =>
  new Promise<{ status: number; stdout: string; stderr: string }>((done) => {
    execFile("sh", ["-c", `${command} ${argument}`], (error, stdout, stderr) =>
      done({ status: Number(error?.code ?? 0), stdout, stderr }),
    );
  });

// Each runs twice; loading takes seconds on a busy machine.
test.concurrent.each(Object.entries(scripts))(
  "npm run %s answers --help and refuses --wrong",
  async (_name, command) => {
    const usage = expect.stringMatching(/^npm (run [\w-]+|test|start).*\n\n[A-Z]/);
    expect(await runScript(command, "--help")).toEqual({ status: 0, stdout: usage, stderr: "" });
    const line = expect.stringMatching(/^Unknown option .*--wrong.*\. See npm [\w -]+ -- --help\n$/);
    expect(await runScript(command, "--wrong")).toEqual({ status: 2, stdout: "", stderr: line });
  },
  60_000,
);

test.concurrent.each([
  ["soak", "minutes"],
  ["mutate", "count"],
])(
  "npm run %s refuses --%s without a number",
  async (name, option) => {
    const line = `--${option} takes a number above 0. See npm run ${name} -- --help\n`;
    expect(await runScript(scripts[name] ?? "", `--${option} x`)).toEqual({ status: 2, stdout: "", stderr: line });
  },
  60_000,
);

test.concurrent.each([
  ["words", "nowhere", "There is no file nowhere. See npm run words -- --help"],
  ["voters", "nowhere", "There is no file nowhere. See npm run voters -- --help"],
  ["voters", "tests", "There is no file tests. See npm run voters -- --help"],
  ["test", "nowhere", "This command runs no test file whose path contains nowhere. See npm test -- --help"],
  ["test", "--project nowhere", "There is no project nowhere. See npm test -- --help"],
])(
  "npm run %s refuses %s",
  async (name, argument, line) => {
    expect(await runScript(scripts[name] ?? "", argument)).toEqual({ status: 2, stdout: "", stderr: `${line}\n` });
  },
  60_000,
);
