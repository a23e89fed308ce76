import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { expect, test } from "vitest";
import { oldNodeMessage } from "../../../lib/require-new-node.ts";
import { serverOf } from "../../../scripts/local-stack/build.ts";
import { ownEnvironment } from "../../support/own-environment.ts";

// The built application, started on a Node that it cannot run on.

function start(node: string, options: string[] = []) {
  const started = spawnSync(node, [...options, serverOf()], {
    env: ownEnvironment,
    encoding: "utf8",
    timeout: 30_000,
  });
  return { status: started.status, said: started.stderr.trim() };
}

test("says so in one sentence and ends, before it misses a setting", () => {
  const pretended = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
  const answer = start(process.execPath, ["--import", `data:text/javascript,${encodeURIComponent(pretended)}`]);
  expect(answer).toEqual({ status: 1, said: oldNodeMessage("20.20.2") });
});

const installed = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "node"))
  .filter((node) => existsSync(node))
  .map((node) => ({ node, version: spawnSync(node, ["--version"], { encoding: "utf8" }).stdout.trim().slice(1) }))
  .find(({ version }) => oldNodeMessage(version) !== null);

test.skipIf(!installed)("so it does on the old Node of this machine", () => {
  const { node = "", version = "" } = installed ?? {};
  expect(start(node)).toEqual({ status: 1, said: oldNodeMessage(version) });
});
