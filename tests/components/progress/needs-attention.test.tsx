import { render, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { NeedsAttention } from "@/components/progress/needs-attention";
import type { CountyProblem } from "@/components/progress/overview/problems";
import type { CampaignWork } from "@/lib/progress/responses";

const place = { team: "north", campaign: "lakes" };
const register = "/north/campaign/lakes/signatures/register";
const days = { today: "2025-11-22", startsOn: "2025-11-01", endsOn: "2025-11-30" };
const none = { rows: [], rest: { count: 0, lines: 0, accepted: 0, duplicates: 0 } };
const nothing: CampaignWork = {
  circulators: none,
  clerks: none,
  counties: none,
  openSheets: none,
  shortSheets: none,
  duplicatesFreed: none,
  recent: { days: [], clerks: none, circulators: none, linesPerCirculator: null },
  outsideDates: 0,
  unsettled: 0,
};
const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
const sheet = (number: number, openedAt: string, gapCount: number) => ({
  number,
  openedAt,
  gapCount,
  openedBy: null,
  signatureCount: 20,
  lines: 20 - gapCount,
});

function show(
  work: Partial<CampaignWork> | null,
  { requests = 0, failedCharts = [] as string[], counties = null as CountyProblem | null } = {},
) {
  vi.useFakeTimers({ now: Date.parse("2025-11-22T12:00:00Z") }); // days of this year have none
  render(
    <NeedsAttention
      place={place}
      progress={days}
      counties={counties}
      work={work && { ...nothing, ...work }}
      requests={requests}
      failedCharts={failedCharts}
    />,
  );
  const hrefs = (item: HTMLElement) => [...item.querySelectorAll("a")].map((link) => link.getAttribute("href"));
  return screen.queryAllByRole("listitem").map((item) => [item.textContent, ...hrefs(item)]);
}

test("says so when nothing needs attention", () => {
  expect(show(nothing)).toEqual([]);
  expect(screen.getByText("Nothing needs attention.")).toBeDefined();
});

test("is hidden from people who can't do anything about it", () => {
  show(null);
  expect(screen.queryByText("Needs attention")).toBeNull();
});

test("begins with the county targets at risk, also for people who don't see lines", () => {
  const counties = { link: "1 county target", text: " is behind: King" };
  expect(show(null, { counties, requests: 1 })).toEqual([
    ["1 county target is behind: King", "#county-targets"],
    ["1 access request", "/north/activity"],
  ]);
});

test("links circulators with unusually low validity to their lines", () => {
  const rows = [
    { circulator: "Lena Brandt", lines: 900, accepted: 850, duplicates: 0 },
    { circulator: "Dana Whitlock", lines: 300, accepted: 240, duplicates: 0 },
  ];
  expect(show({ circulators: { rows, rest: none.rest } })).toEqual([
    ["Dana Whitlock: low validity rate, 80.0% of 300 lines", `${register}?circulator=Dana+Whitlock&verdict=not-blank`],
  ]);
});

test("links circulators and clerks with certainly more duplicates than the others, not those with a few", () => {
  const tally = (lines: number, duplicates: number) => ({ lines, accepted: lines - duplicates, duplicates });
  const lastAt = "2025-11-20T12:00:00Z";
  const circulators = [
    { circulator: "Lena Brandt", ...tally(1_000, 20) },
    { circulator: "Dana Whitlock", ...tally(20, 2) },
  ];
  const clerks = [
    { userId: id(1), name: "Ada Moreno", lastAt, ...tally(2_000, 20) },
    { userId: id(2), name: "Jun Park", lastAt, ...tally(400, 40) },
  ];
  const { rest } = none;
  expect(show({ circulators: { rows: circulators, rest }, clerks: { rows: clerks, rest } })).toEqual([
    ["Clerk Jun Park: many duplicates, 10.0% of 400 lines", `${register}?clerk=${id(2)}&verdict=duplicate`],
  ]);
});

test("links requests to the page that answers them", () => {
  expect(show(null, { requests: 2 })).toEqual([["2 access requests", "/north/activity"]]);
});

test("lists sheets that have been open since the day before yesterday, or yesterday with missing lines", () => {
  const rows = [
    sheet(3, "2025-11-12T12:00:00Z", 1),
    sheet(4, "2025-11-20T23:59:59Z", 0),
    sheet(5, "2025-11-21T23:59:59Z", 9),
    sheet(6, "2025-11-22T00:00:00Z", 9),
    sheet(7, "2025-11-21T00:00:00Z", 0),
  ];
  expect(show({ openSheets: { rows, rest: { count: 0 } } })).toEqual([
    ["Sheet 3: open since Nov 12, 1 line missing", `${register}?sheet=3&sort=sheet`],
    ["Sheet 4: open since Nov 20", `${register}?sheet=4&sort=sheet`],
    ["Sheet 5: open since Nov 21, 9 lines missing", `${register}?sheet=5&sort=sheet`],
  ]);
});

test.each([
  [0, "2 more open sheets"],
  [100, "102 more open sheets"],
])("summarizes many sheets in a number, with %i that the list leaves out", (count, text) => {
  const rows = [1, 2, 3, 4, 5, 6].map((number) => sheet(number, "2025-11-12T12:00:00Z", 0));
  expect(show({ openSheets: { rows, rest: { count } } }).slice(3)).toEqual([
    ["Sheet 4: open since Nov 12", `${register}?sheet=4&sort=sheet`],
    [text, "#sheets"],
  ]);
});

test("lists closed sheets with missing lines", () => {
  const rows = [{ number: 406, closedAt: "2025-11-12T12:00:00Z", expected: 20, lines: 2 }];
  expect(show({ shortSheets: { rows, rest: { count: 0 } } })).toEqual([
    ["Sheet 406: closed, 18 lines missing", `${register}?sheet=406&sort=sheet`],
  ]);
});

test("links duplicates without a first signature, and lines outside the dates, to the register", () => {
  const freed = { rows: [{ id: id(1), sheet: 3, line: 4 }], rest: { count: 0 } };
  expect(show({ duplicatesFreed: freed, outsideDates: 12 })).toEqual([
    ["1 line is marked duplicate, but its voter has no valid signature: sheet 3, line 4", `${register}?line=${id(1)}`],
    [
      "12 valid lines were signed outside the campaign's dates: before Nov 1 or after Nov 30",
      `${register}?verdict=accepted&signedTo=2025-10-31`,
      `${register}?verdict=accepted&signedFrom=2025-12-01`,
    ],
  ]);
});

test("links unsettled differences to the quality check", () => {
  expect(show({ unsettled: 2 })).toEqual([
    ["Quality check: 2 differences to settle", "/north/campaign/lakes/signatures/quality"],
  ]);
});

test("links failed charts to the dashboard, with the first names", () => {
  expect(show(null, { failedCharts: ["By county", "By day", "Clerks", "Weeks", "Zips"] })).toEqual([
    ["5 charts couldn't be computed: By county, By day, Clerks, Weeks, and 1 more", "/north/campaign/lakes/dashboard"],
  ]);
});
