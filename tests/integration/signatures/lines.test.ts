// What the functions of lines and sheets return and store. Permissions and refusals are tested by line-changes.long.test.ts.
import { describe, expect, test } from "vitest";
import { insertUsers, inWorldWithoutTriggers, uuidOf } from "../../support/access-world.ts";
import { callFunction } from "../../support/call-function.ts";
import { linePeople, lineWorld } from "../../support/line-world.ts";
import { setUpSqlSession } from "../../support/sql-session.ts";

const database = await setUpSqlSession();
await insertUsers(database, linePeople);

// Each test runs in one transaction that is rolled back, so all of it happens at one moment.
const inLines = (run: () => Promise<void>) => inWorldWithoutTriggers(database, lineWorld, run);

type CampaignPart = { team?: string; campaign?: string };
const call = (name: string, who: string, { team = "north", campaign = "lakes" }: CampaignPart, ...args: unknown[]) =>
  callFunction(database, name, [uuidOf(who), team, campaign, ...args]);
const remove = (who: string, id: string, reason: string | null = "a test", place: CampaignPart = {}) =>
  call("remove_line", who, place, uuidOf(id), reason);
const restore = (who: string, id: string) => call("restore_line", who, {}, uuidOf(id));
const move = (who: string, id: string, sheet: number, line: number, reason: string | null = null) =>
  call("move_line", who, {}, uuidOf(id), sheet, line, reason);
const renumber = (who: string, from: number, to: number, reason: string | null = null) =>
  call("renumber_sheet", who, {}, from, to, reason);
const open = (
  who: string,
  number: number | null = null,
  paper: object | null = null,
  place: CampaignPart = {},
  reopens = false,
) => call("open_sheet", who, place, number, paper, reopens);
const close = (who: string, number: number) => call("close_sheet", who, {}, number);

const signer = {
  voterId: "V-1",
  firstName: "Ann",
  lastName: "Lee",
  address: "12 Oak St",
  city: "Lund",
  county: null,
  zip: "12345",
  signedOn: "2026-11-02",
  note: null,
};
/** Enters a line named by `id`, by default V-1, accepted, on sheet 3, line 9. */
const record = (who: string, id: string, overrides: Record<string, unknown> = {}) => {
  const place = { team: "north", campaign: "lakes", sheet: 3, line: 9 };
  return callFunction(database, "record_line", [
    uuidOf(who),
    { id: uuidOf(id), ...place, verdict: "accepted", ...signer, ...overrides },
  ]);
};
const blank = { verdict: "blank", voterId: null, firstName: null, lastName: null };

type Row = Record<string, unknown>;
async function all() {
  const [row] = await database.sql<{ rows: Record<"lines" | "sheets" | "signerChanges" | "history" | "log", Row[]> }>(
    `select jsonb_build_object(
       'lines', (select coalesce(jsonb_agg(to_jsonb(l) order by l.id), '[]') from public.lines l),
       'sheets', (select coalesce(jsonb_agg(to_jsonb(h) order by h.team_id, h.number), '[]') from public.sheets h),
       'signerChanges', (select coalesce(jsonb_agg(to_jsonb(n) - 'id' order by n.id), '[]') from public.signer_changes n),
       'history', (select coalesce(jsonb_agg(to_jsonb(c) order by c.id), '[]') from public.line_changes c),
       'log', (select coalesce(jsonb_agg(to_jsonb(a) order by a.id), '[]') from public.audit_log a
         where a.table_name = 'lines')) as rows`,
  );
  if (!row) throw new Error("There is no answer.");
  return row.rows;
}
/** Expects a call to change nothing, and returns its answer. */
async function changingNothing(run: () => Promise<unknown>) {
  const before = await all();
  const result = await run();
  expect(await all()).toEqual(before);
  return result;
}
const lineNamed = async (id: string) => (await all()).lines.find((line) => line.id === uuidOf(id));
const changeNumberOf = (result: unknown) => (result as { changeNumber: number }).changeNumber;
const setCampaign = (set: string) => database.sql(`update public.campaigns set ${set} where id = 'lakes'`);

