// What becomes of lines after they were keyed: removed, restored, moved and renumbered, with their history.
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

const inLines = (run: () => Promise<void>) => inQuietWorld(database, lineWorld, run);

type Given = { team?: string; campaign?: string };
const as = (name: string, who: string, { team = "north", campaign = "lakes" }: Given, ...given: unknown[]) =>
  callFunction(database, name, [uuidOf(who), team, campaign, ...given]);
type Change = Given & { because?: string | null };
const remove = (who: string, id: string, { because = "a test", ...at }: Change = {}) =>
  as("remove_line", who, at, uuidOf(id), because);
const restore = (who: string, id: string, { because = null, ...at }: Change = {}) =>
  as("restore_line", who, at, uuidOf(id), because);
const move = (who: string, id: string, [sheet, line]: [number, number], { because = null, ...at }: Change = {}) =>
  as("move_line", who, at, uuidOf(id), sheet, line, because);
const renumber = (who: string, from: number, to: number, { because = null, ...at }: Change = {}) =>
  as("renumber_sheet", who, at, from, to, because);
const open = (who: string, number: number | null, paper: object | null = null, at: Given = {}) =>
  as("open_sheet", who, at, number, paper);
const write = (who: string, number: number, paper: object, at: Given = {}) => as("write_paper", who, at, number, paper);

const voterOf = (id: string) => `V-${id.replaceAll(/[^a-z]/g, "-")}`;
/** Keys a line, named by `id`; accepted, for a voter of the same name, unless told. */
async function key(who: string, id: string, [sheet, line]: [number | null, number | null], given: object = {}) {
  const place = { team: "north", campaign: "lakes", sheet, line };
  const voter = { verdict: "accepted", voterId: voterOf(id), firstName: "Ann", lastName: "Lee" };
  return callFunction(database, "record_line", [uuidOf(who), { id: uuidOf(id), ...place, ...voter, ...given }]);
}
const blank = { verdict: "blank", voterId: null, firstName: null, lastName: null };

type Row = Record<string, unknown>;
async function all() {
  const [row] = await database.sql<{ rows: { lines: Row[]; sheets: Row[]; notes: Row[]; history: Row[]; log: Row[] } }>(
    `select jsonb_build_object(
       'lines', (select coalesce(jsonb_agg(to_jsonb(l) order by l.id), '[]') from public.lines l),
       'sheets', (select coalesce(jsonb_agg(to_jsonb(h) order by h.team_id, h.number), '[]') from public.sheets h),
       'notes', (select coalesce(jsonb_agg(to_jsonb(n) - 'id' order by n.id), '[]') from public.signer_changes n),
       'history', (select coalesce(jsonb_agg(to_jsonb(c) order by c.id), '[]') from public.line_changes c),
       'log', (select coalesce(jsonb_agg(to_jsonb(a) order by a.id), '[]') from public.audit_log a
         where a.table_name = 'lines')) as rows`,
  );
  if (!row) throw new Error("There is no answer.");
  return row.rows;
}
/** Says that nothing changes by what is done, and gives its answer. */
async function changingNothing(run: () => Promise<unknown>) {
  const before = await all();
  const answer = await run();
  expect(await all()).toEqual(before);
  return answer;
}
const lineNamed = async (id: string) => (await all()).lines.find((line) => line.id === uuidOf(id));
const placeOf = async (id: string) => {
  const line = await lineNamed(id);
  return [line?.sheet, line?.line];
};
const numbers = async () =>
  (await all()).sheets.filter(({ team_id }) => team_id === "north").map(({ number }) => number);

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const enteredAt = expect.stringMatching(isoTime);
const region = { timeZone: "UTC", locale: "en-US" };
const changeNumber = expect.any(Number);
const taken = (id: string, given: object = {}) => ({
  ...{ id: uuidOf(id), verdict: "accepted", voterId: `V-${id}`, firstName: "Ann", lastName: "Lee" },
  ...{ enteredBy: "ada", mine: false, enteredAt, ...region, ...given },
});
const sheetLine = (id: string, line: number, given: object = {}) => ({
  ...{ id: uuidOf(id), line, verdict: "accepted", voterId: `V-${id}`, firstName: "Ann", lastName: "Lee" },
  ...{ city: null, zip: null, note: null, signedOn: null, enteredBy: "ada", mine: false, enteredAt, ...given },
});

