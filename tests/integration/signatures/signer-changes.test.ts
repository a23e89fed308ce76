// Change numbers and pending changes of signers, and the functions that synchronizing the set uses.
import { expect, test } from "vitest";
import { inWorldWithoutTriggers } from "../../support/access-world.ts";
import { lineWorld } from "../../support/line-world.ts";
import { setUpSqlSession } from "../../support/sql-session.ts";

// The world has no people: only SQL acts here.
const world = { ...lineWorld, team_users: [], campaign_user_team_sets: [] };

const database = await setUpSqlSession();

type SignerChange = { campaign: string; voter: string | null; number: number };
const signerChanges = () =>
  database.sql<SignerChange>(
    "select campaign_id as campaign, voter_id as voter, change_number as number from public.signer_changes order by id",
  );
const insert = async (voter: string, { campaign = "lakes", removed = false } = {}) => {
  const [row] = await database.sql<{ id: string; number: number }>(
    `insert into public.lines (team_id, campaign_id, verdict, voter_id, removed_at)
     values ('north', $1, 'accepted', $2, case when $3 then now() end) returning id, change_number as number`,
    [campaign, voter, removed],
  );
  if (!row) throw new Error("There is no row.");
  return row;
};
const resultOf = async (query: string, parameters: unknown[] = []) => {
  const [row] = await database.sql<{ answer: unknown }>(`select ${query} as answer`, parameters);
  return row?.answer;
};
const pending = (limit = 100) => resultOf("public.pending_signer_changes($1)", [limit]);
// The savepoint keeps the transaction alive after the failure.
async function refused(query: string, parameters: unknown[], message: RegExp) {
  await database.sql("savepoint before_it");
  await expect(database.sql(query, parameters)).rejects.toThrow(message);
  await database.sql("rollback to savepoint before_it");
}

test("each change of signers gets a number and is pending, and no other change is", () =>
  inWorldWithoutTriggers(database, world, async () => {
    const { id, number } = await insert("V-1");
    const numbers = [number];
    for (const change of [
      "update public.lines set removed_at = now()",
      "update public.lines set removed_at = null",
      "delete from public.lines",
    ]) {
      const before = await signerChanges();
      const set = "first_name = 'Ann', note = 'a', change_number = 0, removed_at = removed_at + interval '1 hour'";
      await database.sql(`update public.lines set ${set} where id = $1`, [id]);
      expect(await signerChanges()).toEqual(before);
      await database.sql(`${change} where id = $1`, [id]);
      const changes = await signerChanges();
      expect(changes).toHaveLength(numbers.length + 1);
      const last = changes.at(-1)?.number ?? 0;
      expect(last).toBeGreaterThan(numbers.at(-1) ?? 0);
      numbers.push(last);
    }
    expect((await signerChanges()).map(({ voter }) => voter)).toEqual(["V-1", "V-1", "V-1", "V-1"]);
  }));

test("a second live line of a voter is not stored and leaves no pending change", () =>
  inWorldWithoutTriggers(database, world, async () => {
    await insert("V-1");
    const before = await signerChanges();
    await refused(
      "insert into public.lines (team_id, campaign_id, verdict, voter_id) values ('south', 'lakes', 'accepted', 'V-1')",
      [],
      /lines_signer/,
    );
    await database.sql(
      "insert into public.lines (team_id, campaign_id, verdict, voter_id) values ('south', 'lakes', 'accepted', 'V-1') on conflict do nothing",
    );
    expect(await signerChanges()).toEqual(before);
  }));

test.each([
  ["campaign", "campaign_id = 'rivers'"],
  ["voter", "voter_id = 'V-2'"],
  ["team", "team_id = 'south'"],
  ["id", "id = gen_random_uuid()"],
  ["verdict", "verdict = 'duplicate', change_number = null"],
])("the %s of a line can't change, accepted or not, live or removed", (_, change) =>
  inWorldWithoutTriggers(database, world, async () => {
    const rows = () => database.sql("select * from public.lines order by id");
    await database.sql(
      `insert into public.lines (team_id, campaign_id, sheet, line, verdict, voter_id, removed_at)
       select 'north', 'lakes', 3, row_number() over (), v, 'V-1', r
       from unnest(array['accepted', 'other']) v, unnest(array[now(), null]) r`,
    );
    const before = await rows();
    expect(before).toHaveLength(4);
    for (const { id } of before) {
      await refused(
        `update public.lines set ${change} where id = $1`,
        [id],
        /campaign, voter and verdict of a line never change/,
      );
    }
    expect(await rows()).toEqual(before);
  }),
);

