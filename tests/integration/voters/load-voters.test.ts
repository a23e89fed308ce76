// The loader on a folder of PGlite, and on a PostgreSQL server where the machine has one.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
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
    const beforeSwap = vi.fn();
    const twice = some(
      voter("W2", "Ng"),
      voter("W1", "Kim"),
      voter("W1", "Li"),
      voter("W2", "Ito"),
      voter("W1", "Abe"),
    );
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
    const runVoters = (content: string, ...args: string[]) => {
      writeFileSync(file, content);
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ["--disable-warning=ExperimentalWarning", "scripts/voters.ts", file, ...args],
        { encoding: "utf8", input: "", env: { ...process.env, DATABASE_URL: databaseUrl } },
      );
      return { status, stdout, stderr };
    };
    const good = "VOTER_ID;SURNAME;GIVEN;PARTY\nV1;Li;Ann;X\nV2;Ng;Bo;X\nV3;Abe;Cy;X\nV4;Ito;Di;X\n";

    test.runIf(databaseUrl)("shows how it reads the file, and replaces the voters with --yes", async () => {
      const { status, stdout, stderr } = runVoters(good, "--yes");
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      expect(stdout).toMatch(/5 lines, separated by semicolons\n/);
      expect(stdout).toMatch(/\nvoterId +VOTER_ID\nfirstName +GIVEN\nmiddleName +–\nlastName +SURNAME\n/);
      expect(stdout).toMatch(/\nNot used: PARTY\n/);
      expect(stdout).toMatch(/First voters:\nV1 \| Ann \| – \| Li \|.*\nV2 .*\nV3 .*\n\n/);
      expect(stdout).toMatch(/\nReplaced\. 4 voters can be found now\.\n$/);
      expect(await voters()).toMatchObject([{ voter_id: "V1", last_name: "Li", first_name: "Ann" }, {}, {}, {}]);
    });

    test.runIf(databaseUrl).each<[string, string, string[], { status: number; stderr: RegExp }]>([
      ["where nobody can be asked", good, [], { status: 2, stderr: /^Couldn't ask .* --yes .* voters were kept\.\n$/ }],
      [
        "without a last name",
        "VOTER_ID,NAME\nX,Li\n",
        ["--yes"],
        { status: 1, stderr: /^Couldn't find the last name/ },
      ],
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
      const { status, stderr } = runVoters(content, ...args);
      expect({ status, stderr }).toEqual({ status: refused.status, stderr: expect.stringMatching(refused.stderr) });
      expect(await voters()).toEqual(before);
    });

    test("--help says how to use it", () => {
      expect(runVoters("", "--help")).toEqual({
        status: 0,
        stdout: expect.stringMatching(/^npm run voters -- FILE .*--yes.*Fields: voterId, /s),
        stderr: "",
      });
    });
  });

  test("a folder is opened by one process alone", async () => {
    if (databaseUrl) return;
    await expect(openTarget({ databaseUrl, folder })).rejects.toThrow(/Stop it first; nothing was changed/);
  });
});