describe("the history", () => {
  const history = async () =>
    (await all()).history.map(({ line_id, kind, actor_id, because, ...row }) => {
      const before = [row.sheet_before, row.line_before];
      return { line_id, kind, actor_id, because, before, after: [row.sheet_after, row.line_after] };
    });
  const entry = (kind: string, who: string | null, given: object = {}) => ({
    ...{ line_id: uuidOf("a"), kind, actor_id: who && uuidOf(who), because: null },
    ...{ before: [3, 9], after: [3, 9], ...given },
  });

  test("tells what became of a line, by whom and why", () =>
    inLines(async () => {
      await key("ada", "a", [3, 9]);
      await remove("ada", "a", { because: null });
      await restore("max", "a", { because: "  the paper is clear " });
      await move("ada", "a", [4, 1], { because: "keyed on the wrong sheet" });
      await renumber("max", 4, 5);
      await remove("ada", "a", { because: "crossed out" });
      await restore("ada", "a");
      await remove("max", "a", { because: "not hers" });
      const at = (sheet: number, line: number) => ({ before: [sheet, line], after: [sheet, line] });
      expect(await history()).toEqual([
        entry("undone", "ada"),
        entry("restored", "max", { because: "the paper is clear" }),
        entry("moved", "ada", { because: "keyed on the wrong sheet", after: [4, 1] }),
        entry("moved", "max", { before: [4, 1], after: [5, 1] }),
        entry("removed", "ada", { because: "crossed out", ...at(5, 1) }),
        entry("restored", "ada", at(5, 1)),
        entry("removed", "max", { because: "not hers", ...at(5, 1) }),
      ]);
    }));

  test("is written for changes by SQL, which nobody is named for, also after somebody's in one transaction", () =>
    inLines(async () => {
      await key("ada", "a", [3, 9]);
      await move("ada", "a", [3, 10], { because: "a slip" });
      const sql = (set: string) => database.sql(`update public.lines set ${set}`);
      await sql("sheet = 4");
      await sql("removed_at = now()");
      await sql("removed_at = null, line = null");
      await sql("removed_at = now(), removed_because = 'cleaning up'");
      expect((await history()).slice(1)).toEqual([
        entry("moved", null, { before: [3, 10], after: [4, 10] }),
        entry("removed", null, { before: [4, 10], after: [4, 10] }),
        entry("moved", null, { before: [4, 10], after: [4, null] }),
        entry("restored", null, { before: [4, 10], after: [4, null] }),
        entry("removed", null, { because: "cleaning up", before: [4, null], after: [4, null] }),
      ]);
    }));

  test("tells nothing of other changes, and outlasts the line", () =>
    inLines(async () => {
      await key("ada", "a", [3, 9]);
      await database.sql("update public.lines set first_name = 'Anna', removed_because = 'x'");
      await move("ada", "a", [3, 9]);
      await remove("ada", "a", { because: null });
      await remove("ada", "a");
      await database.sql("update public.lines set removed_at = now() + interval '1 hour'");
      await database.sql("delete from public.lines");
      expect(await history()).toEqual([entry("undone", "ada")]);
    }));

  test("stands in the activity, but for what clerks undo: of the voter her name and id alone", () =>
    inLines(async () => {
      await database.sql(
        "insert into public.profiles (user_id, name) select id, 'Max' from auth.users where id = $1 on conflict (user_id) do update set name = 'Max'",
        [uuidOf("max")],
      );
      await key("ada", "a", [3, 9], { address: "12 Oak St", note: "x" });
      await remove("ada", "a", { because: null });
      await restore("max", "a", { because: "clear" });
      await move("max", "a", [4, 1]);
      await remove("max", "a", { because: "not hers" });
      await database.sql("update public.lines set removed_at = null");
      const line = {
        ...{ id: uuidOf("a"), verdict: "accepted", voter_id: "V-a", first_name: "Ann", last_name: "Lee" },
        ...{ campaign_id: "lakes", campaign_name: "lakes" },
      };
      const told = (
        kind: string,
        because: string | null,
        [from, to]: [number, number][],
        who: string | null = "Max",
      ) => ({
        ...{ actor_name: who, action: "update", table_name: "lines", team_id: "north", campaign_id: "lakes" },
        before: { ...line, sheet: from?.[0], line: from?.[1] },
        after: { ...line, sheet: to?.[0], line: to?.[1], kind, because },
      });
      const { log } = await all();
      expect(log).toEqual(
        [
          told("restored", "clear", [
            [3, 9],
            [3, 9],
          ]),
          told("moved", null, [
            [3, 9],
            [4, 1],
          ]),
          told("removed", "not hers", [
            [4, 1],
            [4, 1],
          ]),
          told(
            "restored",
            null,
            [
              [4, 1],
              [4, 1],
            ],
            null,
          ),
        ].map((entry) => expect.objectContaining(entry)),
      );
      expect(log.map(({ actor_id }) => actor_id)).toEqual([uuidOf("max"), uuidOf("max"), uuidOf("max"), null]);
    }));
});