const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const stored = { enteredAt: time, unchanged: false };
const accepted = { outcome: "accepted", voterId: "V-1", changeNumber: expect.any(Number), ...stored };
const duplicate = { outcome: "duplicate", voterId: "V-1", ...stored };
// A line as it is stored.
const row = (id: string, overrides: Row = {}) => ({
  id: uuidOf(id),
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
  replaces: null,
  stored_number: expect.any(Number),
  ...overrides,
});
const region = { timeZone: "UTC", locale: "en-US" };
/** A line as it is returned. */
const returnedLine = (id: string, overrides: object = {}) => ({
  id: uuidOf(id),
  sheet: 3,
  line: 9,
  verdict: "accepted",
  ...signer,
  enteredBy: "ada",
  mine: false,
  enteredAt: time,
  removedAt: null,
  ...overrides,
});

describe("an accepted line", () => {
  test("is stored as sent, and a signer change is pending", () =>
    inLines(async () => {
      const result = await record("ada", "a");
      expect(result).toEqual(accepted);
      const change_number = changeNumberOf(result);
      const { lines, signerChanges } = await all();
      expect(lines).toEqual([row("a", { change_number })]);
      expect(signerChanges).toEqual([
        { campaign_id: "lakes", voter_id: "V-1", change_number, created_at: expect.any(String) },
      ]);
    }));

  test("of a voter who has signed is stored as a duplicate, with details only of the team's own line and no deleted account", () =>
    inLines(async () => {
      await record("ada", "a");
      const { signerChanges } = await all();
      const signedAt = { ownTeam: true, signedOn: "2026-11-02", enteredAt: time, enteredBy: "ada", sheet: 3, line: 9 };
      expect(await record("bea", "b", { sheet: 7, line: 1 })).toEqual({ ...duplicate, of: signedAt });
      expect(await lineNamed("b")).toEqual(
        row("b", { sheet: 7, line: 1, verdict: "duplicate", entered_by: uuidOf("bea") }),
      );
      expect((await all()).signerChanges).toEqual(signerChanges);
      expect(await record("sam", "s", { team: "south" })).toEqual({ ...duplicate, of: { ownTeam: false } });
      await database.sql("delete from auth.users where id = $1", [uuidOf("ada")]);
      const { enteredBy: _, ...nameless } = signedAt;
      expect(await record("bea", "c", { line: 10 })).toEqual({ ...duplicate, of: nameless });
    }));

  test("that is sent again gets the same answer, and stores nothing", () =>
    inLines(async () => {
      const first = await record("ada", "a");
      const second = await record("bea", "b", { line: 10 });
      expect(await changingNothing(() => record("ada", "a"))).toEqual({ ...(first as object), unchanged: true });
      const again = await changingNothing(() => record("bea", "b", { line: 10 }));
      expect(again).toEqual({ ...(second as object), unchanged: true });
    }));

  test("that was undone is reported removed when sent again, also if the voter was entered again", () =>
    inLines(async () => {
      const first = changeNumberOf(await record("ada", "a"));
      const changeNumber = changeNumberOf(await remove("ada", "a"));
      expect(changeNumber).toBeGreaterThan(first);
      const removed = { ...accepted, outcome: "removed", unchanged: true, changeNumber };
      expect(await record("ada", "a")).toEqual(removed);
      expect(await record("ada", "b")).toEqual(accepted);
      expect(await changingNothing(() => record("ada", "a"))).toEqual(removed);
    }));

  test("can't reuse the id of a different line, accepted or duplicate", () =>
    inLines(async () => {
      await record("ada", "a");
      expect(await record("max", "b", { line: 10 })).toMatchObject({ outcome: "duplicate" });
      await changingNothing(async () => {
        for (const changed of [
          { firstName: "Anne" },
          { lastName: "Li" },
          { address: "13 Oak St" },
          { city: null },
          { county: "King" },
          { zip: "12346" },
          { signedOn: null },
          { note: "a coffee stain" },
          { sheet: null },
        ]) {
          expect(await record("ada", "a", changed)).toEqual({ outcome: "id-taken", by: { sheet: 3, line: 9 } });
          const other = await record("max", "b", { line: 10, ...changed });
          expect(other).toEqual({ outcome: "id-taken", by: { sheet: 3, line: 10 } });
        }
        expect(await record("sam", "a", { team: "south" })).toEqual({ outcome: "id-taken" }); // without details for another team
      });
    }));

  test("that replaces one is linked to it once and keeps its time, if its clerk has removed that", () =>
    inLines(async () => {
      const [before] = await database.sql<{ at: string }>("select private.utc(now() - interval '1 hour') as at");
      await record("ada", "a", { enteredAt: before?.at });
      const replacing = { line: 15, replaces: uuidOf("a"), verdict: "illegible", voterId: null };
      await record("ada", "live", replacing);
      await remove("ada", "a");
      await record("bea", "other", { ...replacing, line: 16 });
      await record("ada", "b", { ...replacing, line: 17 });
      await record("ada", "c", { ...replacing, line: 18 });
      const links = await Promise.all(["live", "other", "b", "c"].map(async (id) => (await lineNamed(id))?.replaces));
      expect(links).toEqual([null, null, uuidOf("a"), null]);
      const [first, correction] = await Promise.all(["a", "b"].map(lineNamed));
      expect(correction?.entered_at).toEqual(first?.entered_at);
    }));

  test("that was moved is recognized by its first place, and reports its current one", () =>
    inLines(async () => {
      await record("ada", "a");
      await move("ada", "a", 5, 1);
      await renumber("ada", 5, 6);
      await changingNothing(async () => {
        expect(await record("ada", "a")).toEqual({ ...accepted, unchanged: true });
        const now = { outcome: "id-taken", by: { sheet: 6, line: 1 } };
        expect(await record("ada", "a", { sheet: 6, line: 1 })).toEqual(now);
        expect(await record("ada", "a", { firstName: "Anne" })).toEqual(now);
      });
    }));

  test.each([
    ["an hour ago", "1 hour ago", "1 hour"],
    ["in a minute", "now", "-1 minute"],
    ["eight days ago", "now", "8 days"],
  ])("entered %s by the device counts as entered %s", (_, counts, overrides) =>
    inLines(async () => {
      const [{ at } = { at: "" }] = await database.sql<{ at: string }>(
        "select private.utc(now() - $1::interval) as at",
        [overrides],
      );
      await record("ada", "a", { enteredAt: at });
      const rows = await database.sql(
        "select abs(extract(epoch from now() - $1::interval - entered_at)) < 0.01 as so from public.lines",
        [counts === "now" ? "0" : overrides],
      );
      expect(rows).toEqual([{ so: true }]);
    }),
  );

  test("on a taken place or outside of the campaign's dates gets the details, locale and time zone to explain it", () =>
    inLines(async () => {
      const own = { timeZone: "Europe/Berlin", locale: "de-DE" };
      await database.sql("update public.teams set time_zone = $1, locale = $2 where id = 'north'", Object.values(own));
      await record("ada", "a");
      const result = await record("bea", "b", { voterId: "V-2" });
      expect(result).toEqual({ outcome: "line-taken", taken: returnedLine("a"), ...own });
      await database.sql("delete from auth.users where id = $1", [uuidOf("ada")]);
      const taken = returnedLine("a", { enteredBy: null });
      expect(await record("bea", "b")).toEqual({ outcome: "line-taken", taken, ...own });
      await setCampaign("ends_on = '2026-11-01'");
      const outside = {
        outcome: "outside-dates",
        signedOn: "2026-11-02",
        startsOn: null,
        endsOn: "2026-11-01",
        ...own,
      };
      expect(await record("bea", "b", { line: 10 })).toEqual(outside);
    }));
});

