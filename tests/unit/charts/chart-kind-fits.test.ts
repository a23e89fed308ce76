import { expect, it } from "vitest";
import { chartKindFits } from "@/lib/charts/builder/suggest";
import type { ChartDisplay, ChartMetric } from "@/lib/charts/definition/definition";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { chartKinds } from "@/lib/charts/definition/words";
import { deriveNumbers } from "@/lib/charts/display/derive-numbers";
import { formatOf } from "@/lib/format/format-of";

const columns: ChartColumn[] = [
  { name: "county", label: "County", type: "text" },
  { name: "verdict", label: "Status", type: "text" },
  { name: "signed_on", label: "Signed on", type: "date" },
  { name: "weekday", label: "By weekday", type: "number", part: { of: "signed_on", unit: "weekday" } },
  { name: "line", label: "Line", type: "number" },
];
const valueAt = (name: string, index: number) => {
  if (name === "weekday") return 1 + index;
  return name === "signed_on" ? new Date(Date.UTC(2026, 8, 1 + index)).toISOString().slice(0, 10) : `${name} ${index}`;
};
const count = { key: "n", aggregation: "count" } as const;
const counts = [count, { key: "m", aggregation: "count" } as const];
const average = [{ key: "n", aggregation: "avg", column: "line" } as const];
const lastDay = [{ key: "n", aggregation: "max", column: "signed_on" } as const];

type Case = { by: Record<string, number>; metrics?: ChartMetric[]; display?: ChartDisplay };

// All groups of the given number of values of each column, with one record each and `first` in the first.
function fits({ by, metrics = [count], display }: Case, first = 1) {
  let groups: Record<string, string | number>[] = [{}];
  for (const [name, size] of Object.entries(by)) {
    const values = Array.from({ length: size }, (_, index) => valueAt(name, index));
    groups = groups.flatMap((group) => values.map((value) => ({ ...group, [name]: value })));
  }
  const rows = groups.map((group, index) => ({
    key: "",
    group,
    values: Object.fromEntries(metrics.map(({ key }) => [key, index === 0 ? first : 1])),
  }));
  const result = {
    source: "lines",
    groupBy: Object.keys(by).join(),
    metrics,
    rows,
    recordCount: rows.length,
    groupCount: rows.length,
    generatedAt: "2026-11-20T10:00:00Z",
  };
  const shown = deriveNumbers(result, display ?? null, columns);
  return chartKindFits({ result: shown, columns, format: formatOf() });
}

const rate: ChartDisplay = {
  derived: [{ key: "r", kind: "rate", of: "n", over: "m", format: "percent" }],
  hidden: ["n", "m"],
};
const cumulated: ChartDisplay = { derived: [{ key: "c", kind: "cumulated", of: "n" }], hidden: ["n"] };
const top: ChartDisplay = { derived: [], hidden: [], top: { column: "county", count: 3 } };

const days = { signed_on: 12, county: 4 };
const areas = { county: 4, verdict: 2 };

it.each<[string, Case, best: string, cannot: string]>([
  ["one number", { by: {} }, "number", "bar stacked-bar line area pie heat-map pivot"],
  ["two numbers", { by: {}, metrics: counts }, "number", "stacked-bar line area pie heat-map pivot"],
  ["some counties", { by: { county: 6 } }, "bar", "line area heat-map pivot number"],
  [
    "an average of some",
    { by: { county: 6 }, metrics: average },
    "bar",
    "stacked-bar line area pie heat-map pivot number",
  ],
  ["many counties", { by: { county: 39 } }, "table", "bar stacked-bar line area pie heat-map pivot number"],
  ["days", { by: { signed_on: 30 } }, "line", "pie heat-map pivot"],
  ["a running total", { by: { signed_on: 5 }, display: cumulated }, "line", "pie heat-map pivot"],
  ["one day", { by: { signed_on: 1 } }, "bar", "line area heat-map pivot"],
  ["a year of days", { by: { signed_on: 365 } }, "line", "bar stacked-bar pie heat-map pivot"],
  ["weekdays", { by: { weekday: 7 } }, "bar", "heat-map pivot number"],
  ["days and some counties", { by: days }, "line", "bar pie number"],
  ["days and many counties", { by: { signed_on: 12, county: 39 } }, "line", "bar stacked-bar area pie number"],
  ["counties and verdicts", { by: areas }, "stacked-bar", "line area pie number"],
  ["averages of both", { by: areas, metrics: average }, "bar", "stacked-bar line area pie number"],
  ["three columns", { by: { signed_on: 5, county: 4, verdict: 3 } }, "table", "bar pie heat-map pivot number"],
  [
    "the last day of each",
    { by: { county: 4 }, metrics: lastDay },
    "table",
    "bar stacked-bar line area pie heat-map pivot number",
  ],
  ["a rate of both", { by: days, metrics: counts, display: rate }, "line", "stacked-bar area pie number"],
  [
    "the largest counties and the others",
    { by: { county: 39 }, display: top },
    "bar",
    "line area heat-map pivot number",
  ],
])("finds the kind that fits %s, and those that can't show it", (_name, shown, best, cannot) => {
  const all = fits(shown);
  const kindsOf = (fit: string) => chartKinds.filter((kind) => all.get(kind)?.fit === fit).join(" ");
  expect([kindsOf("fits"), kindsOf("cannot")]).toEqual([best, cannot]);
  expect([...new Set([...all.values()].map(({ instead }) => instead))]).toEqual([best]);
});

it("says why a kind can't show the data", () => {
  expect(fits({ by: { signed_on: 12, county: 39 } }).get("bar")).toEqual({
    fit: "cannot",
    brief: "too many groups",
    reason: "Too many groups: 98.1% would be one gray bar.",
    instead: "line",
    isForNow: true,
  });
  expect(fits({ by: { county: 6 } }).get("line")?.reason).toBe(
    "A line needs dates or numbers, and “County” has neither.",
  );
  expect(fits({ by: { county: 6, signed_on: 4 } }).get("line")).toMatchObject({
    brief: "needs dates first",
    reason: expect.stringMatching(/ Make “.*” the first group\.$/),
  });
});

it("shows many groups as bars when the first ones dominate, and rates no kind without rows", () => {
  expect(fits({ by: { county: 39 } }, 100).get("bar")?.fit).toBe("fits");
  expect(fits({ by: { county: 0 } }).size).toBe(0);
});
