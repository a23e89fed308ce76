import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { serverOf } from "../../../scripts/local-stack/build.ts";
import { env } from "../../support/demo.ts";
import { ownEnvironment } from "../../support/own-environment.ts";

// The built application, started without what it cannot do without.

test.each([
  ["SITE_URL", "", "SITE_URL: must be the address under which people reach Signet"],
  ["SITE_URL", "signet.example.org", "SITE_URL: must be the address under which people reach Signet"],
  ["NEXT_PUBLIC_SUPABASE_URL", "", "NEXT_PUBLIC_SUPABASE_URL: Invalid input: expected string, received undefined"],
])('%s as "%s": it says so in one sentence and ends', (name, value, problem) => {
  const { status, stderr } = spawnSync(process.execPath, [serverOf()], {
    env: { ...ownEnvironment, ...env, [name]: value },
    encoding: "utf8",
    timeout: 30_000,
  });
  const said = `Environment variables are missing or wrong (see .env.example). ${problem}`;
  expect({ status, said: stderr.trim() }).toEqual({ status: 1, said });
});