test("a blank line takes its place and isn't counted", () =>
  inLines(async () => {
    await record("ada", "a");
    expect(await record("ada", "b", { ...blank, line: 2 })).toMatchObject({ outcome: "rejected" });
    expect(await record("bea", "c", { line: 2 })).toMatchObject({ outcome: "line-taken", taken: { verdict: "blank" } });
    for (const view of ["signatures", "lines", "clerk_work"]) {
      expect(await database.sql(`select id from reporting.${view}`), view).toEqual([{ id: uuidOf("a") }]);
    }
    await expect(record("ada", "d", { line: 4, verdict: "blank" })).rejects.toThrow(/lines_blank_voter/);
  }));

describe("a removed line", () => {
  test("stays, with who removed it and why, and the signer change is pending", () =>
    inLines(async () => {
      await record("ada", "a");
      const before = await lineNamed("a");
      const result = await remove("max", "a");
      const changeNumber = changeNumberOf(result);
      expect(result).toEqual({
        outcome: "removed",
        voterId: "V-1",
        changeNumber: expect.any(Number),
        unchanged: false,
      });
      const removed = { removed_at: expect.any(String), removed_by: uuidOf("max"), removed_because: "a test" };
      const { lines, signerChanges } = await all();
      expect(lines).toEqual([{ ...before, ...removed, change_number: changeNumber }]);
      expect(signerChanges.map(({ change_number }) => change_number)).toEqual([before?.change_number, changeNumber]);
    }));

  // Redis remembers the number of the newer line for an hour, and an undo can wait longer than that in a browser.
  test("doesn't remove the voter from the set when it is removed again after the voter was entered again", () =>
    inLines(async () => {
      await record("ada", "a");
      await remove("ada", "a");
      await record("bea", "b");
      expect(await changingNothing(() => remove("ada", "a"))).toEqual({ outcome: "removed" });
    }));

  test("is restored unchanged and counts again, with a new change number", () =>
    inLines(async () => {
      await record("ada", "a");
      const before = await lineNamed("a");
      const removed = changeNumberOf(await remove("max", "a"));
      const result = await restore("max", "a");
      const changeNumber = changeNumberOf(result);
      expect(result).toEqual({
        outcome: "restored",
        voterId: "V-1",
        changeNumber: expect.any(Number),
        unchanged: false,
      });
      expect(changeNumber).toBeGreaterThan(removed);
      expect(await lineNamed("a")).toEqual({ ...before, change_number: changeNumber });
      expect((await all()).signerChanges.at(-1)).toMatchObject({ voter_id: "V-1", change_number: changeNumber });
      expect(await changingNothing(() => restore("max", "a"))).toEqual({ ...(result as object), unchanged: true });
    }));

  test("that was invalid is restored without a change of signers", () =>
    inLines(async () => {
      await record("ada", "a", { verdict: "illegible" });
      await remove("ada", "a");
      expect(await restore("ada", "a")).toEqual({ outcome: "restored", unchanged: false });
      expect((await all()).signerChanges).toEqual([]);
    }));

  test("that can't be restored gets the reason with its details", () =>
    inLines(async () => {
      await record("ada", "a");
      await remove("max", "a");
      await record("bea", "b", { sheet: 7, line: 1 });
      const signedAt = { ownTeam: true, signedOn: "2026-11-02", enteredAt: time, enteredBy: "bea", sheet: 7, line: 1 };
      expect(await restore("max", "a")).toEqual({ outcome: "duplicate", of: signedAt });
      await remove("max", "b");
      await record("sam", "c", { team: "south" });
      expect(await restore("max", "a")).toEqual({ outcome: "duplicate", of: { ownTeam: false } });
      await record("max", "d", { verdict: "other", voterId: null });
      const there = returnedLine("d", { verdict: "other", voterId: null, enteredBy: "max", mine: true });
      expect(await restore("max", "a")).toEqual({ outcome: "line-taken", taken: there, ...region });
      await remove("max", "d");
      await setCampaign("starts_on = '2026-11-03'");
      const days = { signedOn: "2026-11-02", startsOn: "2026-11-03", endsOn: null, ...region };
      expect(await restore("max", "a")).toEqual({ outcome: "outside-dates", ...days });
    }));
});