test("invalid lines have no change number and no pending change, whatever happens to them", () =>
  inWorldWithoutTriggers(database, world, async () => {
    await insert("V-1");
    const before = await signerChanges();
    await database.sql(
      `insert into public.lines (team_id, campaign_id, verdict, voter_id)
       select 'north', 'lakes', v, 'V-1' from unnest(array['duplicate', 'outside-dates', 'other']) v`,
    );
    const where = "where verdict <> 'accepted'";
    expect(await database.sql(`select distinct change_number from public.lines ${where}`)).toEqual([
      { change_number: null },
    ]);
    await database.sql(`update public.lines set removed_at = now(), removed_because = 'a test' ${where}`);
    await database.sql(`update public.lines set removed_at = null ${where}`);
    await refused(`update public.lines set change_number = 1 ${where}`, [], /lines_change_number/);
    await database.sql(`delete from public.lines ${where}`);
    expect(await signerChanges()).toEqual(before);
    expect(await resultOf("public.signer_count('lakes')")).toBe(1);
    expect(await resultOf("public.signer_page('lakes', null, 10)")).toEqual(["V-1"]);
  }));

test("truncating invalid lines doesn't rebuild a set", () =>
  inWorldWithoutTriggers(database, world, async () => {
    await database.sql("insert into public.lines (team_id, campaign_id, verdict) values ('north', 'lakes', 'other')");
    await database.sql("truncate public.lines");
    expect(await signerChanges()).toEqual([]);
  }));

test("each of 5,000 lines in one statement is pending, and truncating makes each campaign pending once", () =>
  inWorldWithoutTriggers(database, world, async () => {
    await database.sql(
      `insert into public.lines (team_id, campaign_id, verdict, voter_id)
       select 'north', 'lakes', 'accepted', 'V-' || n from generate_series(1, 5000) n`,
    );
    await insert("V-1", { campaign: "rivers" });
    expect(new Set((await signerChanges()).map(({ number }) => number)).size).toBe(5_001);
    await database.sql("delete from public.signer_changes");
    await database.sql("truncate public.lines");
    expect((await signerChanges()).map(({ campaign, voter }) => ({ campaign, voter }))).toEqual([
      { campaign: "lakes", voter: null },
      { campaign: "rivers", voter: null },
    ]);
    expect(await pending()).toMatchObject({ changes: [] });
    const requests = await resultOf("public.signer_rebuild_requests()");
    expect(requests).toEqual(["lakes", "rivers"].map((campaignId) => ({ campaignId, numbers: [expect.any(Number)] })));
  }));

test.each(["teams", "campaigns"])("%s with lines can't be deleted", (table) =>
  inWorldWithoutTriggers(database, world, async () => {
    await insert("V-1");
    const id = table === "teams" ? "north" : "lakes";
    await refused(`delete from public.${table} where id = $1`, [id], /violates foreign key/);
    expect(await database.sql("select voter_id from public.lines")).toEqual([{ voter_id: "V-1" }]);
  }),
);

test("pending changes come oldest first, with the state of each voter and the number of their last change", () =>
  inWorldWithoutTriggers(database, world, async () => {
    const first = await insert("V-1");
    const two = await insert("V-2");
    await database.sql("update public.lines set removed_at = now() where id = $1", [two.id]);
    const again = await insert("V-2");
    const three = await insert("V-3");
    await database.sql("delete from public.lines where id = $1", [three.id]);
    const deleted = (await signerChanges()).at(-1)?.number;
    const four = await insert("V-4");
    await database.sql("update public.lines set removed_at = now() where id = $1", [four.id]);
    const undone = (await signerChanges()).at(-1)?.number;
    const ids = (await database.sql<{ id: number }>("select id from public.signer_changes order by id")).map(
      ({ id }) => id,
    );

    const change = (voterId: string, member: boolean, changeNumber?: number) => ({
      campaignId: "lakes",
      voterId,
      member,
      changeNumber,
    });
    expect(await pending()).toEqual({
      ids,
      changes: expect.arrayContaining([
        change("V-1", true, first.number),
        change("V-2", true, again.number),
        change("V-3", false, deleted),
        change("V-4", false, undone),
      ]),
      left: 0,
    });
    // A change read without the later ones still has the number of the last change.
    expect(await pending(2)).toEqual({
      ids: ids.slice(0, 2),
      changes: expect.arrayContaining([change("V-1", true, first.number), change("V-2", true, again.number)]),
      left: ids.length - 2,
    });
    await resultOf("public.delete_signer_changes($1::bigint[])", [ids.slice(1)]);
    expect(await pending()).toEqual({ ids: ids.slice(0, 1), changes: [change("V-1", true, first.number)], left: 0 });
  }));

