import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { inQuietWorld, insertUsers, uuidOf } from "../../support/access-world.ts";
import { callFunction } from "../../support/call-function.ts";
import { linePeople, lineWorld } from "../../support/line-world.ts";
import { openSqlSession, type SqlSession } from "../../support/sql-session.ts";

let database: SqlSession;
beforeAll(async () => {
  database = await openSqlSession();
  await insertUsers(database, linePeople);
});
afterAll(() => database.close());

// Each test in a world that is gone afterwards; within one transaction, so all of it happens at one moment.
const inLines = (run: () => Promise<void>) => inQuietWorld(database, lineWorld, run);

const call = (name: string, ...given: unknown[]) => callFunction(database, name, given);

const ids = { a: uuidOf("line a"), b: uuidOf("line b"), c: uuidOf("line c") };
const line = (given: Record<string, unknown> = {}) => ({
  id: ids.a,
  team: "north",
  campaign: "lakes",
  verdict: "accepted",
  voterId: "V-1",
  firstName: "Ann",
  lastName: "Lee",
  address: "12 Oak St",
  city: "Lund",
  county: null,
  zip: "12345",
  sheet: 3,
  line: 9,
  signedOn: "2026-11-02",
  note: null,
  ...given,
});
const rejectedLine = (given: Record<string, unknown> = {}) => ({
  id: ids.c,
  team: "north",
  campaign: "lakes",
  sheet: 3,
  line: 10,
  verdict: "illegible",
  voterId: null,
  note: "a coffee stain",
  ...given,
});
const record = (who: string, given?: Record<string, unknown>) => call("record_line", uuidOf(who), line(given));
const reject = (who: string, given?: Record<string, unknown>) => call("record_line", uuidOf(who), rejectedLine(given));
const remove = (who: string, id: string, team = "north", campaign = "lakes", because: string | null = "a test") =>
  call("remove_line", uuidOf(who), team, campaign, id, because);

async function all() {
  const [row] = await database.sql<{ rows: Record<string, Record<string, unknown>[]> }>(
    `select jsonb_build_object(
       'lines', (select coalesce(jsonb_agg(to_jsonb(l) order by l.entered_at, l.id), '[]') from public.lines l),
       'sheets', (select coalesce(jsonb_agg(to_jsonb(h) order by h.team_id, h.number), '[]') from public.sheets h),
       'notes', (select coalesce(jsonb_agg(to_jsonb(n) - 'id' order by n.id), '[]') from public.signer_changes n)) as rows`,
  );
  if (!row) throw new Error("There is no answer.");
  return row.rows;
}
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const stored = { enteredAt: expect.stringMatching(isoTime), again: false };
const accepted = { outcome: "accepted", voterId: "V-1", changeNumber: expect.any(Number), ...stored };
const rejected = { outcome: "rejected", ...stored };
// A line as the table has it.
const row = (given: Record<string, unknown> = {}) => ({
  id: ids.a,
  team_id: "north",
  campaign_id: "lakes",
  sheet: 3,
  line: 9,
  verdict: "accepted",
  voter_id: "V-1",
  first_name: "Ann",
  last_name: "Lee",
  address: "12 Oak St",
  city: "Lund",
  county: null,
  zip: "12345",
  signed_on: "2026-11-02",
  note: null,
  entered_by: uuidOf("ada"),
  entered_at: expect.any(String),
  removed_at: null,
  removed_by: null,
  removed_because: null,
  change_number: null,
  stored_number: expect.any(Number),
  ...given,
});
const idTaken = { outcome: "id-taken" };