test("a moved line changes only its place; a missing sheet is started, an existing one stays unchanged", () =>
  inLines(async () => {
    await open("bea", 8, { circulator: "Ola Berg" });
    await close("bea", 8);
    await record("ada", "a");
    const before = await all();
    await move("ada", "a", 8, 2);
    const after = await all();
    expect(after.lines).toEqual([{ ...before.lines[0], sheet: 8, line: 2 }]);
    expect([after.signerChanges, after.sheets]).toEqual([before.signerChanges, before.sheets]);
    await move("ada", "a", 9, 2);
    const started = expect.objectContaining({ number: 9, opened_by: uuidOf("ada"), closed_at: null });
    expect((await all()).sheets).toEqual([...before.sheets, started]);
  }));

describe("a renumbered sheet", () => {
  const paper = { circulator: "Ola Berg", collectedOn: "2026-11-01", signatureCount: 4 };

  test("has all lines of the old one, also removed ones, and its details", () =>
    inLines(async () => {
      await open("ada", 710, paper);
      await close("ada", 710);
      await record("ada", "a", { sheet: 710, line: 1 });
      await record("ada", "b", { sheet: 710, line: 2, ...blank });
      await record("ada", "c", { sheet: 710, line: null, voterId: "V-2" });
      await record("ada", "d", { sheet: 710, line: 4, voterId: "V-3" });
      await remove("ada", "d", null);
      const before = await all();
      expect(await renumber("ada", 710, 701, "a slip")).toEqual({
        outcome: "renumbered",
        sheet: {
          number: 701,
          ...paper,
          openedBy: "ada",
          mine: true,
          openedAt: time,
          closedAt: time,
          lines: 2,
          nextLine: 3,
          clerks: [{ name: "ada", mine: true, lines: 2 }],
        },
      });
      const after = await all();
      expect(after.lines).toEqual(before.lines.map((line) => ({ ...line, sheet: 701 })));
      expect(after.signerChanges).toEqual(before.signerChanges);
      expect(after.sheets).toEqual(before.sheets.map((sheet) => ({ ...sheet, id: expect.any(String), number: 701 })));
      expect(after.history.slice(1).map(({ reason }) => reason)).toEqual(before.lines.map(() => "a slip"));
    }));

  test("joins an existing one: its details stay, and missing ones come from the old one", () =>
    inLines(async () => {
      await open("bea", 701, { circulator: "Noor" });
      await record("bea", "there", { sheet: 701, line: 1 });
      await open("ada", 710, paper);
      await record("ada", "a", { sheet: 710, line: 2, voterId: "V-2" });
      const clerks = ["ada", "bea"].map((name) => ({ name, mine: name === "ada", lines: 1 }));
      expect(await renumber("ada", 710, 701)).toMatchObject({
        sheet: { number: 701, ...paper, circulator: "Noor", openedBy: "bea", lines: 2, clerks },
      });
    }));

  test("is refused with all live lines that are at both numbers", () =>
    inLines(async () => {
      for (const line of [1, 2, 3]) await record("ada", `a${line}`, { sheet: 710, line, voterId: `V-${line}` });
      await record("bea", "x", { sheet: 701, line: 3, voterId: "V-4" });
      await record("bea", "y", { sheet: 701, line: 1, ...blank });
      await record("bea", "z", { sheet: 701, line: 2, voterId: "V-5" });
      await remove("bea", "z");
      const here = { sheet: 710, mine: true };
      const there = { sheet: 701, enteredBy: "bea" };
      const conflicts = [
        {
          line: 1,
          here: returnedLine("a1", { ...here, line: 1 }),
          there: returnedLine("y", { ...there, line: 1, ...blank }),
        },
        {
          line: 3,
          here: returnedLine("a3", { ...here, line: 3, voterId: "V-3" }),
          there: returnedLine("x", { ...there, line: 3, voterId: "V-4" }),
        },
      ];
      expect(await renumber("ada", 710, 701)).toEqual({ outcome: "conflicts", conflicts });
    }));
});

