import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import postgres from "postgres";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { dropDatabase } from "../../../scripts/local-stack/postgres-server.ts";
import { loadVoters } from "../../../scripts/voter-file/load-voters.ts";
import { fields } from "../../../scripts/voter-file/map-columns.ts";
import { openTarget, type Target } from "../../../scripts/voter-file/open-target.ts";
import { copyDatabase } from "../../support/test-database.ts";

const voter = (id: string, last: string) => {
  const values = [id, "Ann", null, last, "12", "Oak\tSt \\ \n", null, "Kent", "98030", "King", "1975"];
  return Object.keys(fields).map((_, index) => values[index] ?? null);
};
async function* some(...voters: (string | null)[][]) {
  yield* voters;
}
const nothing = () => undefined;

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

test("new voters replace the old ones, with the list of names and the counts of counties, in a table of the same shape", async () => {
  const before = await shape();
  expect(await loadVoters(target, some(voter("W1", "Smith"), voter("W2", "Garcia")), nothing)).toBe(2);
  expect(
    await loadVoters(
      target,
      some(voter("W3", "Hernández"), voter("W2", "Li").with(Object.keys(fields).indexOf("district"), "33")),
      nothing,
    ),
  ).toBe(2);
  expect(await shape()).toEqual(before);
  expect(await target.sql("select * from voterfile.counties")).toEqual([{ county: "King", registered: 2 }]);
  expect(await target.sql("select * from voterfile.districts")).toEqual([{ district: "33" }]);
  const home = {
    houseNumber: "12",
    street: "Oak\tSt \\ \n",
    city: "Kent",
    zip: "98030",
    county: "King",
    birthYear: 1975,
  };
  const hit = { firstName: "Ann", ...home };
  const hernandez = { voterId: "W3", lastName: "Hernández", ...hit };
  expect(await found(`search_voters('{}')`)).toEqual([
    hernandez,
    { voterId: "W2", lastName: "Li", ...hit, district: "33" },
  ]);
  expect(await found(`similar_voters('{"lastName": "hernandes"}')`)).toEqual([{ ...hernandez, match: "sounds like" }]);
  expect(await found(`similar_voters('{"lastName": "smtih"}')`)).toEqual([]);
});

async function* stopped() {
  yield voter("W8", "Kim");
  throw new Error("stopped");
}
const refuse = () => {
  throw new Error("none");
};
test.each([
  ["the file ends early", () => loadVoters(target, stopped(), nothing), /stopped/],
  ["the replacement is declined", () => loadVoters(target, some(), refuse), /none/],
  ["a line can't be stored", () => loadVoters(target, some(voter("W 8", "Kim")), nothing), /check|refused 1 voters/],
])("when %s, the old voters stay, and nothing is left behind", async (_what, load, message) => {
  await expect(load()).rejects.toThrow(message);
  const voters = await target.sql("select voter_id from voterfile.voters order by voter_id");
  expect(voters).toEqual([{ voter_id: "W2" }, { voter_id: "W3" }]);
  expect(await target.sql("select to_regnamespace('voterfile_next') as next")).toEqual([{ next: null }]);
});

test("loading works after a killed run", async () => {
  await target.sql("create schema voterfile_next");
  await target.sql("create table voterfile_next.voters (left_behind int)");
  expect(await loadVoters(target, some(voter("W9", "Park")), nothing)).toBe(1);
  expect(await target.sql("select voter_id from voterfile.voters")).toEqual([{ voter_id: "W9" }]);
});

test("of voters with the same id the first is loaded, and the others are reported", async () => {
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
  function startVoters(content: string, args: string[]) {
    writeFileSync(file, content);
    const command = ["--disable-warning=ExperimentalWarning", "scripts/voters.ts", file, ...args];
    const env = { ...process.env, DATABASE_URL: databaseUrl };
    const script = spawn(process.execPath, command, { env, stdio: "pipe" });
    script.stdin.end();
    const ended = Promise.all([once(script, "close"), text(script.stdout), text(script.stderr)]);
    return { script, ended: ended.then(([[status], stdout, stderr]) => ({ status, stdout, stderr })) };
  }
  const runVoters = (...given: Parameters<typeof startVoters>) => startVoters(...given).ended;
  const good = "VOTER_ID;SURNAME;GIVEN;SEX\nV1;Li;Ann;X\nV2;Ng;Bo;X\nV3;Abe;Cy;X\nV4;Ito;Di;X\n";

  test("shows how it reads the file, and replaces the voters with --yes", async () => {
    const { status, stdout, stderr } = await runVoters(good, ["--yes"]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toMatch(/5 lines, separated by semicolons\n/);
    expect(stdout).toMatch(/\nvoterId +VOTER_ID\nfirstName +GIVEN\nmiddleName +–\nlastName +SURNAME\n/);
    expect(stdout).toMatch(/\nNot used: SEX\n/);
    expect(stdout).toMatch(/First voters:\nV1 \| Ann \| – \| Li \|.*\nV2 .*\nV3 .*\n\n/);
    expect(stdout).toMatch(/\nReplaced\. 4 voters can be found now\.\n$/);
    expect(await voters()).toMatchObject([{ voter_id: "V1", last_name: "Li", first_name: "Ann" }, {}, {}, {}]);
  });

  test.each<[when: string, content: string, args: string[], status: number, stderr: RegExp]>([
    ["without a terminal", good, [], 2, /^Couldn't ask .* --yes .* voters were kept\.\n$/],
    [
      "when most lines lack an id or a last name",
      "VOTER_ID,SURNAME\nX1,Li\nX2,\n,Abe\n",
      ["--yes"],
      1,
      /^Only 1 of 3 lines are voters with a last name: .* voters were kept\.\n$/,
    ],
    ["with an unknown option", good, ["--yse"], 2, /^Unknown option '--yse'.*\n$/],
  ])("%s it replaces nothing, and says why in one line", async (_when, content, args, status, message) => {
    const before = await voters();
    const stderr = expect.stringMatching(message);
    expect(await runVoters(content, args)).toEqual({ status, stdout: expect.any(String), stderr });
    expect(await voters()).toEqual(before);
  });

  test("it replaces nothing when interrupted", async () => {
    const before = await voters();
    const holding = postgres(databaseUrl, { max: 1 });
    await holding.unsafe("begin; create schema voterfile_next"); // which it waits for
    const { script, ended } = startVoters(good, ["--yes"]);
    const waiting = () =>
      target.sql("select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'");
    await vi.waitFor(async () => expect(await waiting()).toHaveLength(1), { timeout: 20_000 });
    script.kill("SIGINT");
    await holding.unsafe("rollback");
    expect(await ended).toMatchObject({ status: 1, stderr: "Stopped. The current voters were kept.\n" });
    expect(await voters()).toEqual(before);
    await holding.end();
  });

  test("--help explains its use", async () => {
    const stdout = expect.stringMatching(/^npm run voters -- FILE .*--yes.*Fields: voterId, /s);
    expect(await runVoters("", ["--help"])).toEqual({ status: 0, stdout, stderr: "" });
  });
});