describe("a line to be accepted", () => {
  test("is stored as it was given, and the change is noted", () =>
    inLines(async () => {
      const answer = await record("ada");
      expect(answer).toEqual(accepted);
      const { changeNumber } = answer as { changeNumber: number };
      const { lines, notes } = await all();
      expect(lines).toEqual([row({ change_number: changeNumber })]);
      expect(notes).toEqual([
        { campaign_id: "lakes", voter_id: "V-1", change_number: changeNumber, created_at: expect.any(String) },
      ]);
    }));

  test("answers a duplicate with the line of her own team, and keeps it for the counts", () =>
    inLines(async () => {
      await record("ada");
      const before = await all();
      expect(await record("bea", { id: ids.b, sheet: 7, line: 1 })).toEqual({
        ...{ outcome: "duplicate", voterId: "V-1", ...stored },
        of: { ownTeam: true, enteredAt: expect.stringMatching(isoTime), enteredBy: "ada", sheet: 3, line: 9 },
      });
      const after = await all();
      const duplicate = row({ id: ids.b, sheet: 7, line: 1, verdict: "duplicate", entered_by: uuidOf("bea") });
      expect(after.lines).toHaveLength(2);
      expect(after.lines).toEqual(expect.arrayContaining([...(before.lines ?? []), duplicate]));
      expect(after.notes).toEqual(before.notes);
      expect(after.sheets?.map(({ number }) => number)).toEqual([3, 7]);
    }));

  test("tells of another team's line nothing but that there is one", () =>
    inLines(async () => {
      await record("sam", { team: "south" });
      const told = { outcome: "duplicate", voterId: "V-1", ...stored, of: { ownTeam: false } };
      expect(await record("ada", { id: ids.b })).toEqual(told);
    }));

  test("names nobody whose account is gone", () =>
    inLines(async () => {
      await record("ada");
      await database.sql("delete from auth.users where id = $1", [uuidOf("ada")]);
      expect(await record("bea", { id: ids.b, line: 10 })).toEqual({
        ...{ outcome: "duplicate", voterId: "V-1", ...stored },
        of: { ownTeam: true, enteredAt: expect.any(String), sheet: 3, line: 9 },
      });
    }));

  test("answers a line that is sent again as it did, and stores nothing more", () =>
    inLines(async () => {
      const first = await record("ada");
      const duplicate = await record("bea", { id: ids.b, line: 10 });
      const before = await all();
      expect(await record("ada")).toEqual({ ...(first as object), again: true });
      expect(await record("bea", { id: ids.b, line: 10 })).toEqual({ ...(duplicate as object), again: true });
      expect(await all()).toEqual(before);
    }));

  test("answers removed when an undone line is sent again, also when the voter has been entered anew", () =>
    inLines(async () => {
      const first = (await record("ada")) as { changeNumber: number };
      const undone = (await remove("ada", ids.a)) as { changeNumber: number };
      expect(undone.changeNumber).toBeGreaterThan(first.changeNumber);
      const removed = { ...accepted, outcome: "removed", again: true, changeNumber: undone.changeNumber };
      expect(await record("ada")).toEqual(removed);
      expect(await record("ada", { id: ids.b })).toEqual(accepted);
      const before = await all();
      expect(await record("ada")).toEqual(removed);
      expect(await all()).toEqual(before);
    }));

  test("does not take an id for a line that says anything else, accepted or duplicate before", () =>
    inLines(async () => {
      await record("ada");
      expect(await record("max", { id: ids.b, line: 10 })).toMatchObject({ outcome: "duplicate" });
      const before = await all();
      for (const changed of [
        ...[{ firstName: "Anne" }, { lastName: "Li" }, { address: "13 Oak St" }, { city: null }, { county: "King" }],
        ...[{ zip: "12346" }, { signedOn: null }, { note: "a coffee stain" }, { sheet: null }],
      ]) {
        expect(await record("ada", changed)).toEqual({ ...idTaken, by: { sheet: 3, line: 9 } });
        const other = await record("max", { line: 10, ...changed, id: ids.b });
        expect(other).toEqual({ ...idTaken, by: { sheet: 3, line: 10 } });
      }
      expect(await record("sam", { team: "south" })).toEqual(idTaken); // of another team's line it tells nothing
      expect(await all()).toEqual(before);
    }));

  test("knows a line that was moved since by where it was entered, and says where it is now", () =>
    inLines(async () => {
      await record("ada");
      await call("move_line", uuidOf("ada"), "north", "lakes", ids.a, 5, 1);
      await call("renumber_sheet", uuidOf("ada"), "north", "lakes", 5, 6);
      const before = await all();
      expect(await record("ada")).toEqual({ ...accepted, again: true });
      const now = { ...idTaken, by: { sheet: 6, line: 1 } };
      expect(await record("ada", { sheet: 6, line: 1 })).toEqual(now);
      expect(await record("ada", { firstName: "Anne" })).toEqual(now);
      expect(await all()).toEqual(before);
    }));

  test.each([
    ["an hour ago", "1 hour", "1 hour"],
    ["in a minute", "-1 minute", "0"],
    ["eight days ago", "8 days", "0"],
  ])("counts a line that says it was keyed %s as keyed %2$s ago", (_, given, stored) =>
    inLines(async () => {
      const [{ at } = { at: "" }] = await database.sql<{ at: string }>(
        "select private.utc(now() - $1::interval) as at",
        [given],
      );
      await record("ada", { enteredAt: at });
      const rows = await database.sql(
        "select abs(extract(epoch from now() - $1::interval - entered_at)) < 0.01 as so from public.lines",
        [stored],
      );
      expect(rows).toEqual([{ so: true }]);
    }),
  );
});

