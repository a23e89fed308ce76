import { beforeAll, expect, test } from "vitest";
import { openPage } from "../../support/browser.ts";
import { restAsService } from "../../support/demo.ts";
import { expectAxeClean, expectAxeCleanInAllLooks } from "../../support/expect-axe-clean.ts";
import { createOwnTeam } from "../../support/own-team.ts";

const own = await createOwnTeam({ admin: { team: "Administrator" } });

const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
const dayAgo = (days: number) => ago(days).slice(0, 10);
type Sheet = { ago: number; lines: number; collected: number };
const sheets = (count: number, first: number, step: number, lines: number, unentered = 0): Sheet[] =>
  Array.from({ length: count }, (_, index) => ({ ago: first - step * index, lines, collected: lines + unentered }));
const from = (first: number, last: number, goal: number | null) => ({
  starts_on: dayAgo(first),
  ends_on: dayAgo(last),
  signature_goal: goal,
});

const longName = "A goal that was met early, in a campaign with a name that is far too long for a bar";
const states: [name: string, says: string, facts: object, sheets: Sheet[]][] = [
  ["Neither goal nor days", "No goal set", {}, []],
  ["No data", "No signatures entered yet", from(3, -60, 5_000), []],
  ["One day", "Too early", from(3, -60, 5_000), sheets(1, 2, 1, 40, 60)],
  ["A year", "Behind", from(365, -30, 9_000), sheets(120, 360, 3, 20, 1)],
  [longName, "Goal reached", from(40, -30, 700), sheets(38, 39, 1, 20)],
  ["Archived", "short of its goal", { ...from(80, 5, 2_000), archived_at: ago(2) }, sheets(9, 70, 2, 20)],
];
const idOf = (name: string) => `${own.team}-${name.slice(0, 8).toLowerCase().replaceAll(" ", "-")}`;

async function addCampaign([name, , facts, sheets]: (typeof states)[number]) {
  const place = { team_id: own.team, campaign_id: idOf(name) };
  await restAsService("campaigns", {
    method: "POST",
    body: { id: place.campaign_id, name, team_id: own.team, ...facts },
  });
  await restAsService("campaign_team", { method: "POST", body: place });
  const entered = sheets.flatMap(({ ago: days, lines: count }, index) =>
    Array.from({ length: count }, (_, line) => ({
      ...place,
      sheet: index + 1,
      line: line + 1,
      entered_at: ago(days - line / 2_000),
      ...(line % 12 === 11
        ? { verdict: "not-found", voter_id: null }
        : { verdict: "accepted", voter_id: `STATE-${index}-${line}` }),
    })),
  );
  if (sheets.length === 0) return;
  const rows = sheets.map(({ ago: days, collected }, index) => ({
    ...place,
    number: index + 1,
    circulator: index % 2 ? "Ana" : "Bo",
    signature_count: collected,
    opened_at: ago(days),
    closed_at: index === 0 ? null : ago(days),
  }));
  await restAsService("sheets", { method: "POST", body: rows });
  await restAsService("lines", { method: "POST", body: entered });
}

beforeAll(async () => {
  for (const state of states) await addCampaign(state);
});

test.each(states)("the overview in state “%s” shows “%s”, and is readable, complete and stable", async (name, says) => {
  const page = await openPage(own.people.admin.email);
  // The layout must be stable, apart from loading fonts.
  await page.addInitScript(() => {
    const moved = { score: 0 };
    Object.assign(window, { moved });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) if ("value" in entry) moved.score += Number(entry.value);
    }).observe({ type: "layout-shift", buffered: true });
  });
  for (const width of [1280, 375]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`/${own.team}/campaign/${idOf(name)}`);
    await page
      .getByRole("region", { name: /^(Will it qualify\?|Forecast|Result)$/ })
      .getByText(says)
      .first()
      .waitFor();
    await page.getByText(/^Updated/).waitFor();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await expectAxeClean(page);
    }
    expect(await page.evaluate(() => Reflect.get(window, "moved").score)).toBeLessThan(0.05);
  }
});

test("the team page with all states is readable and complete", async () => {
  const page = await openPage(own.people.admin.email);
  await page.goto(`/${own.team}`);
  const running = page.getByRole("table", { name: "Active campaigns" });
  await running.getByText("Goal reached").waitFor();
  await page.getByRole("table", { name: "Archived campaigns" }).getByRole("link", { name: "Archived" }).waitFor();
  await expectAxeCleanInAllLooks(page);
});
