import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import type { CsvPiece } from "../../../lib/format/csv.ts";
import { correctLine, moveLine, removeLine, restoreLine } from "../../../lib/signatures/lines.ts";
import { registerCsv } from "../../../lib/signatures/register/csv.ts";
import { type RegisterFilter, registerOrders } from "../../../lib/signatures/register/filter.ts";
import {
  countRegisterLines,
  listRegisterLines,
  readLineHistory,
  readRegisterChoices,
} from "../../../lib/signatures/register/register.ts";
import { verdicts } from "../../../lib/signatures/verdicts.ts";
import { insertWorld, uuidOf } from "../../support/access-world.ts";
import { inDrill } from "../../support/in-drill.ts";
import { lineWorld } from "../../support/line-world.ts";
import { setUpEnv, setUpTestDatabase } from "../../support/test-database.ts";

const north = { team: "north", campaign: "lakes" };
const zone = "America/Los_Angeles"; // seven hours behind UTC on the days below
const gone = uuidOf("gone");

type Row = {
  id: string;
  team_id: string;
  campaign_id: string;
  sheet: number | null;
  line: number | null;
  verdict: string;
  voter_id: string | null;
  first_name: string | null;
  last_name: string | null;
  county: string | null;
  signed_on: string | null;
  entered_by: string | null;
  entered_at: string;
  removed_at: string | null;
};

const database = await setUpTestDatabase();
setUpEnv({ ...(await database.serve()), REDIS_URL: "redis://127.0.0.1:1" });
let clerks: Map<string, string>;
let rows: Row[];
const circulatorOf = new Map([
  [1, "M. Osei"],
  [2, "M. Osei"],
  [3, "Ada Å"],
]);

beforeAll(async () => {
  const names = ["ada", "bea", "rex", "max", "vic", "sue", "oda", "sam"];
  clerks = new Map(await Promise.all(names.map(async (name) => [name, (await database.signUp(name)).id] as const)));
  await insertWorld(database, lineWorld, clerks);
  await database.sql("update public.teams set time_zone = $1 where id = 'north'", [zone]);
  await database.sql(
    `insert into public.sheets (team_id, campaign_id, number, circulator)
     select 'north', 'lakes', s.number::int, s.circulator from jsonb_each_text($1::text::jsonb) s (number, circulator)`,
    [JSON.stringify(Object.fromEntries(circulatorOf))],
  );
  rows = someRows(360);
  await database.sql(
    `insert into public.lines (id, team_id, campaign_id, sheet, line, verdict, voter_id, first_name, last_name, county, signed_on,
       entered_by, entered_at, removed_at)
     select * from jsonb_to_recordset($1::text::jsonb) as l (id uuid, team_id text, campaign_id text, sheet int, line int,
       verdict text, voter_id text, first_name text, last_name text, county text, signed_on date, entered_by uuid, entered_at timestamptz,
       removed_at timestamptz)`,
    [JSON.stringify(rows)],
  );
  await database.sql(
    `insert into public.lines (id, team_id, campaign_id, verdict, first_name, last_name)
     select gen_random_uuid(), 'north', 'rivers', 'not-found', n.first, n.last from (values ('William J.', 'Smith'), ('Bill', 'Reed'),
       ('Asa', 'Smith-Jones'), ('Mary Ann', 'O''Connor'), ('Ann', 'Williams'), ('Margaret', 'Hale')) n (first, last)`,
  );
});

const clerk = (name: string) => {
  const id = clerks.get(name);
  if (!id) throw new Error(`There is no ${name}.`);
  return id;
};