describe("a restored line", () => {
  test("stands as it stood: it counts again, under a new number of change", () =>
    inLines(async () => {
      await key("ada", "a", [3, 9]);
      const before = await lineNamed("a");
      const { changeNumber: removed } = (await remove("max", "a")) as { changeNumber: number };
      const answer = (await restore("max", "a")) as { changeNumber: number };
      expect(answer).toEqual({ outcome: "restored", voterId: "V-a", changeNumber, again: false });
      expect(answer.changeNumber).toBeGreaterThan(removed);
      expect(await lineNamed("a")).toEqual({ ...before, change_number: answer.changeNumber });
      expect((await all()).notes.at(-1)).toMatchObject({ voter_id: "V-a", change_number: answer.changeNumber });
      expect(await changingNothing(() => restore("max", "a"))).toEqual({ ...answer, again: true });
      expect(await changingNothing(() => key("ada", "a", [3, 9]))).toMatchObject({ outcome: "accepted", again: true });
    }));

  test.each(["duplicate", "illegible", "blank"])("of verdict %s tells of no voter", (verdict) =>
    inLines(async () => {
      await key("ada", "a", [3, 9], { verdict, voterId: verdict === "blank" ? null : "V-a" });
      await remove("ada", "a");
      expect(await restore("ada", "a")).toEqual({ outcome: "restored", again: false });
      expect(await lineNamed("a")).toMatchObject({
        removed_at: null,
        removed_by: null,
        removed_because: null,
        verdict,
      });
      expect((await all()).notes).toEqual([]);
    }),
  );

  test("whose voter has signed meanwhile stays removed, and is told where", () =>
    inLines(async () => {
      await key("ada", "a", [3, 9]);
      await remove("max", "a");
      await key("bea", "b", [7, 1], { voterId: "V-a" });
      const of = { ownTeam: true, enteredAt, enteredBy: "bea", sheet: 7, line: 1 };
      expect(await changingNothing(() => restore("max", "a"))).toEqual({ outcome: "duplicate", of });
      await remove("max", "b");
      await key("sam", "c", [1, 1], { team: "south", voterId: "V-a" });
      const elsewhere = { outcome: "duplicate", of: { ownTeam: false } };
      expect(await changingNothing(() => restore("max", "a"))).toEqual(elsewhere);
      await remove("sam", "c", { team: "south" });
      expect(await restore("max", "a")).toMatchObject({ outcome: "restored" });
    }));

  test("whose place is taken meanwhile stays removed, and is told by what", () =>
    inLines(async () => {
      await key("ada", "a", [3, 9]);
      await remove("ada", "a");
      await key("ada", "b", [3, 9]);
      const where = { sheet: 3, line: 9, signedOn: null };
      expect(await changingNothing(() => restore("max", "a"))).toEqual({
        ...{ outcome: "line-taken", taken: taken("b") },
        ...where,
      });
      expect(await changingNothing(() => restore("ada", "a"))).toMatchObject({ taken: taken("b", { mine: true }) });
      await move("max", "b", [3, 10]);
      expect(await restore("max", "a")).toMatchObject({ outcome: "restored" });
    }));

  test("that was signed outside the days as they are now stays removed", () =>
    inLines(async () => {
      await key("ada", "a", [3, 9], { signedOn: "2026-11-01" });
      await key("ada", "b", [3, 10], { signedOn: "2026-11-01", verdict: "outside-dates" });
      for (const id of ["a", "b"]) await remove("ada", id);
      await database.sql("update public.campaigns set starts_on = '2026-11-02' where id = 'lakes'");
      const days = { startsOn: "2026-11-02", endsOn: null, ...region };
      expect(await changingNothing(() => restore("ada", "a"))).toEqual({
        ...{ outcome: "outside-dates", ...days, sheet: 3, line: 9, signedOn: "2026-11-01" },
      });
      expect(await restore("ada", "b")).toMatchObject({ outcome: "restored" });
    }));

  test("of her own that others removed is restored by none who may not remove others' lines", () =>
    inLines(async () => {
      await key("ada", "a", [3, 1]);
      for (const by of ["max", null]) {
        if (by) await remove(by, "a");
        else await database.sql("update public.lines set removed_at = now()");
        expect(await changingNothing(() => restore("ada", "a"))).toEqual({ outcome: "not-allowed" });
        expect(await restore("rex", "a")).toMatchObject({ outcome: "restored" });
      }
    }));
});

