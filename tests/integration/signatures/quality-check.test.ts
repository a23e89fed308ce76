// The quality check in the database: who may do what, who gets which line, and the error rates against a simple oracle.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { seededRandom } from "../../../scripts/demo-data/seeded-random.ts";
import { insertUsers, insertWorld, uuidOf } from "../../support/access-world.ts";
import { callFunction } from "../../support/call-function.ts";
import { linePeople, lineWorld, storeRows } from "../../support/line-world.ts";
import { openSqlSession, type SqlSession } from "../../support/sql-session.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";

const database = await setUpTestDatabase();
const sessions: SqlSession[] = [];
beforeAll(async () => {
  await insertUsers(database, linePeople);
  await insertWorld(database, lineWorld);
  for (let index = 0; index < 3; index++) sessions.push(await openSqlSession(database));
});
beforeEach(() => database.sql("truncate public.lines, public.quality_lines"));
afterAll(() => Promise.all(sessions.map(({ close }) => close())));

type Answer = { outcome: string; lines?: number; line?: { id: string; sheet: number; line: number } };
async function callIn(hour: number, name: string, args: unknown[]) {
  const session = sessions[hour];
  if (!session) throw new Error("There is no such session.");
  await session.sql("begin");
  try {
    const result = (await callFunction(session, name, args)) as Answer;
    await session.sql("commit");
    return result;
  } catch (error) {
    await session.sql("rollback");
    throw error;
  }
}
const call = (name: string, who: string, ...args: unknown[]) =>
  callIn(0, name, [uuidOf(who), "north", "lakes", ...args]);
const draw = (who: string, size: number, { sheet, clerk }: { sheet?: number; clerk?: string } = {}) =>
  call("draw_quality_lines", who, sheet ?? null, clerk ? uuidOf(clerk) : null, size);
const take = (who: string, skip: string | null = null, again: string | null = null) =>
  call("take_quality_line", who, skip, again);
const enter = (who: string, id: string, verdict: string, voterId: string | null = null) =>
  call("enter_quality_line", who, id, { verdict, voterId, firstName: null, lastName: "Lee", address: null });
const settle = (who: string, id: string, right: string | null, was: string | null = null) =>
  call("settle_quality_line", who, id, right, was);

type Rate = { of: string; clerk: { name: string } | null; sheet: number | null; checked: number; errors: number };
type Check = {
  drawn: number;
  waiting: number;
  forYou: number;
  sheetsForYou: number[];
  differing: number;
  unsettled: number;
  rates: Rate[];
  differences: { id: string; right: string | null; second: { note: string | null } }[];
};
const check = async (team = "north", who: string | null = null) =>
  (await callIn(0, "quality_check", [team, "lakes", 1000, who && uuidOf(who)])) as unknown as Check;

type Line = { sheet: number; line: number; by: string; verdict: string; voter: string | null; removed?: boolean };
const idOf = ({ sheet, line }: { sheet: number; line: number }) => uuidOf(`line ${sheet} ${line}`);
const store = (lines: Line[], team_id = "north") =>
  storeRows(
    database,
    "lines",
    lines.map(({ sheet, line, by, verdict, voter: voter_id, removed }, index) => ({
      id: idOf({ sheet, line }),
      team_id,
      campaign_id: "lakes",
      sheet,
      line,
      verdict,
      voter_id,
      entered_by: uuidOf(by),
      entered_at: "2026-11-02T10:00:00Z",
      change_number: verdict === "accepted" ? index + 1 : null,
      removed_at: removed ? "2026-11-03T10:00:00Z" : null,
    })),
  );
const valid = (sheet: number, line: number, by: string): Line => ({
  sheet,
  line,
  by,
  verdict: "accepted",
  voter: `V-${sheet}-${line}`,
});

