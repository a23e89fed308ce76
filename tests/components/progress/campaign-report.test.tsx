import { cleanup, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { CampaignReport } from "@/components/progress/report/campaign-report";
import { formatOf } from "@/lib/format/format-of";
import type { CampaignProgress, CampaignWork } from "@/lib/progress/responses";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";
import { fullCount } from "../../support/no-official-check.ts";

function show(
  facts: Partial<CampaignProgress>,
  circulators: CampaignWork["circulators"] | null = null,
  outsideDates = 0,
) {
  const progress = campaignCounts(steady(30, 100), { goal: 5_000, endsOn: "2026-12-22", ...facts });
  const place = { team: "north", campaign: "lakes" };
  const props = { place, name: "Lakes", teamName: "North", progress, outsideDates, quality: null, format: formatOf() };
  render(<CampaignReport {...props} circulators={circulators} />);
}

test("says next to the verdict how many of its signatures were signed outside the dates", () => {
  show({}, null, 1_283);
  expect(screen.getByRole("region", { name: "Forecast" }).textContent).toContain(
    "The valid signatures include 1,283 signed outside the campaign's dates, which the office may reject.",
  );
});

test("reports what the official check and the counties require, and what is on hand now", () => {
  show({
    official: {
      required: 5_000,
      margin: 10,
      rejection: 5,
      ...fullCount,
    },
    counties: [
      { county: "King", target: 500, entered: 600, accepted: 600, last7Days: 140 },
      { county: "Pierce", target: 900, entered: 600, accepted: 600, last7Days: 140 },
    ],
  });
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual(
    expect.arrayContaining([
      "The law requires 5,000 valid signatures.",
      "Official check: all signatures. If turned in today, the petition is under 1% likely to qualify.",
      "You need 5,790 valid signatures with a 10% margin and 5% expected rejections.",
      "1 of 2 county targets reached.",
      "Least likely to be reached: Pierce (600 of 900, 300 short).",
    ]),
  );
  expect(screen.getByRole("region", { name: "Forecast" }).textContent).toMatch(
    /^\w+( \w+)?: (\d+%|under 1%) likely to qualify/,
  );
  expect(
    screen.getByText(
      "100 valid a day over the last 7 days, same as the week before; validity rate 100.0%, same as the week before",
    ),
  ).toBeDefined();
  expect(screen.getByText(/at the average pace of collection over the last 28 days/)).toBeDefined();
});

test.each([
  [97, 1, "3 invalid, including 1 duplicate"],
  [97, 3, "3 invalid, all duplicates"],
  [99, 1, "1 invalid, a duplicate"],
])("of 100 lines with %i valid, says how many of the others are duplicates: %i", (accepted, duplicates, text) => {
  show({ entered: 100, collected: 100, accepted, duplicates });
  expect(screen.getByRole("region", { name: "Numbers" }).textContent).toContain(text);
});

test("leaves requirements out where there are none, and data quality before the first line", () => {
  show({});
  expect(screen.queryByRole("heading", { name: "Requirements" })).toBeNull();
  expect(screen.getByRole("heading", { name: "Data quality" })).toBeDefined();
  cleanup();
  show({ days: [], entered: 0, accepted: 0, duplicates: 0, collected: 0 });
  expect(screen.queryByRole("heading", { name: "Data quality" })).toBeNull();
});

test("names the five circulators with the most lines, and adds up all others", () => {
  const lines = [900, 800, 500, 400, 200, 100, 50];
  const rows = lines.map((lines, index) => ({ circulator: `C${index}`, lines, accepted: 0.9 * lines, duplicates: 0 }));
  show({}, { rows, rest: { count: 3, lines: 50, accepted: 40, duplicates: 0 } });
  const shown = [...screen.getByRole("table", { name: "Circulators" }).querySelectorAll("tbody tr")];
  const texts = shown.map((row) => [...row.children].map(({ textContent }) => textContent?.trim()));
  expect(texts[0]).toEqual(["C0", "900", "810", "90.0%"]);
  expect(texts.at(-1)).toEqual(["5 others", "200", "175", "87.5%"]);
  expect(texts).toHaveLength(6);
});

test("has no circulators for those who may not see lines", () => {
  show({});
  expect(screen.queryByRole("table", { name: "Circulators" })).toBeNull();
});

test("reports of an archived campaign what was reached, and nothing about the future", () => {
  show({
    archivedAt: "2026-11-20T12:00:00Z",
    official: { required: 5_000, margin: 10, rejection: 5, ...fullCount },
  });
  const text = screen.getByRole("article").textContent;
  expect(text).toContain("Archived, 2,000 short of its goal");
  expect(text).not.toMatch(/likely|days? left|a day|per day|pace|forecast|Yesterday|yet/);
});

test.each<[what: string, facts: Partial<CampaignProgress>, method: RegExp | null]>([
  ["running", {}, /^The forecast adds .* The range allows/],
  ["without a goal", { goal: null }, /^The forecast adds .* The range allows/],
  ["without a last day", { endsOn: null }, /^The forecast assumes that lines not entered yet .* The range allows/],
  ["without both", { goal: null, endsOn: null }, null],
])("explains the numbers it shows: %s", (_what, facts, method) => {
  show(facts);
  const text = screen.queryByRole("heading", { name: "Method" })?.closest("section")?.querySelector("p")?.textContent;
  if (method === null) expect(text).toBeUndefined();
  else expect(text).toMatch(method);
});

test("leaves out what the check needs where the goal is the same, and a new campaign's empty parts", () => {
  show({ goal: 5_790, official: { required: 5_000, margin: 10, rejection: 5, ...fullCount } });
  expect(screen.getByText(/^The law requires 5,000/).textContent).not.toContain("margin");
  cleanup();
  show({ days: [], entered: 0, accepted: 0, duplicates: 0, collected: 0 });
  expect(screen.getByText("Its numbers appear once the first line is entered.")).toBeDefined();
  expect(screen.queryAllByRole("heading", { level: 3 })).toEqual([]);
});