/** Lines of all teams, with ties in each order, names in many scripts, and missing values. */
function someRows(count: number): Row[] {
  const one = <Value>(...values: Value[]) => fc.constantFrom(...values);
  const row = fc.record({
    id: fc.uuid({ version: 4 }),
    team_id: one("north", "north", "north", "north", "south"),
    campaign_id: one("lakes", "lakes", "lakes", "rivers"),
    sheet: one(1, 2, 3, 4, null),
    verdict: one("accepted", "accepted", ...verdicts),
    first_name: one("Ann", "ANNA", "Bo", "Zoé", null),
    last_name: one("Lee", "lee", "Léa", "De Lee", "Åberg", "le_", null),
    signed_on: one("2026-09-29", "2026-09-30", "2026-10-01", null),
    entered_by: one(clerk("ada"), clerk("bea"), clerk("max"), gone, null),
    entered_at: one(
      "2026-10-01T06:59:59.999Z",
      "2026-10-01T07:00:00.000Z",
      "2026-10-01T19:00:00.123Z",
      "2026-10-02T06:59:59.999Z",
      "2026-10-02T07:00:00.000Z",
    ),
    removed_at: one(null, null, null, "2026-10-03T00:00:00.000Z"),
  });
  return fc.sample(row, { numRuns: count, seed: 12 }).map((drawn, at) => {
    // South is only in the campaign lakes. No voter counts twice: each has one accepted line or invalid ones.
    const voter = drawn.verdict === "accepted" ? `V-${at}` : `W-${at % 40}`;
    return {
      ...drawn,
      county: ["King", "king", null][at % 3] ?? null,
      campaign_id: drawn.team_id === "south" ? "lakes" : drawn.campaign_id,
      line: drawn.sheet === null && at % 2 === 0 ? null : at + 1,
      voter_id: drawn.verdict === "accepted" || (drawn.verdict !== "blank" && at % 3 > 0) ? voter : null,
    };
  });
}

// The filter and the orders again, over plain lists.
const plain = (text: string) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
const nameKey = (...names: (string | null)[]) => plain(names.filter((name) => name !== null).join(" "));
const dayInZone = (at: string) => new Date(Date.parse(at) - 7 * 3_600_000).toISOString().slice(0, 10);
const byName = new Map<string | null, string>();
const matches = (row: Row, filter: RegisterFilter) => {
  const { name, voter, sheet, verdict, clerk: who, circulator, county, state } = filter;
  const { signedFrom, signedTo, enteredFrom, enteredTo } = filter;
  const typed = plain(name ?? "").match(/[^\s,]+/g) ?? [];
  const named = [row.first_name, row.last_name].flatMap((part) => (part === null ? [] : plain(part).split(" ")));
  const entered = dayInZone(row.entered_at);
  return (
    row.team_id === north.team &&
    row.campaign_id === north.campaign &&
    (state === "all" || (row.removed_at !== null) === (state === "removed")) &&
    typed.every((word) => named.some((one) => one.startsWith(word))) &&
    (voter === undefined || row.voter_id === voter) &&
    (sheet === undefined || row.sheet === sheet) &&
    (verdict === undefined || (verdict === "not-blank" ? row.verdict !== "blank" : row.verdict === verdict)) &&
    (who === undefined || row.entered_by === who) &&
    (circulator === undefined || circulatorOf.get(row.sheet ?? 0) === circulator) &&
    (county === undefined || (row.county ?? "No county") === county) &&
    (signedFrom === undefined || (row.signed_on !== null && row.signed_on >= signedFrom)) &&
    (signedTo === undefined || (row.signed_on !== null && row.signed_on <= signedTo)) &&
    (enteredFrom === undefined || entered >= enteredFrom) &&
    (enteredTo === undefined || entered <= enteredTo)
  );
};
const afterAllNames = "\u{10FFFF}"; // after all names
const keysOf: Record<(typeof registerOrders)[number], (row: Row) => (string | number)[]> = {
  entered: ({ entered_at, id }) => [entered_at, id],
  sheet: ({ sheet, line, id }) => [sheet ?? 0, line ?? 0, id],
  name: ({ last_name, first_name, id }) => [nameKey(last_name, first_name) || afterAllNames, id],
  verdict: ({ verdict, entered_at, id }) => [verdict, entered_at, id],
  clerk: ({ entered_by, entered_at, id }) => [byName.get(entered_by) ?? afterAllNames, entered_at, id],
  signed: ({ signed_on, entered_at, id }) => [signed_on ?? "", entered_at, id],
};
function compare(one: (string | number)[], other: (string | number)[]): number {
  const at = one.findIndex((key, index) => key !== other[index]);
  return at < 0 ? 0 : (one[at] ?? 0) < (other[at] ?? 0) ? -1 : 1;
}

