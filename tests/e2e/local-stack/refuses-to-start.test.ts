import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { ownEnvironment } from "../../../harness/own-environment.ts";
import { oldNodeMessage } from "../../../lib/server/require-node.ts";
import { serverOf } from "../../../scripts/local-stack/build.ts";
import { freePort } from "../../../scripts/local-stack/ports.ts";
import { env } from "../../support/demo.ts";

// The built application, started without what it requires.

const pretended = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
const onOldNode = ["--import", `data:text/javascript,${encodeURIComponent(pretended)}`];
const wrong = "Environment variables are missing or wrong (see .env.example).";
const noSite = "SITE_URL: must be the address under which people reach Signet";
const noUrl = "NEXT_PUBLIC_SUPABASE_URL: Invalid input: expected string, received undefined";

test.each<[string, { options?: string[]; settings: Record<string, string> }, string]>([
  ["on an old Node, before checking settings", { options: onOldNode, settings: {} }, oldNodeMessage("20.20.2") ?? ""],
  ["with an invalid address", { settings: { ...env, SITE_URL: "signet.example.org" } }, `${wrong} ${noSite}`],
  ["without a setting", { settings: { ...env, NEXT_PUBLIC_SUPABASE_URL: "" } }, `${wrong} ${noUrl}`],
])("%s it explains the problem in one sentence and ends", async (_what, { options = [], settings }, said) => {
  const { status, stderr } = spawnSync(process.execPath, [...options, serverOf()], {
    env: { ...ownEnvironment, ...settings, PORT: String(await freePort()) },
    encoding: "utf8",
    timeout: 30_000,
  });
  expect({ status, said: stderr.trim() }).toEqual({ status: 1, said });
});
