import { expect, test } from "vitest";
import { describeRead } from "@/components/activity/describe-read";
import type { ReadEntry } from "@/lib/activity/reads";
import { foldReads } from "@/lib/activity/reads";
import { formatOf } from "@/lib/format/format-of";

const jun = "00000000-0000-4000-8000-000000000001";
const ada = "00000000-0000-4000-8000-000000000002";
const read = (overrides: Partial<ReadEntry> = {}): ReadEntry => ({
  id: 1,
  at: "2026-11-20T12:00:00.000Z",
  actorId: jun,
  actor: "Jun Park",
  campaign: null,
  kind: "search",
  filter: {},
  rowCount: 25,
  matchCount: 312,
  ...overrides,
});

const sources = [
  {
    name: "signatures",
    label: "Signatures",
    description: "",
    columns: [
      { name: "county", label: "County", type: "text" as const },
      { name: "signed_on", label: "Date signed", type: "date" as const },
    ],
  },
];
const labels = { names: new Map([[ada, "Ada Moreno"]]), sources };
const describe = (entry: ReadEntry) => {
  const { what, filter } = describeRead(entry, labels, formatOf());
  return [what, ...filter];
};

const params = { lastName: "smi", zip: "98030", order: "lastName", queryFrom: 0, querySize: 25 };
test.each<[what: string, read: Partial<ReadEntry>]>([
  ["searched voters: last name smi, ZIP code 98030 — 312 matches, 1–25 shown", { filter: params }],
  [
    "searched voters: last name smi, ZIP code 98030 — 312 matches, 26–50 shown",
    { filter: { ...params, queryFrom: 25 } },
  ],
  ["searched voters: city Kent — 1 match", { filter: { city: "Kent" }, rowCount: 1, matchCount: 1 }],
  ["searched voters: last name smi, ZIP code 98030 — no matches", { filter: params, rowCount: 0, matchCount: 0 }],
  ["searched voters: ZIP code 9 — 3 matches, none shown", { filter: { zip: "9" }, rowCount: 0, matchCount: 3 }],
  ["searched voters: no filter — 312 matches, 1–25 shown", { filter: { lastName: " " } }],
  [
    "searched voters for near matches: last name smyth — 2 matches",
    { filter: { lastName: "smyth", similar: true }, rowCount: 2, matchCount: 2 },
  ],
])("%s", (what, overrides) => expect(describe(read(overrides))).toEqual([what]));

const inWater = { campaign: "Clean Water" };
test.each<[what: string, filter: string[], read: Partial<ReadEntry>]>([
  ["exported the signatures of Clean Water (12,004 lines)", [], { kind: "register", ...inWater, rowCount: 12_004 }],
  [
    "exported the signatures of Clean Water (1 line)",
    [
      "Name: smi",
      "Status: not found",
      "Entered by: Ada Moreno",
      "Entered from: Nov 1, 2026",
      "Removed or corrected: included",
    ],
    {
      kind: "register",
      ...inWater,
      rowCount: 1,
      filter: { name: "smi", verdict: "not-found", clerk: ada, enteredFrom: "2026-11-01", state: "all" },
    },
  ],
  [
    "exported the signatures of Clean Water (9 lines)",
    ["Status: all except blank"],
    { kind: "register", ...inWater, rowCount: 9, filter: { verdict: "not-blank" } },
  ],
  [
    "exported the member list (24 members)",
    ["Search: kent", "Role: no longer on the team", "Status: active"],
    { kind: "members", rowCount: 24, filter: { words: "kent", role: jun, status: "active", sort: "-name" } },
  ],
  [
    "exported the activity (340 entries)",
    ["Changes to: Signatures", "To: Nov 30, 2026"],
    { kind: "activity", rowCount: 340, filter: { area: "signatures", to: "2026-11-30" } },
  ],
  [
    "exported the activity (2 entries)",
    ["Shown: Sign-ins, exports, and searches"],
    { kind: "activity", rowCount: 2, filter: { kind: "reads" } },
  ],
  [
    "exported the records behind the chart “By county” in Clean Water (120 records)",
    ["Signatures", "County: King", "Date signed is on or after Nov 1, 2026"],
    {
      kind: "records",
      ...inWater,
      rowCount: 120,
      filter: {
        name: "By county",
        source: "signatures",
        groupBy: "county",
        group: { county: "King" },
        filters: [{ column: "signed_on", operator: "gte", value: "2026-11-01" }],
        metric: { key: "n", aggregation: "count" },
      },
    },
  ],
  [
    "exported the records behind the chart “Long” (2 records)",
    ["The filter is too long to show here."],
    { kind: "records", rowCount: 2, filter: { name: "Long", source: "signatures", filters: '[{"value": …' } },
  ],
])("%s", (what, filter, overrides) =>
  expect(describe(read({ matchCount: null, ...overrides }))).toEqual([what, ...filter]),
);

test("folds searches of one person within a minute into the last one, whatever others do", () => {
  const timestamp = (seconds: number) => new Date(Date.parse("2026-11-20T12:00:00Z") + seconds * 1_000).toISOString();
  const folded = foldReads([
    read({ id: 9, at: timestamp(100) }),
    read({ id: 8, at: timestamp(99), actorId: ada }),
    read({ id: 7, at: timestamp(98) }),
    read({ id: 6, at: timestamp(97), kind: "members" }),
    read({ id: 5, at: timestamp(96), kind: "members" }),
    read({ id: 4, at: timestamp(40) }),
    read({ id: 3, at: timestamp(39.9) }),
    read({ id: 2, at: timestamp(39) }),
  ]);
  expect(folded.map(({ id, others }) => [id, others.map((other) => other.id)])).toEqual([
    [9, [7, 4]],
    [8, []],
    [6, []],
    [5, []],
    [3, [2]],
  ]);
});

test("folds searches into the last one that found voters", () => {
  const folded = foldReads([
    read({ id: 4, matchCount: 0 }),
    read({ id: 3, matchCount: 0 }),
    read({ id: 2, matchCount: 220 }),
    read({ id: 1, matchCount: 900 }),
  ]);
  expect(folded.map(({ id, others }) => [id, others.map((other) => other.id)])).toEqual([[2, [4, 3, 1]]]);
});