test("drawing and settling need signatures.remove, entering signatures.enter, in this campaign of the team", async () => {
  await store([valid(1, 1, "ada"), valid(1, 2, "ada"), valid(1, 3, "max")]);
  const may = async (run: (who: string) => Promise<Answer>) => {
    const allowed: string[] = [];
    for (const who of linePeople) if ((await run(who)).outcome !== "not-allowed") allowed.push(who);
    return allowed;
  };
  expect(await may((who) => draw(who, 4))).toEqual(["rex", "max"]);
  expect(await may((who) => take(who))).toEqual(["ada", "bea", "max"]);
  expect(await may((who) => enter(who, idOf({ sheet: 9, line: 9 }), "blank"))).toEqual(["ada", "bea", "max"]);
  expect(await may((who) => settle(who, idOf({ sheet: 9, line: 9 }), "first"))).toEqual(["rex", "max"]);
});

test("a draw takes live lines of the team that weren't drawn before, of a sheet or a clerk, at most 500", async () => {
  await store(
    [...Array(510).keys()].map((index) => valid(1 + (index % 2), index + 1, index % 3 === 0 ? "bea" : "ada")),
  );
  await store([
    { ...valid(3, 1, "ada"), removed: true },
    { ...valid(3, 2, "ada"), removed: true },
  ]);
  await store([valid(4, 1, "sam")], "south");
  expect(await draw("rex", 7, { sheet: 1 })).toEqual({ outcome: "drawn", lines: 7 });
  expect(await draw("rex", 8, { clerk: "bea" })).toEqual({ outcome: "drawn", lines: 8 });
  const drawn = await database.sql<{ drawn_from: string; sheet: number; entered_by: string }>(
    "select q.drawn_from, l.sheet, l.entered_by from public.quality_lines q join public.lines l on l.id = q.line_id",
  );
  expect(drawn.filter((line) => line.drawn_from === "sheet").map(({ sheet }) => sheet)).toEqual(Array(7).fill(1));
  const ofBea = drawn.filter((line) => line.drawn_from === "clerk").map((line) => line.entered_by);
  expect(ofBea).toEqual(Array(8).fill(uuidOf("bea")));
  expect(await draw("rex", 4, { sheet: 3 })).toEqual({ outcome: "none-left", lines: 0 });
  expect(await draw("rex", 9_999)).toEqual({ outcome: "drawn", lines: 495 });
  expect(await check()).toMatchObject({ drawn: 510, waiting: 510 });
  expect(await check("south")).toMatchObject({ drawn: 0, waiting: 0, rates: [], differences: [] });
});

test("of a campaign every line is as likely to be drawn as any other, on long sheets and short ones", async () => {
  // Sheets of 1 to 13 lines, gaps, removed lines and lines of another team.
  const lines = [...Array(12).keys()].flatMap((sheet) =>
    [...Array(sheet + 2).keys()].map((index) => ({
      ...valid(sheet * 3 + 1, index * 2 + 1, "ada"),
      removed: index === 1,
    })),
  );
  await store(lines);
  await store([valid(2, 1, "sam"), valid(90, 2, "sam")], "south");
  const live = lines.filter(({ removed }) => !removed);
  const counts = new Map(live.map((line) => [idOf(line), 0]));
  const [draws, size] = [600, 8];
  const expectedCount = (draws * size) / live.length;
  for (let index = 0; index < draws; index++) {
    const drawn = await database.sql<{ id: string }>("select private.random_lines('north', 'lakes', $1) as id", [size]);
    expect(new Set(drawn.map(({ id }) => id)).size).toBe(size);
    for (const { id } of drawn) counts.set(id, (counts.get(id) ?? Number.NaN) + 1);
  }
  expect(counts.size).toBe(live.length);
  // The chi-square of a uniform draw exceeds its mean by five deviations less than once in 100,000 times.
  const degrees = live.length - 1;
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expectedCount) ** 2 / expectedCount, 0);
  expect(chiSquare).toBeLessThan(degrees + 5 * Math.sqrt(2 * degrees));
});

