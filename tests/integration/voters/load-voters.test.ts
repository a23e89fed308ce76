// The loader on a folder of PGlite, and on a PostgreSQL server where the machine has one.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, inject, test, vi } from "vitest";
import { openDatabase } from "../../../scripts/local-stack/open-database.ts";
import { loadVoters } from "../../../scripts/voter-file/load-voters.ts";
import { openTarget } from "../../../scripts/voter-file/open-target.ts";
import { startPostgres } from "../../support/postgres-server.ts";

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
// A dump of PGlite is its folder.
function unpack(dump: string, into: string) {
  mkdirSync(into);
  execFileSync("tar", ["-x", "-f", dump, "-C", into], { stdio: ["ignore", "ignore", "pipe"] });
}

async function* some(...voters: (string | null)[][]) {
  yield* voters;
}

const home = mkdtempSync(join(tmpdir(), "signet-load-"));
const folder = join(home, "database");
const server = await startPostgres();
afterAll(async () => {
  await server?.stop();
  rmSync(home, { recursive: true, force: true });
});

describe.each([...(server ? [server.url] : []), undefined])("into %s", (databaseUrl) => {
  let target: Awaited<ReturnType<typeof openTarget>>;
  beforeAll(async () => {
    const keys = { publishable: "sb_publishable_x", secret: "sb_secret_x", jwtSecret: "x".repeat(32) };
    await expect(openTarget({ databaseUrl, folder })).rejects.toThrow(/no (database|table for voters)/i);
    if (databaseUrl) await (await openDatabase({ location: { databaseUrl }, keys })).close();
    else unpack(inject("migratedDatabase") ?? "", folder);
    target = await openTarget({ databaseUrl, folder });
  });
  afterAll(() => target?.close());

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
    expect(await found(`similar_voters('{"lastName": "hernandes"}')`)).toEqual([
      { ...hernandez, match: "sounds like" },
    ]);
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
    const mayReplace = vi.fn();
    const twice = some(
      voter("W2", "Ng"),
      voter("W1", "Kim"),
      voter("W1", "Li"),
      voter("W2", "Ito"),
      voter("W1", "Abe"),
    );
    expect(await loadVoters(target, twice, mayReplace)).toBe(2);
    expect(mayReplace.mock.calls).toEqual([[2, { count: 3, ids: ["W1", "W2"] }]]);
    const voters = await target.sql("select voter_id, last_name from voterfile.voters order by voter_id");
    expect(voters).toEqual([
      { voter_id: "W1", last_name: "Kim" },
      { voter_id: "W2", last_name: "Ng" },
    ]);
  });

  test("a folder is opened by one process alone", async () => {
    if (databaseUrl) return;
    await expect(openTarget({ databaseUrl, folder })).rejects.toThrow(/Stop it first; nothing was changed/);
  });
});