describe("a line that does not count", () => {
  test("is stored once, and no change of signers is noted", () =>
    inLines(async () => {
      const answer = { ...rejected, voterId: "V-1" };
      expect(await reject("ada", { voterId: "V-1" })).toEqual(answer);
      const after = await all();
      const nothing = { first_name: null, last_name: null, address: null, city: null, zip: null, signed_on: null };
      expect(after).toEqual({
        sheets: [expect.objectContaining({ number: 3, opened_by: uuidOf("ada") })],
        notes: [],
        lines: [row({ ...nothing, id: ids.c, line: 10, verdict: "illegible", note: "a coffee stain" })],
      });
      expect(await reject("ada", { voterId: "V-1" })).toEqual({ ...answer, again: true });
      expect(await all()).toEqual(after);
    }));
});

describe("remove_line", () => {
  test("answers whom the set must lose, keeps the line with who removed it, and notes the change", () =>
    inLines(async () => {
      await record("ada");
      const [before] = (await all()).lines ?? [];
      const answer = await remove("max", ids.a);
      expect(answer).toEqual({ outcome: "removed", voterId: "V-1", changeNumber: expect.any(Number), again: false });
      const { changeNumber } = answer as { changeNumber: number };
      const { lines, notes } = await all();
      expect(lines).toEqual([
        {
          ...before,
          removed_at: expect.any(String),
          removed_by: uuidOf("max"),
          removed_because: "a test",
          change_number: changeNumber,
        },
      ]);
      expect(notes?.map(({ change_number }) => change_number)).toEqual([before?.change_number, changeNumber]);
    }));

  // Redis remembers the number of her newer line for an hour, and an undo may wait longer than that in a browser.
  test("names nobody for the set to lose when it is sent again after the voter was entered anew", () =>
    inLines(async () => {
      await record("ada");
      await remove("ada", ids.a);
      await record("bea", { id: ids.b });
      const before = await all();
      expect(await remove("ada", ids.a)).toEqual({ outcome: "removed" });
      expect(await all()).toEqual(before);
    }));
});

// As the world makes a team, but for one test.
const region = { timeZone: "UTC", locale: "en-US" };

