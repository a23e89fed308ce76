import { beforeAll, expect, test } from "vitest";
import { expectedLines, type ShownLine } from "../../../lib/signatures/entry/shown-lines.ts";
import type { SheetFilter } from "../../../lib/signatures/sheet-filter.ts";
import { listSheets } from "../../../lib/signatures/sheet-list.ts";
import { insertUsers, insertWorld, uuidOf } from "../../support/access-world.ts";
import { linePeople, lineWorld, storeRows } from "../../support/line-world.ts";
import { setUpEnv, setUpTestDatabase } from "../../support/test-database.ts";

const north = { team: "north", campaign: "lakes" };
const database = await setUpTestDatabase();
setUpEnv({ ...(await database.serve()), REDIS_URL: "redis://127.0.0.1:1" });

const input = Array.from({ length: 23 }, (_, index) => ({
  id: crypto.randomUUID(),
  team_id: index === 7 ? "south" : "north",
  campaign_id: "lakes",
  number: index + 1,
  circulator: ["M. Osei", "Ada Å", null][index % 3],
  collected_on: index % 4 === 0 ? null : `2026-10-0${1 + (index % 5)}`,
  signature_count: index === 2 ? 5 : index === 4 ? 20 : null,
  opened_by: uuidOf("ada"),
  opened_at: `2026-10-0${1 + (index % 3)}T12:00:00Z`,
  closed_at: index % 2 === 0 ? "2026-10-09T12:00:00Z" : null,
}));

beforeAll(async () => {
  await insertUsers(database, linePeople);
  await insertWorld(database, lineWorld);
  await storeRows(database, "sheets", input);
  const line = (sheet: number, number: number, verdict: string, removed_at: string | null = null) => ({
    id: crypto.randomUUID(),
    team_id: "north",
    campaign_id: "lakes",
    sheet,
    line: number,
    verdict,
    county: number === 1 ? "King" : "Pierce",
    removed_at,
    voter_id: verdict === "accepted" ? `V-${sheet}-${number}` : null,
    entered_at: "2026-10-02T12:00:00Z",
  });
  await storeRows(database, "lines", [
    line(3, 1, "accepted"),
    line(3, 2, "blank"),
    line(3, 4, "illegible"),
    line(3, 5, "accepted", "2026-10-03"),
    line(4, 1, "accepted"),
    line(4, 4, "illegible"),
    line(6, 2, "accepted"),
    line(6, 22, "accepted"),
    ...Array.from({ length: 20 }, (_, index) => line(5, index + 1, index === 6 ? "blank" : "accepted")),
  ]);
});

const own = input.filter(({ team_id }) => team_id === "north");

test.each<[SheetFilter, (row: (typeof input)[number]) => boolean, (row: (typeof input)[number]) => string | number]>([
  [{}, () => true, ({ number }) => -number],
  [{ number: 4 }, ({ number }) => number === 4, () => 0],
  [{ number: 8 }, () => false, () => 0],
  [{ missing: "yes" }, ({ number }) => number !== 5, ({ number }) => -number],
  [{ sort: "number", state: "open" }, ({ closed_at }) => closed_at === null, ({ number }) => number],
  [{ sort: "opened", state: "closed" }, ({ closed_at }) => closed_at !== null, ({ opened_at }) => opened_at],
  [
    { sort: "collected", circulator: "Ada Å" },
    ({ circulator }) => circulator === "Ada Å",
    (row) => row.collected_on ?? "",
  ],
])("the pages of %j have each matching sheet once, in order", async (filter, matches, key) => {
  const expected = own
    .filter(matches)
    .sort((a, b) => (key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : a.number - b.number))
    .map(({ number }) => number);
  const ids: number[] = [];
  for (let more = true; more; ) {
    const page = await listSheets({ ...north, filter: { ...filter, after: ids.at(-1) }, size: 4 });
    expect(page.total).toBe(expected.length);
    ids.push(...page.sheets.map(({ number }) => number));
    more = page.more;
  }
  expect(ids).toEqual(expected);
});

test("a sheet has its empty lines: of its signatures and their blank lines, as far as the paper goes", async () => {
  const { sheets } = await listSheets({ ...north, filter: { sort: "number" }, size: 5 });
  const to20 = (from: number) => Array.from({ length: 21 - from }, (_, index) => from + index);
  expect(sheets.slice(1)).toMatchObject([
    { number: 2, lines: 0, expected: 20, missingCount: 20, missing: to20(1), openedBy: "ada", closedAt: null },
    { number: 3, lines: 2, blank: 1, accepted: 1, expected: 6, missingCount: 3, missing: [3, 5, 6] },
    { number: 4, lines: 2, accepted: 1, expected: 20, missingCount: 18, missing: [2, 3, ...to20(5)] },
    { number: 5, lines: 19, accepted: 19, expected: 20, missingCount: 0, missing: [] },
  ]);
});

test("numbers between those of sheets aren't started, unless they are far apart", async () => {
  const numbers = (filter: SheetFilter) => listSheets({ ...north, filter, size: 5 }).then((page) => page.notStarted);
  expect(await numbers({})).toEqual([8]);
  expect(await numbers({ state: "open" })).toEqual([]);
  expect(await numbers({ after: 9 })).toEqual([]);
  await storeRows(
    database,
    "sheets",
    [27, 9033].map((number) => ({ ...input[0], id: crypto.randomUUID(), number })),
  );
  expect(await numbers({ sort: "number" })).toEqual([8, 24, 25, 26]);
  await database.sql("delete from public.sheets where number > 23");
});

test("charts count the same lines as missing, and know who opened a sheet, its only county, and how late it is", async () => {
  const { sheets } = await listSheets({ ...north, filter: { sort: "number" }, size: 50 });
  const rows = await database.sql(
    "select sheet, lines_missing from reporting.sheets where team_id = 'north' and campaign_id = 'lakes' order by sheet",
  );
  expect(rows).toEqual(sheets.map(({ number, missingCount }) => ({ sheet: number, lines_missing: missingCount })));
  const ofSix =
    "select clerk, county, lag from reporting.sheets where team_id = 'north' and sheet in (4, 6) order by sheet";
  expect(await database.sql(ofSix)).toEqual([
    { clerk: "ada", county: null, lag: -3 },
    { clerk: "ada", county: "Pierce", lag: 2 },
  ]);
});

test("the list expects as many lines of a sheet as the entry screen", async () => {
  const cases = [null, 0, 5, 15, 20, 30].flatMap((signatures) =>
    [0, 1, 9].flatMap((blank) => [15, 20].map((perSheet) => ({ signatures, blank, perSheet }))),
  );
  const rows = await database.sql<{ expected: number }>(
    `select private.expected_lines(c.signatures, c.blank, c."perSheet") as expected
     from jsonb_to_recordset($1) c (signatures int, blank bigint, "perSheet" int)`,
    [JSON.stringify(cases)],
  );
  const onScreen = cases.map(({ signatures, blank, perSheet }) =>
    expectedLines(signatures, { lines: blankLines(blank), linesPerSheet: perSheet }),
  );
  expect(rows.map(({ expected }) => expected)).toEqual(onScreen);
});

const blankLines = (count: number) =>
  new Map(
    Array.from({ length: count }, (_, index): [number, ShownLine] => [
      index + 1,
      {
        id: `line-${index}`,
        sheet: 1,
        line: index + 1,
        voterId: null,
        name: "",
        state: "blank",
        stateText: "blank",
        stored: true,
        enteredBy: "Ada",
        mine: true,
        enteredAt: "",
      },
    ]),
  );