const optional = <Value>(...values: Value[]) => fc.option(fc.constantFrom(...values), { nil: undefined, freq: 2 });
const days = ["2026-09-29", "2026-09-30", "2026-10-01", "2026-10-02"];
const fields = {
  name: fc.constantFrom("le", "LEE, a", "zoe", "de l", "ann lee", "a le", "a", "aberg", "le_", "%", " lee  ann "),
  voter: fc.constantFrom("W-1", "W-2", "V-1", "V-unknown"),
  sheet: fc.constantFrom(1, 2, 3, 9),
  verdict: fc.constantFrom(...verdicts, "not-blank"),
  circulator: fc.constantFrom("M. Osei", "Ada Å", "m. osei"),
  county: fc.constantFrom("King", "king", "Kitsap", "No county"),
  signedFrom: fc.constantFrom(...days),
  signedTo: fc.constantFrom(...days),
  enteredFrom: fc.constantFrom(...days),
  enteredTo: fc.constantFrom(...days),
  state: fc.constantFrom<"removed" | "all">("removed", "all"),
};
// Few conditions at once, so that lines are left to sort.
const filters = fc
  .shuffledSubarray(Object.keys(fields) as (keyof typeof fields)[], { maxLength: 2 })
  .chain((names) => fc.record<RegisterFilter>(Object.fromEntries(names.map((name) => [name, fields[name]]))));