test("no one settles a difference between entries of which one is theirs, and each draw is in the activity", async () => {
  await store([valid(1, 1, "max"), valid(1, 2, "bea"), valid(2, 1, "bea")]);
  await database.sql("alter table public.audit_log disable trigger append_only");
  await database.sql("delete from public.audit_log");
  await database.sql("alter table public.audit_log enable trigger append_only");
  await draw("rex", 2, { sheet: 1 });
  await draw("rex", 5, { clerk: "bea" });
  const logged = await database.sql("select actor_id, table_name, subject_id, after from public.audit_log order by id");
  const entry = (subject: string | null, after: object) => ({
    actor_id: uuidOf("rex"),
    table_name: "quality_lines",
    subject_id: subject && uuidOf(subject),
    after: expect.objectContaining(after),
  });
  expect(logged).toEqual([
    entry(null, { lines: 2, drawn_from: "sheet", sheet: 1 }),
    entry("bea", { lines: 1, drawn_from: "clerk" }),
  ]);

  const { line } = await take("ada");
  expect(line).toMatchObject({ sheet: 1, line: 1 });
  await enter("ada", line?.id ?? "", "illegible");
  expect(await settle("max", line?.id ?? "", "first")).toEqual({ outcome: "own-line" });
  expect(await settle("rex", line?.id ?? "", "first")).toEqual({ outcome: "settled" });

  const second = (await take("max")).line?.id ?? "";
  await enter("max", second, "illegible");
  for (const right of ["first", "second"])
    expect(await settle("max", second, right)).toEqual({ outcome: "own-second" });
  expect(await settle("rex", second, "second")).toEqual({ outcome: "settled" });
});

test("a second entry of a voter who has signed another line is shown as a duplicate, as a first entry would be", async () => {
  await store([valid(1, 1, "ada"), valid(1, 2, "ada")]);
  await draw("rex", 4);
  const ids = [idOf({ sheet: 1, line: 1 }), idOf({ sheet: 1, line: 2 })];
  expect((await take("bea")).line?.id).toBe(ids[0]);
  await enter("bea", ids[0] ?? "", "accepted", "V-1-2");
  expect((await take("bea")).line?.id).toBe(ids[1]);
  await enter("bea", ids[1] ?? "", "accepted", "V-9-9");
  expect((await check()).differences).toMatchObject([
    { second: { verdict: "duplicate", voterId: "V-1-2" } },
    { second: { verdict: "accepted", voterId: "V-9-9" } },
  ]);
});

test("lines wait only for people who can enter them", async () => {
  await store([valid(1, 1, "ada"), valid(1, 2, "ada"), valid(1, 3, "bea")]);
  await draw("rex", 4);
  const forYou = async (who: string) => (await check("north", who)).forYou;
  expect([await forYou("ada"), await forYou("bea"), await forYou("max")]).toEqual([1, 2, 3]);
  const { line } = await take("bea");
  expect([await forYou("bea"), await forYou("max")]).toEqual([2, 2]);
  const entry = { verdict: "other", note: "Signed twice", voterId: null };
  expect(await call("enter_quality_line", "bea", line?.id, entry)).toEqual({ outcome: "entered" });
  expect([await forYou("bea"), await forYou("max")]).toEqual([1, 2]);
  expect((await check()).differences).toMatchObject([{ second: { note: "Signed twice" } }]);
});

test("a decision can be taken back or changed by who sees it as it is, until the line is corrected", async () => {
  await store([valid(1, 1, "ada")]);
  await draw("rex", 4);
  const id = (await take("bea")).line?.id ?? "";
  await enter("bea", id, "illegible");
  expect(await settle("rex", id, "first")).toEqual({ outcome: "settled" });
  expect((await check()).differences).toEqual([]);
  expect(await settle("max", id, "second")).toEqual({ outcome: "not-found" }); // sees it as not settled yet
  expect(await settle("max", id, null, "second")).toEqual({ outcome: "not-found" });
  expect(await settle("ada", id, null, "first")).toEqual({ outcome: "not-allowed" });
  expect(await settle("max", id, null, "first")).toEqual({ outcome: "settled" });
  const stored = () => database.sql("select right_entry, settled_by, settled_at from public.quality_lines");
  expect(await stored()).toEqual([{ right_entry: null, settled_by: null, settled_at: null }]);
  expect(await settle("rex", id, "neither")).toEqual({ outcome: "settled" });
  expect(await check()).toMatchObject({
    unsettled: 0,
    differences: [{ id, right: "neither" }],
    rates: [{ errors: 1 }, {}],
  });
  await database.sql("update public.lines set removed_at = now()");
  expect(await settle("rex", id, null, "neither")).toEqual({ outcome: "not-found" });
});

