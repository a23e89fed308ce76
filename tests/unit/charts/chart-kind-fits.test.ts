import { describe, expect, it } from "vitest";
import type { ChartMetric } from "@/lib/charts/chart-definition";
import { chartKindFits } from "@/lib/charts/chart-kind-fits";
import type { ChartColumn } from "@/lib/charts/chart-source";
import { type ChartKind, chartKinds } from "@/lib/charts/chart-words";
import { deriveNumbers } from "@/lib/charts/derive-numbers";
import type { ChartDisplay } from "@/lib/charts/display";
import { formatOf } from "@/lib/format/format-of";

const columns: ChartColumn[] = [
  { name: "county", label: "County", type: "text" },
  { name: "verdict", label: "Verdict", type: "text" },
  { name: "clerk", label: "Clerk", type: "text" },
  { name: "signed_on", label: "Signed on", type: "date" },
  { name: "weekday", label: "By weekday", type: "number", part: { of: "signed_on", unit: "weekday" } },
  { name: "line", label: "Line", type: "number" },
];
const values: Record<string, (index: number) => string | number> = {
  county: (index) => `County ${index}`,
  verdict: (index) => ["accepted", "duplicate"][index % 2] ?? "",
  clerk: (index) => `Clerk ${index}`,
  signed_on: (index) => new Date(Date.UTC(2026, 8, 1 + index)).toISOString().slice(0, 10),
  weekday: (index) => 1 + index,
};
const count = { key: "n", aggregation: "count" } as const;
const average = { key: "n", aggregation: "avg", column: "line" } as const;

type Case = { by: [string, number][]; metrics?: ChartMetric[]; display?: ChartDisplay };

// All groups of so many values of each column, of one record each; the first is larger by `first`.
function fits({ by, metrics = [count], display }: Case, first = 1) {
  const groups = by.reduce<Record<string, string | number>[]>(
    (all, [name, size]) =>
      all.flatMap((group) => Array.from({ length: size }, (_, at) => ({ ...group, [name]: values[name]?.(at) ?? at }))),
    [{}],
  );
  const result = {
    source: "lines",
    groupBy: by.map(([name]) => name).join(","),
    metrics,
    rows: groups.map((group, at) => ({
      key: "",
      group,
      values: Object.fromEntries(metrics.map(({ key }) => [key, at === 0 ? first : 1])),
    })),
    recordCount: groups.length,
    groupCount: groups.length,
    generatedAt: "2026-11-20T10:00:00Z",
  };
  const shown = deriveNumbers(result, display ?? null, columns);
  return chartKindFits({ result: shown, columns, format: formatOf() });
}

const rate = { key: "r", kind: "rate", of: "n", over: "m", format: "percent" } as const;

describe("the kind that fits, and those that cannot show it", () => {
  it.each<[string, Case, ChartKind, ChartKind[]]>([
    ["one number", { by: [] }, "number", ["bar", "stacked-bar", "line", "area", "pie"]],
    [
      "two numbers",
      { by: [], metrics: [count, { ...count, key: "m" }] },
      "number",
      ["stacked-bar", "line", "area", "pie"],
    ],
    ["some counties", { by: [["county", 6]] }, "bar", ["line", "area", "number"]],
    [
      "an average of some counties",
      { by: [["county", 6]], metrics: [average] },
      "bar",
      ["stacked-bar", "line", "area", "pie", "number"],
    ],
    ["many counties", { by: [["county", 39]] }, "table", ["bar", "stacked-bar", "line", "area", "pie", "number"]],
    ["days", { by: [["signed_on", 30]] }, "line", ["pie", "number"]],
    ["one day", { by: [["signed_on", 1]] }, "bar", ["line", "area", "number"]],
    ["a year of days", { by: [["signed_on", 365]] }, "line", ["bar", "stacked-bar", "pie", "number"]],
    ["weekdays", { by: [["weekday", 7]] }, "bar", ["number"]],
    [
      "days and some counties",
      {
        by: [
          ["signed_on", 12],
          ["county", 4],
        ],
      },
      "line",
      ["bar", "pie", "number"],
    ],
    [
      "days and many counties",
      {
        by: [
          ["signed_on", 12],
          ["county", 39],
        ],
      },
      "line",
      ["bar", "stacked-bar", "area", "pie", "number"],
    ],
    [
      "counties and verdicts",
      {
        by: [
          ["county", 4],
          ["verdict", 2],
        ],
      },
      "stacked-bar",
      ["line", "area", "number"],
    ],
    [
      "an average by county and verdict",
      {
        by: [
          ["county", 4],
          ["verdict", 2],
        ],
        metrics: [average],
      },
      "bar",
      ["stacked-bar", "line", "area", "pie", "number"],
    ],
    [
      "three columns",
      {
        by: [
          ["signed_on", 5],
          ["county", 4],
          ["clerk", 3],
        ],
      },
      "table",
      ["bar", "pie", "number"],
    ],
    [
      "the last day of each county",
      { by: [["county", 4]], metrics: [{ key: "n", aggregation: "max", column: "signed_on" }] },
      "table",
      ["bar", "stacked-bar", "line", "area", "pie", "number"],
    ],
    [
      "a rate by day and county",
      {
        by: [
          ["signed_on", 12],
          ["county", 4],
        ],
        metrics: [count, { ...count, key: "m" }],
        display: { derived: [rate], hidden: ["n", "m"] },
      },
      "line",
      ["stacked-bar", "area", "pie", "number"],
    ],
    [
      "the largest counties and the rest",
      { by: [["county", 39]], display: { derived: [], hidden: [], top: { column: "county", count: 3 } } },
      "bar",
      ["line", "area", "number"],
    ],
  ])("%s", (_name, shown, best, impossible) => {
    const all = fits(shown);
    const of = (fit: string) => chartKinds.filter((kind) => all.get(kind)?.fit === fit);
    expect(of("fits")).toEqual([best]);
    expect(of("cannot")).toEqual(impossible);
    expect(new Set([...all.values()].map(({ instead }) => instead))).toEqual(new Set([best]));
  });
});

it("says why not in a sentence", () => {
  expect(
    fits({
      by: [
        ["signed_on", 12],
        ["county", 39],
      ],
    }).get("bar"),
  ).toEqual({
    fit: "cannot",
    why: "There are too many groups to tell apart: 98.1% of all would be one grey bar.",
    instead: "line",
  });
  expect(fits({ by: [["county", 6]] }).get("line")?.why).toBe("“County” has no order that a line could follow.");
});

it("many groups are bars where the first ones are most of it", () => {
  expect(fits({ by: [["county", 39]] }, 100).get("bar")?.fit).toBe("fits");
});

it("nothing is said of no rows", () => {
  expect(fits({ by: [["county", 0]] }).size).toBe(0);
});