describe("a line whose place is taken", () => {
  const place = { sheet: 3, line: 9 };
  const taken = (given: Record<string, unknown>) => ({
    outcome: "line-taken",
    taken: { id: ids.a, enteredBy: "ada", mine: false, enteredAt: expect.stringMatching(isoTime), ...region, ...given },
  });
  const ann = taken({ verdict: "accepted", voterId: "V-1", firstName: "Ann", lastName: "Lee" });

  test("and one outside the days are told in the locale and the zone of the clerk's team", () =>
    inLines(async () => {
      const own = { timeZone: "Europe/Berlin", locale: "de-DE" };
      await database.sql("update public.teams set time_zone = $1, locale = $2 where id = 'north'", Object.values(own));
      await record("ada");
      expect(await record("bea", { voterId: "V-2", id: ids.b })).toEqual({ ...ann, taken: { ...ann.taken, ...own } });
      await database.sql("update public.campaigns set ends_on = '2026-11-01' where id = 'lakes'");
      const outside = { outcome: "outside-dates", startsOn: null, endsOn: "2026-11-01", ...own };
      expect(await record("bea", { id: ids.b, line: 10 })).toEqual(outside);
    }));

  test("is told what stands there when that does not count, or its clerk is gone", () =>
    inLines(async () => {
      await reject("ada", place);
      expect(await record("bea")).toEqual(taken({ id: ids.c, verdict: "illegible" }));
      await database.sql("delete from auth.users where id = $1", [uuidOf("ada")]);
      const { taken: told } = taken({ id: ids.c, verdict: "illegible" });
      const { enteredBy: _, ...nobody } = told;
      expect(await record("bea")).toEqual({ outcome: "line-taken", taken: nobody });
    }));
});

describe("the campaign's days", () => {
  const days = (startsOn: string | null, endsOn: string | null) =>
    database.sql("update public.campaigns set starts_on = $1, ends_on = $2 where id = 'lakes'", [startsOn, endsOn]);

  test("that change un-accept no line, also one that is sent again; those outside are listed", () =>
    inLines(async () => {
      const at = (line: number, given: Record<string, unknown>) => ({ id: uuidOf(`line ${line}`), line, ...given });
      await record("ada", at(1, { voterId: "V-1", signedOn: "2026-10-31" }));
      await record("bea", at(2, { voterId: "V-2", signedOn: "2026-12-01" }));
      await record("ada", at(3, { voterId: "V-3", signedOn: "2026-11-15" }));
      await record("ada", at(4, { voterId: "V-4", signedOn: null }));
      await record("ada", at(5, { voterId: "V-5", signedOn: "2026-10-01", verdict: "not-found" }));
      await record("ada", at(6, { voterId: "V-6", signedOn: "2026-10-01" }));
      await remove("ada", uuidOf("line 6"));
      await record("sam", at(7, { team: "south", voterId: "V-7", signedOn: "2026-10-01" }));
      await record("oda", at(8, { campaign: "rivers", voterId: "V-8", signedOn: "2026-10-01" }));
      const before = await all();
      const outside = (limit: number) => call("lines_outside_dates", "north", "lakes", limit);
      expect(await outside(5)).toEqual({ count: 0, lines: [] });

      await days("2026-11-01", "2026-11-30");
      expect(await all()).toEqual(before);
      expect(await record("ada", at(1, { voterId: "V-1", signedOn: "2026-10-31" }))).toEqual({
        ...accepted,
        again: true,
      });
      const lines = [
        { id: uuidOf("line 1"), sheet: 3, line: 1, signedOn: "2026-10-31" },
        { id: uuidOf("line 2"), sheet: 3, line: 2, signedOn: "2026-12-01" },
      ];
      expect(await outside(5)).toEqual({ count: 2, lines });
      expect(await outside(1)).toEqual({ count: 2, lines: lines.slice(0, 1) });
      expect(await call("lines_outside_dates", "south", "lakes", 5)).toMatchObject({ count: 1 });
      expect(await call("lines_outside_dates", "north", "nowhere", 5)).toEqual({ count: 0, lines: [] });
      await days(null, null);
      expect(await outside(5)).toEqual({ count: 0, lines: [] });
    }));
});