describe("the register over random lines", () => {
  const sorts = registerOrders.flatMap((order) => [order, `-${order}`] as const);

  const queries = fc.record({
    filter: filters,
    who: optional("ada", "gone"),
    size: fc.constantFrom(7, 60, 400),
  });

  test.each(sorts)("sorted by %s, each page forward and back has the matching lines in order", async (sort) => {
    for (const name of ["ada", "bea", "max"]) byName.set(clerk(name), name);
    const [order = "entered"] = registerOrders.filter((order) => sort.endsWith(order));
    const sign = sort.startsWith("-") ? -1 : 1;
    const check = async ({ filter: drawn, who, size }: typeof queries extends fc.Arbitrary<infer A> ? A : never) => {
      const filter = { ...drawn, ...(who && { clerk: who === "gone" ? gone : clerk(who) }) };
      const expected = rows
        .filter((row) => matches(row, filter))
        .sort((one, other) => sign * compare(keysOf[order](one), keysOf[order](other)));
      const ids = expected.map(({ id }) => id);
      const live = expected.filter(({ removed_at }) => removed_at === null);
      const verdictsOf = live.map(({ verdict }) => verdict);
      expect(await countRegisterLines({ ...north, filter })).toEqual({
        lines: live.length,
        accepted: verdictsOf.filter((verdict) => verdict === "accepted").length,
        rejected: verdictsOf.filter((verdict) => verdict !== "accepted" && verdict !== "blank").length,
        removed: ids.length - live.length,
        corrected: 0,
      });

      const page = (view: object) => listRegisterLines({ ...north, filter, sort, size, ...view });
      const pages = [await page({})];
      while (pages.at(-1)?.later) pages.push(await page({ after: pages.at(-1)?.lines.at(-1)?.id }));
      expect(pages.flatMap(({ lines }) => lines.map(({ id }) => id))).toEqual(ids);
      expect(pages.map(({ earlier }) => earlier)).toEqual(pages.map((_, at) => at > 0));
      for (let at = pages.length - 1; at > 0; at -= 1) {
        expect(await page({ before: pages[at]?.lines[0]?.id })).toEqual(pages[at - 1]);
      }
    };
    await check({ filter: {}, who: undefined, size: 60 });
    await fc.assert(
      fc.asyncProperty(queries, check),
      inDrill<object>({ numRuns: 60 }, { else: { numRuns: 3, seed: 3 } }),
    );
  });

  test("a page after a line of another team or a missing line is the first page", async () => {
    const first = await listRegisterLines({ ...north, filter: {}, size: 3 });
    const south = rows.find(({ team_id }) => team_id === "south");
    for (const id of [south?.id, uuidOf("nothing")]) {
      for (const view of [{ after: id }, { before: id }]) {
        expect(await listRegisterLines({ ...north, filter: {}, size: 3, ...view })).toEqual(first);
      }
    }
  });

  test.each([
    ["bill smith", "Smith, William J."],
    ["smith will", "Smith, William J."],
    ["william reed", "Reed, Bill"],
    ["asa jones", "Smith-Jones, Asa"],
    ["jones, asa", "Smith-Jones, Asa"],
    ["asa smith jones", "Smith-Jones, Asa"],
    ["smithjones", "Smith-Jones, Asa"],
    ["o connor", "O'Connor, Mary Ann"],
    ["oconnor maryann", "O'Connor, Mary Ann"],
    ["ann o'con", "O'Connor, Mary Ann"],
    ["bill", "Reed, Bill"], // Williams isn't meant
    ["lynda m", ""],
    ["smtih asa", "Smith-Jones, Asa"],
    ["peggy", "Hale, Margaret"],
    ["peggi", ""],
  ])("the words of a name are found in any order, by short forms too: %s", async (name, expected) => {
    const { lines } = await listRegisterLines({ ...north, campaign: "rivers", filter: { name }, size: 10 });
    expect(lines.map(({ lastName, firstName }) => `${lastName}, ${firstName}`).join("; ")).toBe(expected);
  });

  test("a mistyped name finds the lines with similar last names, unless a name begins like it", async () => {
    const namesOf = async (name: string) => {
      const { lines, similar } = await listRegisterLines({ ...north, filter: { name, state: "all" }, size: 400 });
      expect(await countRegisterLines({ ...north, filter: { name, state: "all" } })).toMatchObject({
        lines: lines.filter(({ removedAt }) => removedAt === null).length,
      });
      return [
        similar,
        [...new Set(lines.map(({ lastName, firstName }) => `${lastName} ${firstName?.[0] ?? ""}`))].sort(),
      ];
    };
    const aberg = ["Åberg A", "Åberg B", "Åberg Z"];
    const all = [...aberg, "Åberg "].sort();
    expect(await namesOf("aberg")).toEqual([false, all]);
    expect(await namesOf("abreg")).toEqual([true, all]);
    expect(await namesOf("abreg z")).toEqual([true, ["Åberg Z"]]);
    expect(await namesOf("Ann, Aberk")).toEqual([true, ["Åberg A"]]);
    expect(await namesOf("an aberg")).toEqual([false, ["Åberg A"]]); // Ann and Anna
    expect(await namesOf("ann abreg")).toEqual([true, ["Åberg A"]]);
    expect(await namesOf("abc")).toEqual([true, []]);
    expect(await namesOf("obergs")).toEqual([true, []]); // two letters
  });

  test("a voter ID is found in small letters too, and where names are", async () => {
    const listed = (who: RegisterFilter) =>
      listRegisterLines({ ...north, filter: { ...who, state: "all" }, size: 400 });
    const found = await listed({ voter: "W-1" });
    expect(found.lines).not.toEqual([]);
    expect(await listed({ voter: "w-1" })).toEqual(found);
    expect(await listed({ name: "w-1" })).toEqual(found);
  });

  test("the choices are those with lines, by name, with deleted accounts last", async () => {
    expect(await readRegisterChoices(north)).toEqual({
      clerks: [...["ada", "bea", "max"].map((name) => ({ id: clerk(name), name })), { id: gone, name: null }],
      circulators: expect.toSatisfy((all: string[]) => all.toSorted().join() === "Ada Å,M. Osei"),
      counties: expect.toSatisfy((all: string[]) => all.toSorted().join() === "King,king"),
    });
    const none = { clerks: [], circulators: [], counties: [] };
    expect(await readRegisterChoices({ team: "north", campaign: "nowhere" })).toEqual(none);
  });

  test("the file has a header and each line once in the order of the screen, for any page size", async () => {
    const filter: RegisterFilter = { state: "all", verdict: "accepted" };
    const expected = rows
      .filter((row) => matches(row, filter))
      .sort((one, other) => -compare(keysOf.entered(one), keysOf.entered(other)));
    const pieces: CsvPiece[] = [];
    for await (const piece of await registerCsv({
      place: north,
      filter,
      sort: "-entered",
      timeZone: zone,
      pageSize: 7,
    }))
      pieces.push(piece);
    const [head, ...lines] = pieces
      .map(({ text }) => text)
      .join("")
      .trimEnd()
      .split("\r\n");
    expect(head).toBe(
      '\uFEFF"Sheet","Line","Last name","First name","Status","Voter ID","Signed","Circulator","Entered","Entered by","Address","City","County","ZIP code","Note","First signature","Removed","Removal reason"',
    );
    expect(lines.map((line) => line.split(",")[5])).toEqual(expected.map(({ voter_id }) => `"${voter_id}"`));
    const whole = Array.from({ length: Math.floor(expected.length / 7) }, () => 7);
    expect(pieces.map(({ rowCount }) => rowCount)).toEqual(
      [0, ...whole, expected.length % 7].filter((n, at) => !at || n),
    );
    expect(lines.at(-1)).toContain('"2026-09-30 23:59"');
  });
});