describe("the history of a line", () => {
  const history = async () =>
    (await all()).history.map(({ kind, actor_id, reason, ...row }) => ({
      kind,
      actor_id,
      reason,
      place: [row.sheet_before, row.line_before, row.sheet_after, row.line_after],
    }));

  test("has changes by SQL without a name, no updates that change nothing, and outlives the line", () =>
    inLines(async () => {
      await record("ada", "a");
      await move("ada", "a", 3, 10, " a slip ");
      const sql = (set: string) => database.sql(`update public.lines set ${set}`);
      await sql("first_name = 'Anna', removed_because = 'x'");
      await sql("sheet = 4, removed_because = null");
      await sql("removed_at = now()");
      await sql("removed_at = now() + interval '1 hour'");
      await sql("removed_at = null, line = null");
      await sql("removed_at = now(), removed_because = 'cleaning up'");
      await database.sql("delete from public.lines");
      const change = (kind: string, place: (number | null)[], reason: string | null = null) => ({
        kind,
        place,
        reason,
        actor_id: null,
      });
      expect(await history()).toEqual([
        { ...change("moved", [3, 9, 3, 10], "a slip"), actor_id: uuidOf("ada") },
        change("moved", [3, 10, 4, 10]),
        change("removed", [4, 10, 4, 10]),
        change("moved", [4, 10, 4, null]),
        change("restored", [4, 10, 4, null]),
        change("removed", [4, null, 4, null], "cleaning up"),
      ]);
    }));

  test("is in the activity, except undos, with only the voter's name and id", () =>
    inLines(async () => {
      await record("ada", "a", { note: "x" });
      await remove("ada", "a", null);
      await restore("max", "a");
      await move("max", "a", 4, 1, "clear");
      await database.sql("update public.lines set removed_at = now()");
      const line = {
        id: uuidOf("a"),
        verdict: "accepted",
        voter_id: "V-1",
        first_name: "Ann",
        last_name: "Lee",
        campaign_id: "lakes",
        campaign_name: "lakes",
      };
      const entry = (kind: string, who: string | null, reason: string | null, from: object, to: object) => ({
        actor_id: who && uuidOf(who),
        actor_name: who,
        action: "update",
        team_id: "north",
        campaign_id: "lakes",
        before: { ...line, ...from },
        after: { ...line, ...to, kind, reason },
      });
      const [first, second] = [
        { sheet: 3, line: 9 },
        { sheet: 4, line: 1 },
      ];
      expect((await all()).log).toEqual(
        [
          entry("restored", "max", null, first, first),
          entry("moved", "max", "clear", first, second),
          entry("removed", null, null, second, second),
        ].map((expected) => expect.objectContaining(expected)),
      );
    }));
});