test("a clerk gets only where a line of someone else is, and each line goes to one clerk at a time", async () => {
  await store([valid(1, 1, "ada"), valid(1, 2, "vic"), valid(1, 3, "vic")]);
  await draw("rex", 4);
  const clerks = ["ada", "bea", "max"];
  const taken = await Promise.all(
    clerks.map((who, index) => callIn(index, "take_quality_line", [uuidOf(who), "north", "lakes", null])),
  );
  expect(taken.map((response) => Object.keys(response.line ?? {}).sort())).toEqual(
    Array(3).fill(["id", "line", "sheet"]),
  );
  const places = taken.map(({ line }) => line?.line);
  expect(places.toSorted()).toEqual([1, 2, 3]);
  expect(places[0]).not.toBe(1);
  expect(await take("ada")).toEqual(taken[0]); // the one that they have
  const own = taken[0]?.line?.id ?? "";
  expect(await enter("bea", own, "blank")).toEqual({ outcome: "not-theirs" });

  await database.sql("update public.quality_lines set taken_at = now() - interval '16 minutes' where line_id = $1", [
    own,
  ]);
  await enter("bea", taken[1]?.line?.id ?? "", "illegible");
  expect(await take("bea")).toEqual(taken[0]);
  expect(await enter("ada", own, "blank")).toEqual({ outcome: "not-theirs" });
  expect(await enter("bea", own, "blank")).toEqual({ outcome: "entered" });
  expect(await enter("bea", own, "blank")).toEqual({ outcome: "entered" });
  expect(await enter("bea", own, "illegible")).toEqual({ outcome: "entered-before" });
  expect(await take("ada")).toEqual({ outcome: "none" });
});

test("a skipped line goes to others, and comes back last", async () => {
  await store([valid(1, 1, "ada"), valid(1, 2, "ada")]);
  await draw("rex", 4);
  const first = (await take("bea")).line;
  expect(first).toMatchObject({ sheet: 1, line: 1 });
  expect((await take("bea", first?.id)).line).toMatchObject({ line: 2 });
  expect((await take("max")).line).toEqual(first);
});

test("a second entry can be taken back by who made it, for 15 minutes and until it is settled", async () => {
  await store([valid(1, 1, "ada"), valid(2, 2, "ada"), valid(3, 3, "ada")]);
  await draw("rex", 4);
  const line = async (who: string, ...ids: (string | null)[]) => (await take(who, ...ids)).line?.line;
  const [first, two] = [idOf({ sheet: 1, line: 1 }), idOf({ sheet: 2, line: 2 })];
  const sheets = async (who: string) => (await check("north", who)).sheetsForYou;
  expect([await sheets("bea"), await sheets("ada")]).toEqual([[1, 2, 3], []]);
  expect(await line("bea")).toBe(1);
  await enter("bea", first, "illegible");
  expect(await line("bea")).toBe(2);
  const listed = async (who: string) => (await check("north", who)).differences.map(({ id }) => id);
  expect([await listed("bea"), await listed("rex")]).toEqual([[], [first]]); // it shows the first entry
  expect(await line("bea", two, first)).toBe(1);
  expect(await check("north", "bea")).toMatchObject({ waiting: 3, differing: 0, sheetsForYou: [1, 2, 3] });
  expect(await enter("bea", first, "blank")).toEqual({ outcome: "entered" });

  const final = { outcome: "final" };
  expect(await take("max", null, first)).toEqual(final);
  await database.sql("update public.quality_lines set entered_at = now() - interval '16 minutes' where line_id = $1", [
    first,
  ]);
  expect(await take("bea", null, first)).toEqual(final);
  await database.sql("update public.quality_lines set entered_at = now() where line_id = $1", [first]);
  await settle("rex", first, "first");
  expect(await take("bea", null, first)).toEqual(final);
  expect(await check()).toMatchObject({ waiting: 2, differing: 1, unsettled: 0 });
});