describe("a moved line", () => {
  test("keeps all but its place, its number of change and its note too; a sheet that is not there is started", () =>
    inLines(async () => {
      await key("ada", "a", [3, 9]);
      const before = await all();
      expect(await move("ada", "a", [8, 2])).toEqual({ outcome: "moved" });
      const { lines, sheets, notes } = await all();
      expect({ lines, notes }).toEqual({ lines: [{ ...before.lines[0], sheet: 8, line: 2 }], notes: before.notes });
      expect(sheets).toEqual([
        ...before.sheets,
        expect.objectContaining({ number: 8, opened_by: uuidOf("ada"), closed_at: null }),
      ]);
      expect(await changingNothing(() => move("ada", "a", [8, 2]))).toEqual({ outcome: "moved" });
      expect(await changingNothing(() => key("ada", "a", [3, 9]))).toMatchObject({ outcome: "accepted", again: true });
    }));

  test("leaves the sheet that is there as it is, closed or not", () =>
    inLines(async () => {
      await open("bea", 8, { circulator: "Ola Berg" });
      await as("close_sheet", "bea", {}, 8);
      await key("ada", "a", [3, 9]);
      const { sheets } = await all();
      await move("ada", "a", [8, 2]);
      expect((await all()).sheets).toEqual(sheets);
    }));
});

describe("a renumbered sheet", () => {
  test("has all lines of the old one, the removed ones too, and what its paper says; the old number is free", () =>
    inLines(async () => {
      const paper = { circulator: "Ola Berg", collectedOn: "2026-11-01", signatureCount: 4 };
      await open("ada", 710, paper);
      await as("close_sheet", "ada", {}, 710);
      await key("ada", "a", [710, 1]);
      await key("ada", "b", [710, 2], blank);
      await key("ada", "c", [710, 3], { verdict: "illegible" });
      await key("ada", "d", [710, null]);
      await key("ada", "e", [710, 3 + 1]);
      await remove("ada", "e", { because: null });
      const before = await all();
      expect(await renumber("ada", 710, 701, { because: "a slip" })).toEqual({
        outcome: "renumbered",
        sheet: {
          ...{ number: 701, ...paper, openedBy: "ada", mine: true, openedAt: enteredAt, closedAt: enteredAt },
          ...{ lines: 3, nextLine: 4, clerks: [{ name: "ada", mine: true, lines: 3 }] },
        },
      });
      const after = await all();
      expect(after.lines).toEqual(before.lines.map((line) => ({ ...line, sheet: 701 })));
      expect(after.notes).toEqual(before.notes);
      expect(after.sheets).toEqual(before.sheets.map((sheet) => ({ ...sheet, id: expect.any(String), number: 701 })));
      expect(after.history.slice(1).map(({ kind, because }) => [kind, because])).toEqual(
        before.lines.map(() => ["moved", "a slip"]),
      );
      expect(await restore("ada", "e")).toMatchObject({ outcome: "restored" });
      expect(await placeOf("e")).toEqual([701, 4]);
    }));

  test("joins one that is there: its lines stay, and its paper says what it said, else what the old one's did", () =>
    inLines(async () => {
      await open("bea", 701, { circulator: "Noor" });
      await key("bea", "there", [701, 1]);
      await open("ada", 710, { circulator: "Ola Berg", signatureCount: 9 });
      await key("ada", "a", [710, 2]);
      const clerks = [
        { name: "ada", mine: true, lines: 1 },
        { name: "bea", mine: false, lines: 1 },
      ];
      expect(await renumber("ada", 710, 701)).toMatchObject({
        sheet: { number: 701, circulator: "Noor", signatureCount: 9, openedBy: "bea", lines: 2, clerks },
      });
      expect(await numbers()).toEqual([701]);
      expect(await placeOf("there")).toEqual([701, 1]);
    }));

  test("is not, when lines stand at both numbers: all of these are told, and nothing is moved", () =>
    inLines(async () => {
      await open("ada", 710);
      for (const [id, line] of [
        ["a", 1],
        ["b", 2],
        ["c", 3],
      ] as const)
        await key("ada", id, [710, line]);
      await key("bea", "x", [701, 3]);
      await key("bea", "y", [701, 1], blank);
      await key("bea", "z", [701, 2]);
      await remove("bea", "z");
      expect(await changingNothing(() => renumber("ada", 710, 701))).toEqual({
        outcome: "conflicts",
        conflicts: [
          {
            line: 1,
            here: sheetLine("a", 1, { mine: true }),
            there: sheetLine("y", 1, { ...blank, enteredBy: "bea" }),
          },
          { line: 3, here: sheetLine("c", 3, { mine: true }), there: sheetLine("x", 3, { enteredBy: "bea" }) },
        ],
      });
      await remove("ada", "c");
      await move("ada", "a", [710, 9]);
      expect(await renumber("ada", 710, 701)).toMatchObject({ outcome: "renumbered" });
      expect([await placeOf("a"), await placeOf("c")]).toEqual([
        [701, 9],
        [701, 3],
      ]);
    }));

  test("is so also by a clerk on whose sheet others' lines are all removed", () =>
    inLines(async () => {
      await key("ada", "a", [3, 1]);
      await key("bea", "b", [3, 2]);
      expect(await changingNothing(() => renumber("ada", 3, 4))).toEqual({ outcome: "not-allowed" });
      await remove("bea", "b");
      expect(await renumber("ada", 3, 4)).toMatchObject({ outcome: "renumbered" });
    }));
});

