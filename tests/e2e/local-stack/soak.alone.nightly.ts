import { execFile } from "node:child_process";
import { expect, test } from "vitest";
import { ownEnvironment } from "../../../harness/own-environment.ts";

test("people use one instance for 15 minutes without an error", { timeout: 1_200_000 }, async ({ signal }) => {
  const args = ["--disable-warning=ExperimentalWarning", "scripts/soak.ts"];
  const said = await new Promise<string>((done) => {
    execFile(process.execPath, args, { env: ownEnvironment, signal }, (error, stdout, stderr) => {
      console.log(stdout);
      done(error ? stderr : "");
    });
  });
  expect(said).toBe("");
});