test("forgetting a change deletes the voter's pending changes up to it, and no others", () =>
  inWorldWithoutTriggers(database, world, async () => {
    const { id } = await insert("V-1");
    await insert("V-2");
    await insert("V-1", { campaign: "rivers" });
    await database.sql("update public.lines set removed_at = now() where id = $1", [id]);
    const [, second, elsewhere, undone] = await signerChanges();
    const again = await insert("V-1");
    await resultOf("public.delete_applied_signer_changes('lakes', 'V-1', $1)", [undone?.number]);
    expect(await signerChanges()).toEqual([
      second,
      elsewhere,
      { campaign: "lakes", voter: "V-1", number: again.number },
    ]);
  }));

test("live signers of a campaign are read in pages, in byte order", () =>
  inWorldWithoutTriggers(database, world, async () => {
    const voters = ["10", "9", "a", "B", "~"];
    for (const voter of voters) await insert(voter);
    await insert("undone", { removed: true });
    await insert("elsewhere", { campaign: "rivers" });
    const page = (after: string | null) => resultOf("public.signer_page('lakes', $1, 2)", [after]);
    expect(await page(null)).toEqual(["10", "9"]);
    expect(await page("9")).toEqual(["B", "a"]);
    expect(await page("a")).toEqual(["~"]);
    expect(await page("~")).toEqual([]);
  }));

const longText = "x".repeat(201);
test.each([
  ["lines", "voter_id", "two words"],
  ["lines", "voter_id", ""],
  ["lines", "voter_id", "ö"],
  ["lines", "voter_id", "x".repeat(65)],
  ["lines", "voter_id", null],
  ["lines", "verdict", "smudged"],
  ["lines", "sheet", 0],
  ["lines", "line", -1],
  ["lines", "first_name", longText],
  ["lines", "address", longText],
  ["lines", "note", "x".repeat(501)],
  ["lines", "removed_because", "x".repeat(501)],
  ["sheets", "number", 0],
  ["sheets", "circulator", ""],
  ["sheets", "circulator", longText],
  ["sheets", "collected_on", "1999-12-31"],
  ["sheets", "signature_count", -1],
])("%s can't have a %s of %j", (table, column, value) =>
  inWorldWithoutTriggers(database, world, async () => {
    const rows: Record<string, object> = { lines: { verdict: "accepted", voter_id: "V-1" }, sheets: { number: 1 } };
    const row = { ...rows[table], [column]: value };
    await refused(
      `insert into public.${table} (team_id, campaign_id, ${Object.keys(row)})
       select 'north', 'lakes', ${Object.keys(row).map((name) => `r.${name}`)}
       from jsonb_populate_record(null::public.${table}, $1::text::jsonb) r`,
      [JSON.stringify(row)],
      /check constraint/,
    );
  }),
);

test("a place on a sheet has one live line; other places, missing numbers and removed lines don't conflict", () =>
  inWorldWithoutTriggers(database, world, async () => {
    type Given = { team?: string; campaign?: string; sheet?: number | null; line?: number | null };
    const key = ({ team = "north", campaign = "lakes", sheet = 3, line = 9 }: Given = {}) => {
      const query =
        "insert into public.lines (team_id, campaign_id, sheet, line, verdict) values ($1, $2, $3, $4, 'other')";
      return [query, [team, campaign, sheet, line] as unknown[]] as const;
    };
    await database.sql(...key());
    await refused(...key(), /lines_place/);
    const nowhere = [{ sheet: null }, { line: null }, { sheet: null, line: null }];
    const elsewhere = [{ team: "south" }, { campaign: "rivers" }, { sheet: 4 }, { line: 10 }];
    for (const row of [...elsewhere, ...nowhere, ...nowhere]) await database.sql(...key(row));
    await database.sql("update public.lines set removed_at = now() where team_id = 'south'");
    await database.sql(...key({ team: "south" }));
    expect(await database.sql("select from public.lines")).toHaveLength(12);
  }));