test("changing the campaign's dates leaves stored lines valid, also when sent again, and lists those outside", () =>
  inLines(async () => {
    const enter = (who: string, line: number, signedOn: string | null, overrides: Row = {}) =>
      record(who, `line ${line}`, { line, voterId: `V-${line}`, signedOn, ...overrides });
    await enter("ada", 1, "2026-10-31");
    await enter("bea", 2, "2026-12-01");
    await enter("ada", 3, "2026-11-15");
    await enter("ada", 4, null);
    await enter("ada", 5, "2026-10-01", { verdict: "not-found" });
    await enter("ada", 6, "2026-10-01");
    await remove("ada", "line 6");
    await enter("sam", 7, "2026-10-01", { team: "south" });
    await enter("oda", 8, "2026-10-01", { campaign: "rivers" });
    const outside = (limit: number, team = "north", campaign = "lakes") =>
      callFunction(database, "lines_outside_dates", [team, campaign, limit]);
    expect(await outside(5)).toEqual({ count: 0, lines: [] });

    await changingNothing(() => setCampaign("starts_on = '2026-11-01', ends_on = '2026-11-30'"));
    expect(await enter("ada", 1, "2026-10-31")).toEqual({ ...accepted, unchanged: true });
    const lines = [
      { id: uuidOf("line 1"), sheet: 3, line: 1, signedOn: "2026-10-31" },
      { id: uuidOf("line 2"), sheet: 3, line: 2, signedOn: "2026-12-01" },
    ];
    expect(await outside(5)).toEqual({ count: 2, lines });
    expect(await outside(1)).toEqual({ count: 2, lines: lines.slice(0, 1) });
    expect(await outside(5, "south")).toMatchObject({ count: 1 });
    expect(await outside(5, "north", "nowhere")).toEqual({ count: 0, lines: [] });
  }));