test("error rates and differences of random checks are those of the oracle", async () => {
  const random = seededRandom(16);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const verdicts = ["accepted", "accepted", "accepted", "duplicate", "not-found", "blank"] as const;
  const lines: Line[] = [...Array(240).keys()].map((index) => {
    const verdict = pick(verdicts);
    const voter = verdict === "accepted" ? `V-${index}` : verdict === "duplicate" ? `V-${index + 1000}` : null;
    return {
      sheet: 1 + (index % 12),
      line: 1 + Math.floor(index / 12),
      by: pick(["ada", "bea", "vic"]),
      verdict,
      voter,
    };
  });
  await store(lines);
  await draw("rex", 30, { sheet: 3 });
  await draw("rex", 25, { clerk: "bea" });
  await draw("rex", 60);
  const from = new Map(
    (await database.sql<{ line_id: string; drawn_from: string }>("select * from public.quality_lines")).map(
      (line) => [line.line_id, line.drawn_from] as const,
    ),
  );

  const entered = new Map<string, { wrong: boolean; open: boolean; unsettled: boolean }>();
  let settledFirst = 0;
  for (const who of ["ada", "bea", "max"]) {
    for (let taken = (await take(who)).line; taken && random() < 0.97; taken = (await take(who)).line) {
      const { id } = taken;
      const first = lines.find((line) => idOf(line) === id);
      if (!first) throw new Error("The line doesn't exist.");
      expect(first.by).not.toBe(who);
      const valid = first.verdict === "accepted" || first.verdict === "duplicate";
      const agrees = [valid ? "accepted" : first.verdict, first.voter] as const;
      const other = pick([
        ["accepted", "V-other"],
        ["illegible", null],
      ] as const);
      const differs = random() < 0.3;
      await enter(who, id, ...(differs ? other : agrees));
      const right = differs ? pick(["first", "second", null]) : null;
      if (right) expect(await settle("rex", id, right)).toEqual({ outcome: "settled" });
      expect(await settle("rex", id, "first")).toEqual({ outcome: differs && !right ? "settled" : "not-found" });
      if (differs && right !== "second") settledFirst++;
      entered.set(id, { wrong: differs && right === "second", open: right === "second", unsettled: false });
    }
  }
  // A difference that no one settles doesn't count yet, and a corrected one is no longer listed.
  const last = lines.find(
    (line) => line.by === "ada" && from.get(idOf(line)) !== undefined && !entered.has(idOf(line)),
  );
  const open = last && (await take("max")).line;
  if (open) {
    await enter("max", open.id, "other");
    entered.set(open.id, { wrong: true, open: true, unsettled: true });
  }
  const [corrected] = [...entered].filter(([, { open }]) => open).map(([id]) => id);
  await database.sql("update public.lines set removed_at = now() where id = $1", [corrected]);

  const { rates, differences, drawn, waiting, differing, unsettled } = await check();
  const among = (name: string, counts: (line: Line, from: string) => boolean) => {
    const isChecked = (line: Line) => entered.get(idOf(line))?.unsettled === false;
    const checked = lines.filter((line) => isChecked(line) && counts(line, from.get(idOf(line)) ?? ""));
    return [name, checked.length, checked.filter((line) => entered.get(idOf(line))?.wrong).length];
  };
  const oracle = [
    among("campaign", (_, from) => from === "campaign"),
    ...["ada", "bea", "vic"].map((who) => among(who, ({ by }, from) => by === who && from !== "sheet")),
    among("sheet 3", (_, from) => from === "sheet"),
  ];
  const shown = rates.map(({ of, clerk, sheet, checked, errors }) => [
    clerk?.name ?? (sheet === null ? of : `sheet ${sheet}`),
    checked,
    errors,
  ]);
  expect(shown.toSorted()).toEqual(oracle.toSorted());
  expect([drawn, waiting]).toEqual([from.size, from.size - entered.size]);
  expect([differing, unsettled]).toEqual([differences.length + settledFirst + 1, open ? 1 : 0]);
  const listed = [...entered].filter(([id, { open }]) => open && id !== corrected).map(([id]) => id);
  expect(listed.length).toBeGreaterThan(3);
  expect(differences.map(({ id }) => id).toSorted()).toEqual(listed.toSorted());
});
