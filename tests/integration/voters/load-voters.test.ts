import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { lockFile } from "../../../scripts/local-stack/lock-file.ts";
import { openDatabase } from "../../../scripts/local-stack/open-database.ts";
import { dropDatabase, startPostgres } from "../../../scripts/local-stack/postgres-server.ts";
import { loadVoters } from "../../../scripts/voter-file/load-voters.ts";
import { openTarget, type Target } from "../../../scripts/voter-file/open-target.ts";
import { copyDatabase } from "../../support/test-database.ts";

const voter = (id: string, last: string) => [
  id,
  "Ann",
  null,
  last,
  "12",
  "Oak\tSt \\ \n",
  null,
  "Kent",
  "98030",
  "King",
];

async function* some(...voters: (string | null)[][]) {
  yield* voters;
}

const home = mkdtempSync(join(tmpdir(), "signet-load-"));
let databaseUrl: string;
let target: Target;
beforeAll(async () => {
  databaseUrl = await copyDatabase();
  target = await openTarget(databaseUrl);
});
afterAll(async () => {
  await target.close();
  await dropDatabase(inject("postgres"), new URL(databaseUrl).pathname.slice(1));
  rmSync(home, { recursive: true, force: true });
});

const found = async (query: string) => {
  const [row] = await target.sql(`select public.${query} -> 'hits' as hits`);
  return row?.hits;
};
const shape = () =>
  target.sql(
    `select c.relname, c.relrowsecurity, c.relacl::text,
       (select array_agg(attname || ':' || attgenerated::text || coalesce(col_description(c.oid, attnum), '') order by attnum)
        from pg_attribute where attrelid = c.oid and attnum > 0)::text as columns,
       (select array_agg(conname || pg_get_constraintdef(oid) order by conname) from pg_constraint where conrelid = c.oid)::text as constraints,
       (select array_agg(indexdef order by indexname) from pg_indexes where schemaname = 'voterfile')::text as indexes
     from pg_class c where c.oid = 'voterfile.voters'::regclass`,
  );

test("a database without a voter file is refused", async () => {
  await expect(openTarget(inject("postgres"))).rejects.toThrow(/no table for voters/);
});

test("all voters take the place of those from before, with their names, on a table as before", async () => {
  const before = await shape();
  expect(await loadVoters(target, some(voter("W1", "Smith"), voter("W2", "Garcia")), () => undefined)).toBe(2);
  expect(await loadVoters(target, some(voter("W3", "Hernández"), voter("W2", "Li")), () => undefined)).toBe(2);
  expect(await shape()).toEqual(before);
  const hit = {
    firstName: "Ann",
    houseNumber: "12",
    street: "Oak\tSt \\ \n",
    city: "Kent",
    zip: "98030",
    county: "King",
  };
  const hernandez = { voterId: "W3", lastName: "Hernández", ...hit };
  expect(await found(`search_voters('{}')`)).toEqual([hernandez, { voterId: "W2", lastName: "Li", ...hit }]);
  expect(await found(`similar_voters('{"lastName": "hernandes"}')`)).toEqual([{ ...hernandez, match: "sounds like" }]);
  expect(await found(`similar_voters('{"lastName": "smtih"}')`)).toEqual([]);
});

const stopped = async function* () {
  yield voter("W8", "Kim");
  throw new Error("stopped");
};
test.each([
  ["the file ends in the midst", () => loadVoters(target, stopped(), () => undefined), /stopped/],
  [
    "nothing may replace them",
    () =>
      loadVoters(target, some(), () => {
        throw new Error("none");
      }),
    /none/,
  ],
  [
    "a line cannot be stored",
    () => loadVoters(target, some(voter("W 8", "Kim")), () => undefined),
    /check|refused 1 voters/,
  ],
])("when %s, the voters from before stay, and nothing beside them", async (_what, load, message) => {
  await expect(load()).rejects.toThrow(message);
  const voters = await target.sql("select voter_id from voterfile.voters order by voter_id");
  expect(voters).toEqual([{ voter_id: "W2" }, { voter_id: "W3" }]);
  expect(await target.sql("select to_regnamespace('voterfile_next') as beside")).toEqual([{ beside: null }]);
});

test("what a killed run has left is no hindrance", async () => {
  await target.sql("create schema voterfile_next");
  await target.sql("create table voterfile_next.voters (left_behind int)");
  expect(await loadVoters(target, some(voter("W9", "Park")), () => undefined)).toBe(1);
  expect(await target.sql("select voter_id from voterfile.voters")).toEqual([{ voter_id: "W9" }]);
});

test("of an id that stands there more than once the first voter is taken, and the others are told", async () => {
  const beforeSwap = vi.fn();
  const twice = some(voter("W2", "Ng"), voter("W1", "Kim"), voter("W1", "Li"), voter("W2", "Ito"), voter("W1", "Abe"));
  expect(await loadVoters(target, twice, beforeSwap)).toBe(2);
  expect(beforeSwap.mock.calls).toEqual([[{ count: 3, ids: ["W1", "W2"] }]]);
  const voters = await target.sql("select voter_id, last_name from voterfile.voters order by voter_id");
  expect(voters).toEqual([
    { voter_id: "W1", last_name: "Kim" },
    { voter_id: "W2", last_name: "Ng" },
  ]);
});