describe("a sheet", () => {
  const paper = { circulator: "Ola Berg", collectedOn: "2026-11-01", signatureCount: 18 };
  const nothing = { circulator: null, collectedOn: null, signatureCount: null };

  test("says what its paper says, as far as that is given, from when it is opened on", () =>
    inLines(async () => {
      expect(await open("ada", 3)).toMatchObject({ sheet: { number: 3, ...nothing } });
      expect(await open("ada", 3, paper)).toMatchObject({ sheet: { number: 3, ...paper } });
      expect(await open("bea", 3)).toMatchObject({ sheet: paper });
      expect(await open("ada", 3, { collectedOn: null })).toMatchObject({ sheet: { ...paper, collectedOn: null } });
      expect(await open("ada", null, paper)).toMatchObject({ sheet: { number: 4, ...paper } });
    }));

  test("is written on without being taken over or opened again", () =>
    inLines(async () => {
      await open("bea", 3, paper);
      await as("close_sheet", "bea", {}, 3);
      expect(await write("ada", 3, { signatureCount: 17 })).toMatchObject({
        outcome: "written",
        sheet: { ...paper, signatureCount: 17, openedBy: "bea", closedAt: enteredAt },
      });
      expect(await write("ada", 3, nothing)).toMatchObject({ sheet: nothing });
      expect(await changingNothing(() => write("ada", 3, {}))).toMatchObject({ outcome: "written" });
      expect(await changingNothing(() => write("ada", 4, paper))).toEqual({ outcome: "not-found" });
    }));
});

describe("a line that is blank on the paper", () => {
  test("is stored without a voter, takes its line and counts nowhere", () =>
    inLines(async () => {
      await open("ada", 3);
      await key("ada", "a", [3, 1]);
      expect(await key("ada", "b", [3, 2], blank)).toMatchObject({ outcome: "rejected" });
      expect(await key("bea", "c", [3, 2])).toMatchObject({ outcome: "line-taken", taken: { verdict: "blank" } });
      const state = await as("entry_state", "ada", {}, 50, 3);
      expect(state).toMatchObject({
        campaign: { accepted: 1 },
        mine: { accepted: 1, duplicates: 0, rejected: 0, lastHour: 1 },
        sheet: { lines: 1, nextLine: 3, clerks: [{ lines: 1 }], keyed: [{ line: 1 }, { line: 2, verdict: "blank" }] },
      });
      for (const view of ["signatures", "lines", "clerk_work"]) {
        expect(await database.sql(`select id from reporting.${view}`), view).toEqual([{ id: uuidOf("a") }]);
      }
      expect((await all()).notes).toHaveLength(1);
    }));

  test("has no voter", () =>
    inLines(async () => {
      await expect(key("ada", "a", [3, 1], { verdict: "blank" })).rejects.toThrow(/lines_blank_voter/);
    }));
});