describe("a line", () => {
  const ignoreAfter = () => undefined;
  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  const ada = () => ({ id: clerk("ada"), name: "ada" });
  const rex = () => ({ id: clerk("rex"), name: "rex" });
  const insert = async (line: Record<string, unknown>) => {
    const id = crypto.randomUUID();
    await database.sql(
      `insert into public.lines (id, team_id, campaign_id, sheet, line, verdict, voter_id, last_name, entered_by)
       select $1, team_id, 'lakes', sheet, line, verdict, voter_id, last_name, entered_by
       from jsonb_populate_record(null::public.lines, $2::text::jsonb)`,
      [id, JSON.stringify({ team_id: "north", verdict: "accepted", entered_by: clerk("ada"), ...line })],
    );
    return id;
  };

  test("has a history of who entered, moved, removed and restored it, when, why and between which places", async () => {
    const id = await insert({ sheet: 801, line: 1, voter_id: "H-1", last_name: "Hill" });
    const line = { ...north, id };
    await moveLine({ ...line, actorId: clerk("rex"), sheet: 802, line: 4, reason: "wrong sheet" });
    await removeLine({ ...line, actorId: clerk("rex"), reason: "crossed out" }, ignoreAfter);
    await restoreLine({ ...line, actorId: clerk("rex") }, ignoreAfter);
    await removeLine({ ...line, actorId: clerk("ada") }, ignoreAfter);
    await database.sql("update public.lines set removed_at = null where id = $1", [id]);
    const [from, to] = [
      { sheet: 801, line: 1 },
      { sheet: 802, line: 4 },
    ];
    const history = await readLineHistory(line);
    expect(history?.line).toMatchObject({ ...to, lastName: "Hill", enteredBy: ada(), enteredAt: at, removedAt: null });
    expect(history?.changes).toEqual([
      { kind: "moved", at, by: rex(), reason: "wrong sheet", from, to },
      { kind: "removed", at, by: rex(), reason: "crossed out", from: to, to },
      { kind: "restored", at, by: rex(), reason: null, from: to, to },
      { kind: "undone", at, by: ada(), reason: null, from: to, to },
      { kind: "restored", at, by: null, reason: null, from: to, to },
    ]);
    expect(await readLineHistory({ ...line, team: "south" })).toBeNull();
    expect(await readLineHistory({ ...line, campaign: "rivers" })).toBeNull();
    expect(await readLineHistory({ ...line, id: uuidOf("nothing") })).toBeNull();
  });

  test("lists the lines that were removed from its place, and a removed one the line that is there now", async () => {
    const place = { sheet: 851, line: 1 };
    const id = await insert({ ...place, verdict: "not-found", last_name: "Jonson" });
    await removeLine({ ...north, id, actorId: clerk("ada") }, ignoreAfter);
    const now = await insert({ ...place, voter_id: "J-1", last_name: "Johnson" });
    await insert({ sheet: 851, line: 2, verdict: "illegible" });
    const othersOf = async (id: string) => (await readLineHistory({ ...north, id }))?.others;
    expect(await othersOf(now)).toMatchObject([{ id, lastName: "Jonson", verdict: "not-found", removedBy: ada() }]);
    expect(await othersOf(id)).toMatchObject([{ id: now, lastName: "Johnson", removedAt: null, removedBy: null }]);
  });

  test("is corrected by a new line with its clerk, time and place, and a history of both", async () => {
    const id = await insert({ sheet: 821, line: 1, verdict: "illegible", last_name: "Hlil" });
    const [before] = await database.sql("select entered_at, entered_by from public.lines where id = $1", [id]);
    const correction = {
      ...({
        verdict: "accepted",
        voterId: "C-1",
        firstName: "Ann",
        lastName: "Hill",
        address: null,
        city: null,
      } as const),
      county: "King",
      zip: null,
      signedOn: null,
      note: null,
    };
    const args = { ...north, id, correction, reason: "legible with a lens" };
    await expect(correctLine({ ...args, actorId: clerk("bea") }, ignoreAfter)).rejects.toMatchObject({
      code: "forbidden",
    });
    await expect(correctLine({ ...args, reason: null, actorId: clerk("rex") }, ignoreAfter)).rejects.toMatchObject({
      code: "invalid",
    });
    const { id: corrected } = await correctLine({ ...args, actorId: clerk("rex") }, ignoreAfter);
    const [after] = await database.sql("select entered_at, entered_by from public.lines where id = $1", [corrected]);
    expect(after).toEqual(before);
    const history = await readLineHistory({ ...north, id: corrected });
    expect(history?.line).toMatchObject({
      sheet: 821,
      line: 1,
      verdict: "accepted",
      lastName: "Hill",
      removedAt: null,
    });
    expect(history?.changes).toMatchObject([
      {
        kind: "corrected",
        by: rex(),
        reason: "legible with a lens",
        was: { verdict: "illegible", lastName: "Hlil" },
        became: { verdict: "accepted", lastName: "Hill" },
      },
    ]);
    expect(await readLineHistory({ ...north, id })).toMatchObject({
      replacedBy: corrected,
      line: { verdict: "illegible", isCorrected: true },
      changes: [{ kind: "removed" }],
    });
    const onSheet = { ...north, filter: { sheet: 821, state: "all" } } as const;
    expect(await countRegisterLines(onSheet)).toMatchObject({ lines: 1, removed: 0, corrected: 1 });
    await expect(correctLine({ ...args, actorId: clerk("rex") }, ignoreAfter)).rejects.toMatchObject({
      code: "not-found",
    });

    // Its own clerk needs no reason; the same voter stays, another's line keeps theirs.
    const own = { ...args, id: corrected, reason: null, actorId: clerk("ada") };
    const { id: again } = await correctLine({ ...own, correction: { ...correction, note: "seen" } }, ignoreAfter);
    const other = await insert({ sheet: 821, line: 2, verdict: "illegible" });
    await expect(correctLine({ ...own, id: other }, ignoreAfter)).rejects.toThrow(
      "This voter has already signed: sheet 821, line 1, entered by ada.",
    );
    expect((await readLineHistory({ ...north, id: again }))?.changes.map(({ kind }) => kind)).toEqual([
      "corrected",
      "corrected",
    ]);
    const [{ wrong } = { wrong: null }] = await database.sql("select public.wrong_counts() as wrong");
    expect(wrong).toEqual([]);
  });

  test("has its second entries, with how their difference was settled, also after a correction", async () => {
    const id = await insert({ sheet: 861, line: 1, verdict: "illegible" });
    await database.sql(
      `insert into public.quality_lines (line_id, team_id, campaign_id, drawn_from, drawn_by, second_by, entered_at, verdict, address,
         differs, right_entry, settled_by, settled_at)
       values ($1, 'north', 'lakes', 'sheet', $2, $2, now(), 'blank', '14', true, 'second', $3, now())`,
      [id, clerk("rex"), clerk("ada")],
    );
    const correction = {
      ...({ verdict: "blank", voterId: null, firstName: null, lastName: null, address: null, city: null } as const),
      county: null,
      zip: null,
      signedOn: null,
      note: null,
    };
    const args = { ...north, id, correction, reason: null, actorId: clerk("ada") };
    const { id: corrected } = await correctLine(args, ignoreAfter);
    const second = { verdict: "blank", voterId: null, lastName: null, address: "14" };
    const checks = [{ at, by: rex(), differs: true, ...second, right: "second", settledAt: at, settledBy: ada() }];
    expect(await readLineHistory({ ...north, id: corrected })).toMatchObject({ checks });
    expect(await readLineHistory({ ...north, id })).toMatchObject({ checks });
  });

  test("that is a duplicate has its first signature, only the fact of another team's, or none", async () => {
    const own = await insert({ sheet: 811, line: 1, voter_id: "D-1", last_name: "Hill" });
    await insert({ sheet: 812, line: 1, voter_id: "D-2", team_id: "south", entered_by: clerk("sam") });
    const duplicates = await Promise.all(
      ["D-1", "D-2", "D-3"].map((voter_id, at) => insert({ sheet: 813, line: at + 1, verdict: "duplicate", voter_id })),
    );
    const first = { ownTeam: true, id: own, sheet: 811, line: 1, firstName: null, lastName: "Hill" };
    const shown = await listRegisterLines({ ...north, filter: { sheet: 813 }, sort: "sheet", size: 10 });
    expect(shown.lines.map(({ id, first }) => [id, first])).toEqual([
      [duplicates[0], first],
      [duplicates[1], { ownTeam: false }],
      [duplicates[2], null],
    ]);
  });
});