describe("npm run voters", () => {
  const file = join(home, "voters.csv");
  const voters = () => target.sql("select voter_id, last_name, first_name from voterfile.voters order by voter_id");
  const runVoters = async (
    content: string,
    args: string[],
    {
      env = { DATABASE_URL: databaseUrl },
      interruptAt,
    }: { env?: Record<string, string | undefined>; interruptAt?: RegExp } = {},
  ) => {
    writeFileSync(file, content);
    const script = spawn(
      process.execPath,
      ["--disable-warning=ExperimentalWarning", "scripts/voters.ts", file, ...args],
      { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] },
    );
    const printed = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const) {
      script[name].on("data", (chunk: Buffer) => {
        printed[name] += chunk;
        if (!interruptAt?.test(printed.stdout)) return;
        script.kill("SIGINT");
        interruptAt = undefined; // once more would kill it
      });
    }
    const [status] = await once(script, "close");
    return { status, ...printed };
  };
  const good = "VOTER_ID;SURNAME;GIVEN;PARTY\nV1;Li;Ann;X\nV2;Ng;Bo;X\nV3;Abe;Cy;X\nV4;Ito;Di;X\n";

  test("shows how it reads the file, and replaces the voters with --yes", async () => {
    const { status, stdout, stderr } = await runVoters(good, ["--yes"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/5 lines, separated by semicolons\n/);
    expect(stdout).toMatch(/\nvoterId +VOTER_ID\nfirstName +GIVEN\nmiddleName +–\nlastName +SURNAME\n/);
    expect(stdout).toMatch(/\nNot used: PARTY\n/);
    expect(stdout).toMatch(/First voters:\nV1 \| Ann \| – \| Li \|.*\nV2 .*\nV3 .*\n\n/);
    expect(stdout).toMatch(/\nReplaced\. 4 voters can be found now\.\n$/);
    expect(await voters()).toMatchObject([{ voter_id: "V1", last_name: "Li", first_name: "Ann" }, {}, {}, {}]);
  });

  test.each<[string, string, string[], { status: number; stderr: RegExp }]>([
    ["where nobody can be asked", good, [], { status: 2, stderr: /^Couldn't ask .* --yes .* voters were kept\.\n$/ }],
    ["without a last name", "VOTER_ID,NAME\nX,Li\n", ["--yes"], { status: 1, stderr: /^Couldn't find the last name/ }],
    [
      "when most lines have no last name",
      "VOTER_ID,SURNAME\nX1,Li\nX2,\n",
      ["--yes"],
      { status: 1, stderr: /^Only 1 of 2 lines are voters with a last name: .* voters were kept\.\n$/ },
    ],
    [
      "when most lines are no voters",
      "VOTER_ID,SURNAME\nX 1,Li\nX2,Ng\n,Abe\n",
      ["--yes"],
      { status: 1, stderr: /^Only 1 of 3 lines/ },
    ],
    ["with an option that it does not know", good, ["--yse"], { status: 2, stderr: /^Unknown option '--yse'.*\n$/ }],
  ])("%s it replaces nothing, and says so in a line", async (_when, content, args, refused) => {
    const before = await voters();
    const { status, stderr } = await runVoters(content, args);
    expect({ status, stderr }).toEqual({ status: refused.status, stderr: expect.stringMatching(refused.stderr) });
    expect(await voters()).toEqual(before);
  });

  test("--help says how to use it", async () => {
    expect(await runVoters("", ["--help"])).toEqual({
      status: 0,
      stdout: expect.stringMatching(/^npm run voters -- FILE .*--yes.*Fields: voterId, /s),
      stderr: "",
    });
  });

  describe("without DATABASE_URL", () => {
    const local = join(home, "local");
    const env = { DATABASE_URL: undefined, SIGNET_LOCAL: local };
    const keys = { publishable: "sb_publishable_x", secret: "sb_secret_x", jwtSecret: "x".repeat(32) };
    const onLocal = async <T>(use: (url: string) => Promise<T>) => {
      const server = await startPostgres({ folder: join(local, "postgres"), password: "local", options: {} });
      return use(server.url).finally(server.stop);
    };
    const localVoters = () =>
      onLocal(async (url) => {
        const opened = await openTarget(url);
        const rows = await opened.sql("select voter_id, last_name from voterfile.voters order by voter_id");
        await opened.close();
        return rows;
      });

    test("it says what to do where nothing is", async () => {
      expect(await runVoters(good, ["--yes"], { env })).toMatchObject({
        status: 1,
        stderr: "There is no database. Set DATABASE_URL, or make the local one: npm run demo\n",
      });
      expect(existsSync(local)).toBe(false);
    });

    test("it loads into the local stack's data, and a load that is interrupted keeps them", {
      timeout: 60_000,
    }, async () => {
      mkdirSync(local);
      writeFileSync(join(local, "keys.json"), JSON.stringify({ ...keys, database: "local" }));
      await onLocal(async (url) => (await openDatabase({ url, keys })).close());
      expect(await runVoters("VOTER_ID,SURNAME\nL1,Li\n", ["--yes"], { env })).toMatchObject({
        status: 0,
        stdout: expect.stringMatching(/\nReplaced\. 1 voters can be found now\.\n$/),
        stderr: "",
      });
      const loaded = [{ voter_id: "L1", last_name: "Li" }];
      expect(await localVoters()).toEqual(loaded);

      const many = Array.from({ length: 300_000 }, (_, index) => `M${index},Kim\n`).join("");
      expect(await runVoters(`VOTER_ID,SURNAME\n${many}`, ["--yes"], { env, interruptAt: /\d %/ })).toMatchObject({
        status: 1,
        stderr: "Stopped. The current voters were kept.\n",
      });
      expect(existsSync(join(local, "postgres/postmaster.pid"))).toBe(false);
      expect(await localVoters()).toEqual(loaded);
    });

    test("it changes nothing while the stack runs", async () => {
      expect(lockFile(join(local, "stack.lock"))).toBe(true);
      expect(await runVoters(good, ["--yes"], { env })).toMatchObject({
        status: 1,
        stderr: `Signet is already running on ${local}. Stop it first; nothing was changed.\n`,
      });
    });
  });
});
