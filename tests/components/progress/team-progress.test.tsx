import { cleanup, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { outlookText } from "@/components/progress/outlook-text";
import { CampaignTable, TeamTotals } from "@/components/progress/team-progress";
import { formatOf } from "@/lib/format/format-of";
import { assessProgress } from "@/lib/progress/forecast";
import { campaignCounts, steady } from "../../support/campaign-counts.ts";
import { fullCount } from "../../support/no-official-check.ts";

// A campaign with `aDay` accepted lines on each of the `days` before today.
const campaign = (aDay: number, days: number, goal: number | null) =>
  campaignCounts(steady(days, aDay), { goal, endsOn: "2026-12-31" });

function show(campaigns: ReturnType<typeof campaign>[], requests: number | null) {
  const { container } = render(
    <TeamTotals teamId="north" format={formatOf()} campaigns={campaigns} requests={requests} />,
  );
  return [...container.querySelectorAll("dl > div")].map((figure) =>
    [...figure.querySelectorAll("dt, span")].map(({ textContent }) => textContent),
  );
}

test("adds up running campaigns: valid signatures, pace, and how many will qualify", () => {
  expect(show([campaign(10, 20, 100), campaign(20, 14, 9_000), campaign(5, 30, null)], 2)).toEqual([
    ["Valid signatures", "630", "in 3 active campaigns"],
    ["Valid signatures entered per day", "35", "over the last 7 days, same as the week before"],
    ["On track to qualify", "1 of 3", "1 behind, 1 without a goal"],
    ["Access requests", "2", "waiting"],
  ]);
  expect(screen.getByRole("link", { name: "2" }).getAttribute("href")).toBe("/north/activity");
});

test("counts a campaign that starts later apart", () => {
  const later = campaignCounts([], { goal: 500, startsOn: "2026-12-17" });
  expect(show([campaign(10, 20, 100), later], null)).toMatchObject([
    ["Valid signatures", "200", "in 1 active campaign, 1 not started"],
    ["Valid signatures entered per day", expect.anything(), expect.anything()],
    ["On track to qualify", "1 of 1"],
  ]);
});

test("counts a campaign that has ended apart, without its signatures", () => {
  const over = { ...campaign(10, 20, 9_000), endsOn: "2026-11-21" };
  expect(show([campaign(10, 20, 100), over], null)).toMatchObject([
    ["Valid signatures", "200", "in 1 active campaign, 1 ended"],
    ["Valid signatures entered per day", "10", expect.anything()],
    ["On track to qualify", "1 of 1"],
  ]);
});

test("adds up the lines of the same days, also of a campaign that began this week", () => {
  expect(show([campaign(10, 20, 100), campaign(70, 2, 9_000)], 0)[1]).toEqual([
    "Valid signatures entered per day",
    "30",
    "over the last 7 days, up 200% from the week before",
  ]);
});

test("lists the least likely to qualify first, and asks nothing of archived campaigns", () => {
  const named = [
    { name: "Fine", progress: campaign(10, 20, 100) },
    { name: "Hopeless", progress: campaign(10, 3, 9_000) },
    { name: "Behind", progress: campaign(100, 60, 12_000) },
    { name: "Old", progress: { ...campaign(10, 20, 9_000), archivedAt: "2026-11-03T12:00:00Z" } },
  ];
  const campaigns = named.map((row) => ({ ...row, id: row.name, permissionKeys: [], needs: [] }));
  render(<CampaignTable teamId="north" format={formatOf()} campaigns={campaigns} label="Campaigns" />);
  const rows = screen
    .getAllByRole("row")
    .slice(1)
    .map((row) => row.textContent ?? "");
  expect(rows.map((text) => /^(Hopeless|Fine|Behind|Old)/.exec(text)?.[0])).toEqual([
    "Hopeless",
    "Behind",
    "Fine",
    "Old",
  ]);
  expect(rows[0]).toContain("Behind: under 1% likely to qualify");
  expect(rows[0]).toMatch(/10 collected per day over the last 3 days; needs 230 a day at least/);
  expect(rows[1]).toMatch(/100 collected per day over the last 28 days; needs 162 a day to be 90% likely/);
  expect(rows.map((text) => /needs/.test(text))).toEqual([true, true, false, false]);
  // On wide screens each column has one form.
  const cells = screen.getAllByRole("row").map((row) => [...row.children].slice(2, 4).map((cell) => cell.textContent));
  expect(cells).toEqual([
    ["Collected per day", "Needed per day"],
    ["10over the last 3 days", "230at least"],
    ["100over the last 28 days", "162"],
    ["10over the last 20 days", "0"],
    ["–", "–"],
  ]);
});

test("says which county targets are at risk", () => {
  const county = { county: "King", target: 4_000, entered: 600, accepted: 600, last7Days: 1 };
  const progress = { ...campaign(100, 60, 8_000), counties: [county] };
  const campaigns = [{ id: "one", name: "One", progress, permissionKeys: [], needs: ["1 sheet open"] }];
  render(<CampaignTable teamId="north" format={formatOf()} campaigns={campaigns} label="Campaigns" />);
  const texts = screen.getAllByText(/county target|sheet open/).map(({ textContent }) => textContent);
  expect(texts).toEqual(["1 county target is behind: King", "1 sheet open"]);
});

test("says the pace that a campaign on track needs, on narrow screens too", () => {
  const campaigns = [{ id: "one", name: "One", progress: campaign(100, 60, 8_000), permissionKeys: [], needs: [] }];
  render(<CampaignTable teamId="north" format={formatOf()} campaigns={campaigns} label="Campaigns" />);
  const row = screen.getAllByRole("row")[1]?.textContent;
  expect(row).toContain("On track: ");
  expect(row).toMatch(/100 collected per day over the last 28 days; needs 53 a day to be 90% likely/);
});

test("needs what the overview advises: with county targets more, or so much for the goal alone where none is enough", () => {
  const county = { county: "King", target: 4_500, entered: 3_000, accepted: 3_000, last7Days: 350 };
  const empty = { ...county, entered: 0, accepted: 0, last7Days: 0 };
  const shown = [county, empty].map((row) => {
    const progress = { ...campaign(100, 60, 8_000), counties: [row] };
    const campaigns = [{ id: "one", name: "One", progress, permissionKeys: [], needs: [] }];
    render(<CampaignTable teamId="north" format={formatOf()} campaigns={campaigns} label="Campaigns" />);
    const cell = screen.getAllByRole("row")[1]?.children[3]?.textContent;
    cleanup();
    const [, advice] =
      /collect (\d+) a day/.exec(outlookText(assessProgress(progress), formatOf()).texts.join(" ")) ?? [];
    return { cell, advice };
  });
  expect(shown).toEqual([
    { cell: "118", advice: "118" },
    { cell: "53for the goal alone", advice: "53" },
  ]);
});

test("lists those that have ended last, or sorts by the header that was chosen", () => {
  const named = [
    { name: "Over", progress: { ...campaign(10, 20, 9_000), endsOn: "2026-11-20" } },
    { name: "Small", progress: campaign(10, 3, 9_000) },
    { name: "Big", progress: { ...campaign(100, 60, 12_000), endsOn: null } },
  ];
  const campaigns = named.map((row) => ({ ...row, id: row.name, permissionKeys: [], needs: [] }));
  const names = (sort: string) => {
    render(<CampaignTable teamId="north" format={formatOf()} campaigns={campaigns} label="Campaigns" sort={sort} />);
    const rows = screen
      .getAllByRole("link")
      .flatMap(({ textContent }) => /^(Over|Small|Big)/.exec(textContent)?.[0] ?? []);
    const sorted = screen.getAllByRole("columnheader").find((head) => head.hasAttribute("aria-sort"))?.textContent;
    const href = screen.getByRole("link", { name: /^Days left/ }).getAttribute("href");
    cleanup();
    return [rows.join(" "), sorted, href];
  };
  expect(names("")).toEqual(["Small Big Over", undefined, "/north?sort=end"]);
  expect(names("name")).toEqual(["Big Over Small", "Campaign↑", "/north?sort=end"]);
  expect(names("valid")).toEqual(["Big Over Small", "Valid signatures↓", "/north?sort=end"]);
  expect(names("end")).toEqual(["Over Small Big", "Days left↑", "/north"]);
});

test.each<[facts: Partial<ReturnType<typeof campaign>>, wide: string, narrow: string | RegExp]>([
  [
    { entered: 103, collected: 103, duplicates: 3 },
    "if there are no more duplicates",
    /^10 collected per day over the last 10 days; needs 895 a day if there are no more duplicates$/,
  ],
  [
    { accepted: 5_000, entered: 10_000, collected: 10_000, duplicates: 5_000 },
    "no pace is enough",
    "20 collected per day over the last 10 days; no pace is enough",
  ],
  [
    { days: [], collectedDays: [{ day: "2026-11-22", lines: 100 }] },
    "known from tomorrow",
    "Signatures per day known from tomorrow",
  ],
])("says why a pace is unknown, on narrow screens too: %o", (facts, wide, narrow) => {
  const progress = { ...campaign(10, 10, 35_000), ...facts };
  const campaigns = [{ id: "one", name: "One", progress, permissionKeys: [], needs: [] }];
  render(<CampaignTable teamId="north" format={formatOf()} campaigns={campaigns} label="Campaigns" />);
  expect(screen.getByText(wide)).toBeDefined();
  expect(screen.getByText(narrow)).toBeDefined();
});

test("a list of archived campaigns has no columns of a pace", () => {
  const progress = { ...campaign(10, 20, 9_000), archivedAt: "2026-11-03T12:00:00Z" };
  const campaigns = [{ id: "old", name: "Old", progress, permissionKeys: [], needs: [] }];
  render(<CampaignTable teamId="north" format={formatOf()} campaigns={campaigns} label="Archived" />);
  const heads = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  expect(heads).toEqual(["Campaign", "Valid signatures", "Validity rate", "Archived on"]);
});

test("shows no numbers without a campaign, and requests only to people who answer them", () => {
  expect(show([], null)).toEqual([
    ["Valid signatures", "0", "in 0 active campaigns"],
    ["Valid signatures entered per day", "–"],
    ["On track to qualify", "–"],
  ]);
});

test("a campaign that hardly passes the official check isn't on track, is named as such, and is listed first", () => {
  const official = {
    required: 8_000,
    margin: 10,
    rejection: 5,
    ...fullCount,
  };
  const checked = { ...campaign(100, 30, 5_000), endsOn: "2026-12-22", official };
  expect(show([campaign(10, 20, 100), checked], null)[2]).toEqual(["On track to qualify", "1 of 2", "1 behind"]);
  const campaigns = [campaign(10, 20, 100), checked].map((progress, index) => ({
    id: `${index}`,
    name: `Campaign ${index}`,
    progress,
    permissionKeys: [],
    needs: [],
  }));
  render(<CampaignTable teamId="north" format={formatOf()} campaigns={campaigns} label="Campaigns" />);
  expect(screen.getAllByRole("row")[1]?.textContent).toMatch(/^Campaign 1Behind: under 1% likely to qualify/);
});
