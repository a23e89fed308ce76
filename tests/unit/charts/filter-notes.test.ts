import { expect, it } from "vitest";
import { type ChartFilter, chartDisplaySchema } from "@/lib/charts/definition/definition";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { filterNotes } from "@/lib/charts/display/filter-notes";
import { formatOf } from "@/lib/format/format-of";

const columns: ChartColumn[] = [
  { name: "county", label: "County", type: "text" },
  { name: "verdict", label: "Status", type: "text" },
  { name: "signed_on", label: "Date signed", type: "date" },
];
const computed = { columns, generatedAt: "2026-11-20T10:00:00.000Z", format: formatOf() };
const county = (operator: "eq" | "neq" | "in" | "ilike", value: string | null | string[]) => ({
  column: "county",
  operator,
  value,
});

it.each<[string, ChartFilter[]]>([
  ["County is King", [county("eq", "King")]],
  ["County is empty", [county("eq", null)]],
  ["County is not empty", [county("neq", null)]],
  ["County is one of King, Pierce", [county("in", ["King", "Pierce"])]],
  ["County is one of a, b, c, d, e, and 2 more", [county("in", [..."abcdefg"])]],
  ["County starts with Ki", [county("ilike", "Ki%")]],
  ["Status is Not found", [{ column: "verdict", operator: "eq", value: "not-found" }]],
  ["gone is x", [{ column: "gone", operator: "eq", value: "x" }]],
  [
    "County is King or Date signed is on or after Nov 2, 2026 and Date signed is on or before Nov 8, 2026",
    [
      {
        any: [
          county("eq", "King"),
          {
            all: [
              { column: "signed_on", operator: "gte", value: "2026-11-02" },
              { column: "signed_on", operator: "lte", value: "2026-11-08" },
            ],
          },
        ],
      },
    ],
  ],
  [
    "County is King, and Date signed is in the last 7 days (Nov 14, 2026 to Nov 20, 2026)",
    [county("eq", "King"), { column: "signed_on", operator: "eq", value: "last 7 days" }],
  ],
])("a chart only of “%s” says so", (words, filters) => {
  expect(filterNotes({ filters, metrics: [], groupBy: "" }, computed)).toEqual([`Only where ${words}`]);
});

it("says once what relative dates of measures mean", () => {
  const segment = [{ column: "signed_on", operator: "eq" as const, value: "today" }, county("eq", "King")];
  const metrics = ["a", "b"].map((key) => ({ key, aggregation: "count" as const, segment }));
  expect(filterNotes({ filters: [], metrics, groupBy: "" }, computed)).toEqual(["Date signed is today (Nov 20, 2026)"]);
});

it("says when a running total begins, unless what came before is carried", () => {
  const display = chartDisplaySchema.parse({ derived: [{ key: "c", kind: "cumulated", of: "n" }] });
  const chart = { filters: [], metrics: [], groupBy: "signed_on", display };
  const narrowed = [{ column: "signed_on", operator: "eq" as const, value: "last 7 days" }];
  expect(filterNotes({ ...chart, narrowed }, computed)).toEqual(["Running total since Nov 14, 2026"]);
  for (const other of [chart, { ...chart, narrowed, carried: [] }, { ...chart, narrowed, groupBy: "county" }])
    expect(filterNotes(other, computed)).toEqual([]);
  const own = { ...chart, filters: [{ column: "signed_on", operator: "gte" as const, value: "2026-11-02" }] };
  expect(filterNotes(own, computed).at(-1)).toBe("Running total since Nov 2, 2026");
});
