import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPage, startBrowser } from "../../support/browser.ts";
import { carryOutChanges, restAsService, syncSigners } from "../../support/demo.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const dayAgo = (days: number) => ago(days).slice(0, 10);
type Campaign = { id: string; name: string; facts: object; sheets: { ago: number; lines: number; onPaper: number }[] };
const sheets = (count: number, first: number, step: number, lines: number, unkeyed = 0) =>
  Array.from({ length: count }, (_, index) => ({ ago: first - step * index, lines, onPaper: lines + unkeyed }));
const from = (first: number, last: number, goal: number | null) => ({
  ...{ starts_on: dayAgo(first), ends_on: dayAgo(last), signature_goal: goal },
});

const states: [Campaign, says: string][] = [
  [{ id: "state-bare", name: "Neither goal nor days", facts: {}, sheets: [] }, "No goal is set"],
  [{ id: "state-none", name: "No data", facts: from(3, -60, 5_000), sheets: [] }, "Nothing is keyed yet"],
  [{ id: "state-later", name: "Begins later", facts: from(-9, -90, 5_000), sheets: [] }, "It starts in "],
  [
    { id: "state-day", name: "One day", facts: from(3, -60, 5_000), sheets: sheets(1, 2, 1, 40, 60) },
    "Too early to be sure",
  ],
  [
    { id: "state-year", name: "A year", facts: from(365, -30, 9_000), sheets: sheets(120, 360, 3, 20, 1) },
    "No, not at this pace",
  ],
  [
    {
      ...{
        id: "state-met",
        name: "A goal that was met early, in a campaign with a name that is far too long for a bar",
      },
      ...{ facts: from(40, -30, 700), sheets: sheets(38, 39, 1, 20) },
    },
    "Yes, the goal is met",
  ],
  [
    { id: "state-over", name: "Ended", facts: from(80, 5, 2_000), sheets: sheets(30, 70, 2, 20, 2) },
    "No, it ended short of its goal",
  ],
  [
    { id: "state-goal", name: "No goal", facts: { starts_on: dayAgo(40) }, sheets: sheets(20, 30, 1, 20) },
    "No goal is set",
  ],
  [
    {
      ...{ id: "state-gone", name: "Archived" },
      ...{ facts: { ...from(80, 5, 2_000), archived_at: ago(2) }, sheets: sheets(9, 70, 2, 20) },
    },
    "Archived",
  ],
];

async function addCampaign({ id, name, facts, sheets }: Campaign) {
  const at = { team_id: "riverside", campaign_id: id };
  await restAsService("campaigns", { method: "POST", body: { id, name, team_id: "riverside", ...facts } });
  await restAsService("campaign_team", { method: "POST", body: at });
  const papers = sheets.map(({ ago: days, onPaper }, index) => ({
    ...{ ...at, number: index + 1, circulator: index % 2 ? "Ana" : "Bo", signature_count: onPaper },
    ...{ opened_at: ago(days), closed_at: index === 0 ? null : ago(days) },
  }));
  const lines = sheets.flatMap(({ ago: days, lines: count }, index) =>
    Array.from({ length: count }, (_, line) => ({
      ...{ ...at, sheet: index + 1, line: line + 1, entered_at: ago(days - line / 2_000) },
      ...(line % 12 === 11
        ? { verdict: "not-found", voter_id: null }
        : { verdict: "accepted", voter_id: `STATE-${index}-${line}` }),
    })),
  );
  if (papers.length > 0) await restAsService("sheets", { method: "POST", body: papers });
  if (lines.length > 0) await restAsService("lines", { method: "POST", body: lines });
}

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  for (const [campaign] of states) await addCampaign(campaign);
  await carryOutChanges();
  await syncSigners();
});
afterAll(async () => {
  await browser.close();
  for (const table of ["lines", "sheets", "campaign_team"]) {
    await restAsService(`${table}?campaign_id=like.state-*`, { method: "DELETE" });
  }
  await restAsService("campaigns?id=like.state-*", { method: "DELETE" });
  await carryOutChanges();
});

const looks = [1280, 375].flatMap((width) =>
  (["light", "dark"] as const).map((colorScheme) => ({ width, colorScheme })),
);

describe.each(states)("$name", ({ id }, says) => {
  test.each(looks)(`${id} says “${says}”, readable to all and cut off nowhere, %o`, async (look) => {
    const page = await openPage(browser, "admin@demo.test", look);
    // Nothing may move once it is there, but for what another font makes of a line.
    await page.addInitScript(() => {
      const moved = { score: 0 };
      Object.assign(window, { moved });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if ("value" in entry) moved.score += Number(entry.value);
      }).observe({ type: "layout-shift", buffered: true });
    });
    await page.goto(`/riverside/campaign/${id}`);
    await page.getByRole("region", { name: "Will it qualify?" }).getByText(says).first().waitFor();
    await page.getByText(/^updated/).waitFor();
    await expectAxeClean(page);
    expect(await page.evaluate(() => Reflect.get(window, "moved").score)).toBeLessThan(0.05);
    await page.context().close();
  });
});

test.each(looks)("the team page with all of them likewise, %o", async (look) => {
  const page = await openPage(browser, "admin@demo.test", look);
  await page.goto("/riverside");
  const running = page.getByRole("table", { name: "Running campaigns" });
  await running.getByText("Yes, the goal is met").waitFor();
  await page.getByRole("table", { name: "Archived campaigns" }).getByRole("link", { name: "Archived" }).waitFor();
  await expectAxeClean(page);
  await page.context().close();
});
