import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { ownEnvironment } from "../../../harness/own-environment.ts";
import { lockFile } from "../../../scripts/local-stack/local-folder.ts";
import { openDatabase } from "../../../scripts/local-stack/open-database.ts";
import { startPostgres } from "../../../scripts/local-stack/postgres-server.ts";
import { openTarget } from "../../../scripts/voter-file/open-target.ts";

const home = mkdtempSync(join(tmpdir(), "signet-load-"));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const local = join(home, "local");
const file = join(home, "voters.csv");
writeFileSync(file, "VOTER_ID,SURNAME,GIVEN\nV1,Li,Ann\nV2,Ng,Bo\n");

function loadLocal() {
  const command = ["--disable-warning=ExperimentalWarning", "scripts/voters.ts", file, "--yes"];
  const env = { ...ownEnvironment, SIGNET_LOCAL: local };
  const { status, stderr } = spawnSync(process.execPath, command, { env, encoding: "utf8" });
  return { status, stderr };
}
async function onLocal(use: (url: string) => Promise<void>) {
  const server = await startPostgres({ folder: join(local, "postgres"), password: "local", options: {} });
  await use(server.url).finally(server.stop);
}

test("without DATABASE_URL npm run voters loads into the data of the local stack, if that exists and isn't running", async () => {
  expect(loadLocal()).toEqual({
    status: 1,
    stderr: "There is no database. Set DATABASE_URL, or make the local one: npm run demo\n",
  });
  expect(existsSync(local)).toBe(false);

  mkdirSync(local);
  const keys = { publishable: "sb_publishable_x", secret: "sb_secret_x", jwtSecret: "x".repeat(32) };
  writeFileSync(join(local, "keys.json"), JSON.stringify({ ...keys, database: "local" }));
  await onLocal(async (url) => (await openDatabase({ url, keys })).close());
  expect(loadLocal()).toEqual({ status: 0, stderr: "" });
  expect(existsSync(join(local, "postgres/postmaster.pid"))).toBe(false);
  await onLocal(async (url) => {
    const opened = await openTarget(url);
    expect(await opened.sql("select voter_id from voterfile.voters")).toHaveLength(2);
    await opened.close();
  });

  expect(lockFile(join(local, "stack.lock"))).toBe(true);
  expect(loadLocal()).toEqual({
    status: 1,
    stderr: `Signet is already running on ${local}. Stop it first.\n`,
  });
});