describe("sheets", () => {
  const open = (who: string, number: number | null = null, team = "north", campaign = "lakes") =>
    call("open_sheet", uuidOf(who), team, campaign, number);
  const close = (who: string, number: number, team = "north", campaign = "lakes") =>
    call("close_sheet", uuidOf(who), team, campaign, number);
  const sheet = (given: Record<string, unknown>) => ({
    circulator: null,
    collectedOn: null,
    signatureCount: null,
    openedBy: "ada",
    mine: true,
    openedAt: expect.stringMatching(isoTime),
    closedAt: null,
    lines: 0,
    nextLine: 1,
    clerks: [],
    ...given,
  });

  test("are numbered on in each team and campaign, after the greatest number there", () =>
    inLines(async () => {
      expect(await open("ada")).toEqual({ outcome: "opened", sheet: sheet({ number: 1 }) });
      expect(await open("ada", 41)).toEqual({ outcome: "opened", sheet: sheet({ number: 41 }) });
      expect(await open("bea")).toEqual({ outcome: "opened", sheet: sheet({ number: 42, openedBy: "bea" }) });
      expect(await open("sam", null, "south")).toMatchObject({ sheet: { number: 1 } });
      expect(await open("oda", null, "north", "rivers")).toMatchObject({ sheet: { number: 1 } });
    }));

  test("are resumed by whoever opens them again, at the next line; undone lines do not count", () =>
    inLines(async () => {
      await open("ada", 3);
      await record("ada", { line: 1 });
      await reject("ada", { line: 2 });
      await record("ada", { id: ids.b, voterId: "V-2", line: 3 });
      expect(await open("bea", 3)).toEqual({
        outcome: "opened",
        sheet: sheet({
          ...{ number: 3, openedBy: "bea", lines: 3, nextLine: 4 },
          clerks: [{ name: "ada", mine: false, lines: 3 }],
        }),
      });
      await remove("ada", ids.b);
      await record("sam", { id: uuidOf("south's"), team: "south", voterId: "V-3", line: 50 });
      expect(await open("bea", 3)).toMatchObject({ sheet: { lines: 2, nextLine: 3 } });
    }));

  test("are closed once, and opened again", () =>
    inLines(async () => {
      await open("ada", 3);
      const closed = { outcome: "closed", sheet: sheet({ number: 3, closedAt: expect.stringMatching(isoTime) }) };
      expect(await close("ada", 3)).toEqual(closed);
      const before = await all();
      expect(await close("ada", 3)).toEqual(closed);
      expect(await all()).toEqual(before);
      expect(await open("ada", 3)).toEqual({ outcome: "opened", sheet: sheet({ number: 3 }) });
    }));
});

test("signed_already tells one's own team where and by whom, another team's line alone, and removed ones not", () =>
  inLines(async () => {
    await record("ada", { voterId: "__proto__" });
    await record("ada", { id: ids.b, voterId: "V-2", sheet: null, line: null });
    await record("sam", { id: ids.c, team: "south", voterId: "V-3" });
    await record("ada", { id: uuidOf("undone"), voterId: "V-4", line: 10 });
    await remove("ada", uuidOf("undone"));
    await record("oda", { id: uuidOf("elsewhere"), campaign: "rivers", voterId: "V-5" });
    const [row] = await database.sql<{ pairs: unknown }>(
      `select jsonb_agg(jsonb_build_array(key, value) order by key collate "C") as pairs
       from jsonb_each(public.signed_already('north', 'lakes', $1::text[]))`,
      [["__proto__", "V-2", "V-3", "V-4", "V-5", "V-6"]],
    );
    const own = { ownTeam: true, enteredAt: expect.stringMatching(isoTime), enteredBy: "ada" };
    expect(row?.pairs).toEqual([
      ["V-2", own],
      ["V-3", { ownTeam: false }],
      ["__proto__", { ...own, sheet: 3, line: 9 }],
    ]);
  }));