describe("sheets", () => {
  const paper = { circulator: "Ola Berg", collectedOn: "2026-11-01", signatureCount: 18 };
  const nothing = { circulator: null, collectedOn: null, signatureCount: null };
  const sheet = (number: number, overrides: object = {}) => ({
    number,
    ...nothing,
    openedBy: "ada",
    mine: true,
    openedAt: time,
    closedAt: null,
    lines: 0,
    nextLine: 1,
    clerks: [],
    ...overrides,
  });

  test("get the next number after the greatest in each team and campaign", () =>
    inLines(async () => {
      expect(await open("ada")).toEqual({ outcome: "opened", sheet: sheet(1) });
      expect(await open("ada", 41)).toEqual({ outcome: "opened", sheet: sheet(41) });
      expect(await open("bea")).toEqual({ outcome: "opened", sheet: sheet(42, { openedBy: "bea" }) });
      expect(await open("sam", null, null, { team: "south" })).toMatchObject({ sheet: { number: 1 } });
      expect(await open("oda", null, null, { campaign: "rivers" })).toMatchObject({ sheet: { number: 1 } });
    }));

  test("can be resumed by anyone, at the first empty line; undone lines don't count", () =>
    inLines(async () => {
      await open("ada", 3);
      await record("ada", "a", { line: 1 });
      await record("ada", "b", { line: 2, verdict: "illegible" });
      await record("ada", "c", { line: 3, voterId: "V-2" });
      const clerks = [{ name: "ada", mine: false, lines: 3 }];
      const resumed = { outcome: "opened", sheet: sheet(3, { openedBy: "bea", lines: 3, nextLine: 4, clerks }) };
      expect(await open("bea", 3)).toEqual(resumed);
      await remove("ada", "c");
      await record("sam", "s", { team: "south", voterId: "V-3", line: 50 });
      expect(await open("bea", 3)).toMatchObject({ sheet: { lines: 2, nextLine: 3 } });
      await remove("ada", "a");
      expect(await open("bea", 3)).toMatchObject({ sheet: { lines: 1, nextLine: 1 } });
    }));

  test("are closed once, and can be reopened, by others if they confirm it", () =>
    inLines(async () => {
      await open("ada", 3);
      const closed = { outcome: "closed", sheet: sheet(3, { closedAt: time }) };
      expect(await close("ada", 3)).toEqual(closed);
      expect(await changingNothing(() => close("ada", 3))).toEqual(closed);
      expect(await open("ada", 3)).toEqual({ outcome: "opened", sheet: sheet(3) });
      await close("ada", 3);
      expect(await changingNothing(() => open("bea", 3))).toEqual({ outcome: "sheet-closed" });
      expect(await open("bea", 3, null, {}, true)).toEqual({ outcome: "opened", sheet: sheet(3, { openedBy: "bea" }) });
    }));

  test("have the details that were given; saving them doesn't change who opened them or reopen them", () =>
    inLines(async () => {
      const write = (details: object) => call("save_sheet_details", "ada", {}, 3, details);
      expect(await open("ada", null, paper)).toMatchObject({ sheet: { number: 1, ...paper } });
      expect(await open("bea", 3)).toMatchObject({ sheet: nothing });
      expect(await open("bea", 3, paper)).toMatchObject({ sheet: paper });
      expect(await open("bea", 3)).toMatchObject({ sheet: paper });
      expect(await open("bea", 3, { collectedOn: null })).toMatchObject({ sheet: { ...paper, collectedOn: null } });
      await close("bea", 3);
      expect(await write({ signatureCount: 17 })).toMatchObject({
        outcome: "saved",
        sheet: { ...paper, collectedOn: null, signatureCount: 17, openedBy: "bea", closedAt: time },
      });
      expect(await changingNothing(() => write({}))).toMatchObject({ outcome: "saved" });
      expect(await write(nothing)).toMatchObject({ sheet: nothing });
    }));
});

test("already_signed has days, place and clerk of the own team's lines, only the fact for other teams, and no removed lines", () =>
  inLines(async () => {
    await record("ada", "a", { voterId: "__proto__" });
    await record("ada", "b", { voterId: "V-2", sheet: null, line: null });
    await record("sam", "c", { team: "south", voterId: "V-3" });
    await record("ada", "undone", { voterId: "V-4", line: 10 });
    await remove("ada", "undone");
    await record("oda", "elsewhere", { campaign: "rivers", voterId: "V-5" });
    const [row] = await database.sql<{ pairs: unknown }>(
      `select jsonb_agg(jsonb_build_array(key, value) order by key collate "C") as pairs
       from jsonb_each(public.already_signed('north', 'lakes', $1::text[]))`,
      [["__proto__", "V-2", "V-3", "V-4", "V-5", "V-6"]],
    );
    const own = { ownTeam: true, signedOn: "2026-11-02", enteredAt: time, enteredBy: "ada" };
    expect(row?.pairs).toEqual([
      ["V-2", own],
      ["V-3", { ownTeam: false }],
      ["__proto__", { ...own, sheet: 3, line: 9 }],
    ]);
  }));
