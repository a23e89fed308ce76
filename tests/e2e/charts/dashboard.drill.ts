// Charts and dashboards in a real browser: by keyboard, dragged, drawn, filtered, printed, as images, and of the whole team.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Locator, Page } from "playwright-core";
import { afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openPage, type PageOptions } from "../../support/browser.ts";
import { restAsService } from "../../support/demo.ts";
import { expectAxeClean, expectAxeCleanInAllLooks } from "../../support/expect-axe-clean.ts";
import { createOwnTeam } from "../../support/own-team.ts";

const own = await createOwnTeam({
  admin: { team: "Administrator" },
  analyst: { team: "Member", campaign: "Analyst" },
  staff: { team: "Office", campaign: "Campaign staff" },
});
const { admin, analyst, staff } = own.people;
const place = { team_id: own.team, campaign_id: own.campaign };
const dashboard = `${own.path}/dashboard`;
const kinds = ["bar", "stacked-bar", "line", "area", "pie", "table", "number"];
const groups: Record<string, string> = {
  "stacked-bar": "county,signed_on",
  line: "signed_on",
  area: "signed_on,county",
  number: "",
};

beforeAll(async () => {
  await addLines("Testshire", 7);
  await addLines("Testham", 3);
  await addLines(null, 2);
});
afterEach(async () => {
  await restAsService(`charts?team_id=eq.${own.team}`, { method: "DELETE" });
});

async function addLines(county: string | null, count: number) {
  const lines = Array.from({ length: count }, (_, index) => ({
    ...place,
    verdict: "accepted",
    voter_id: `test-${randomUUID()}`,
    last_name: "=Test",
    county,
    line: index + 1,
    signed_on: `2026-10-0${1 + (index % 3)}`,
    entered_by: staff.id,
  }));
  await restAsService("lines", { method: "POST", body: lines });
}

async function addChart(kind: string, fields: object = {}) {
  const body = {
    ...place,
    name: `A ${kind}`,
    kind,
    source: "signatures",
    group_by: groups[kind] ?? "county",
    metrics: [{ key: "n", aggregation: "count", label: "Signatures" }],
    ...fields,
  };
  const [row] = z.tuple([z.object({ id: z.guid() })]).parse(await restAsService("charts", { method: "POST", body }));
  return row.id;
}

const card = (page: Page, title: string) => page.getByRole("article", { name: title, exact: true });
const titles = (page: Page) => page.getByRole("article").getByRole("heading").allTextContents();
const drawing = (page: Page, title: string) => card(page, title).locator("[data-drawing] svg");
const field = (page: Page, name: string) => page.getByRole("textbox", { name, exact: true });

async function openDashboard({ email }: { email: string }, options?: PageOptions) {
  const page = await openPage(email, options);
  await page.goto(dashboard);
  return page;
}

/** Moves the focus there with Tab. */
async function tabTo(page: Page, target: Locator) {
  await target.waitFor();
  for (let presses = 0; presses < 150; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab doesn't reach ${target}.`);
}

async function press(page: Page, target: Locator, key = "Enter") {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Selects an entry of the open menu with the arrow keys. */
async function pickByKeyboard(page: Page, name: string) {
  const entry = page.getByRole("menuitem", { name });
  await entry.waitFor();
  for (let presses = 0; presses < 10; presses += 1) {
    if (await entry.evaluate((element) => element === document.activeElement)) break;
    await page.keyboard.press("ArrowDown");
  }
  await page.keyboard.press("Enter");
}

/** The name and text of the file that an action downloads. */
async function download(page: Page, act: Promise<void>) {
  const [file] = await Promise.all([page.waitForEvent("download"), act]);
  return { name: file.suggestedFilename(), text: readFileSync(await file.path(), "utf8") };
}

test("the keyboard alone builds, saves, refreshes, orders, opens, exports and deletes a chart, and undoes that", async () => {
  const name = "Signatures of a test";
  const page = await openDashboard(analyst);
  await press(page, page.getByRole("link", { name: "New chart" }));
  await page.getByRole("heading", { level: 1, name: "New chart" }).waitFor();
  await tabTo(page, field(page, "Name"));
  await page.keyboard.type(name);
  await page.getByText("12 signatures · 3 groups").waitFor();
  expect(await page.getByRole("application").getAttribute("aria-label")).toBe(
    `${name}: bar chart of Signatures, 3 groups. Largest: Testshire, 7. The table lists all numbers.`,
  );
  await press(page, page.getByRole("button", { name: "Save chart" }));

  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
  const namedCard = card(page, name);
  await namedCard.getByText("12 signatures").waitFor();
  await addLines("Testshire", 1);
  await press(page, namedCard.getByRole("button", { name: `Refresh ${name}` }));
  await page.getByText("1 chart refreshed.").waitFor();
  await namedCard.getByText("13 signatures").waitFor();

  await press(page, namedCard.getByRole("button", { name: `Show ${name} as a table` }));
  expect(await namedCard.getByRole("row").allTextContents()).toEqual([
    "CountySignatures",
    "Testham3",
    "Testshire8",
    "No county2",
    "Total13",
  ]);
  await press(page, namedCard.getByRole("button", { name: "8: show signatures" }));
  const dialog = page.getByRole("dialog", { name: "Testshire" });
  await dialog.getByText("8 signatures").waitFor();
  await expect.poll(() => dialog.getByRole("row").count()).toBe(9);
  await expectAxeClean(page);
  const records = await download(page, press(page, dialog.getByRole("button", { name: "Download CSV" })));
  expect(records.text.match(/"'=Test"/g)).toHaveLength(8);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await press(page, namedCard.getByRole("button", { name: `More actions for ${name}` }));
  const groupsOf = await download(page, pickByKeyboard(page, "Download CSV"));
  expect(groupsOf.name).toMatch(new RegExp(`^${name} \\d{4}-\\d\\d-\\d\\d\\.csv$`));
  expect(groupsOf.text).toContain('"Testshire",8');

  const other = await addChart("table", { position: 1000 });
  await page.reload();
  expect(await titles(page)).toEqual([name, "A table"]);
  await press(page, page.locator(`[data-handle="${other}"]`), "ArrowLeft");
  await page.getByText("“A table” moved to place 1 of 2.").waitFor();
  await expect.poll(() => titles(page)).toEqual(["A table", name]);
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-handle"))).toBe(other);
  await page.reload();
  expect(await titles(page)).toEqual(["A table", name]);

  await press(page, namedCard.getByRole("button", { name: `More actions for ${name}` }));
  await pickByKeyboard(page, "Delete");
  await page.getByText(`“${name}” deleted.`).waitFor();
  await expect.poll(() => namedCard.count()).toBe(0);
  await expectAxeClean(page);
  await page.keyboard.press("Enter"); // the focus is on Undo
  await namedCard.getByText("13 signatures").waitFor();
}, 120_000);

test("the builder suggests values", async () => {
  const page = await openDashboard(analyst);
  await page.getByRole("link", { name: "New chart" }).click();
  await page.getByRole("button", { name: "Add a group" }).click();
  await page.getByRole("button", { name: "Add a filter" }).click();
  await page.keyboard.type("County");
  await tabTo(page, page.getByRole("combobox", { name: "Value of filter 1" }));
  await page.keyboard.type("testh");
  await page.getByRole("option", { name: "Testham 3" }).waitFor();
  await expectAxeCleanInAllLooks(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByText(/^3 signatures · /).waitFor();
});

test("each kind of chart is readable and complete in light and dark, wide, on a phone and in print", {
  timeout: 120_000,
}, async () => {
  const metrics = Array.from({ length: 8 }, (_, index) => ({
    key: `n${index}`,
    aggregation: "count",
    label: "Signatures",
  }));
  for (const kind of kinds) await addChart(kind, kind === "table" ? { metrics } : {});
  const page = await openDashboard(analyst);
  await page.getByRole("button", { name: "Refresh all" }).click();
  await page.getByText("7 charts refreshed.").waitFor();
  for (const kind of kinds.slice(0, 5)) await drawing(page, `A ${kind}`).waitFor();
  await expectAxeCleanInAllLooks(page);
  for (const width of [375, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const outside = () =>
      page.locator("article svg text").evaluateAll((texts) =>
        texts.flatMap((text) => {
          const [own, around] = [text.getBoundingClientRect(), text.closest("article")?.getBoundingClientRect()];
          return around && own.left > around.left && own.right < around.right ? [] : [text.textContent];
        }),
      );
    await expect.poll(outside).toEqual([]);
    const bars = card(page, "A bar");
    await bars.locator(".recharts-bar-rectangle").first().hover();
    await expect.poll(() => bars.locator("[data-slot=chart-tooltip]").textContent()).toMatch(/^TestshireSignatures\d$/);
    await bars.locator(".recharts-bar-rectangle").first().click();
    await page
      .getByRole("dialog", { name: "Testshire" })
      .getByText(/^\d signatures/)
      .waitFor();
    await page.keyboard.press("Escape");
  }

  // In print: no shell, and each drawing complete within its card.
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.setViewportSize({ width: 1032, height: 700 });
  expect(await page.getByRole("navigation", { name: "Signet" }).isVisible()).toBe(false);
  expect(await page.getByRole("region", { name: "Filter all charts" }).isVisible()).toBe(false);
  const drawings = () =>
    page.locator("article").evaluateAll((cards) =>
      cards.flatMap((shownCard) => {
        const around = shownCard.getBoundingClientRect();
        return [...shownCard.querySelectorAll("[data-drawing] svg, table")].map((inner) => {
          const own = inner.getBoundingClientRect();
          return own.width > 100 && own.height > 50 && own.right <= around.right + 1 && own.bottom <= around.bottom + 1;
        });
      }),
    );
  await expect.poll(drawings).toEqual(Array(6).fill(true));
  const pdf = await page.pdf({ preferCSSPageSize: true });
  expect(pdf.subarray(0, 4).toString()).toBe("%PDF");
});

test("the layout is stable while charts are drawn and messages closed, and a chart is moved by dragging", async () => {
  for (const [position, kind] of ["bar", "pie", "line"].entries()) await addChart(kind, { position });
  const page = await openDashboard(analyst, { height: 2_000 }); // so that dragging doesn't scroll
  await page.getByRole("button", { name: "Refresh all" }).click();
  await page.getByText("3 charts refreshed.").waitFor();
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) performance.mark(`moved ${JSON.stringify(entry)}`);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.reload();
  await page.locator("[data-drawing] svg").nth(2).waitFor();
  const marks = await page.evaluate(() => performance.getEntriesByType("mark").map((mark) => mark.name));
  expect(marks.filter((mark) => mark.startsWith("moved"))).toEqual([]);

  await page.getByRole("button", { name: /^Move A bar/ }).dragTo(card(page, "A pie"));
  await page.getByText("“A bar” moved to place 2 of 3.").waitFor();
  expect(await titles(page)).toEqual(["A pie", "A bar", "A line"]);
  await page.getByRole("button", { name: "More actions for A pie" }).click();
  await page.getByRole("menuitem", { name: "Delete" }).click();
  await page.getByText("“A pie” deleted.").waitFor();
  const top = () => card(page, "A line").evaluate((element) => element.getBoundingClientRect().top);
  const deleted = await top();
  await page.getByRole("button", { name: "Close message" }).click();
  await page.getByText("“A pie” deleted.").waitFor({ state: "detached" });
  expect(await top()).toBe(deleted);
});

test("the filter is in the address and applies to charts with its columns, their records and images", async () => {
  const name = `On the board ${"a name that is rather long ".repeat(4)}`.trim();
  await addChart("bar", { name });
  await addChart("table", { name: "Pace", source: "goal_pace", group_by: "entered_at_day" });
  const page = await openDashboard(staff);
  await page.getByRole("button", { name: "County: All counties" }).click();
  await page.getByRole("menuitemcheckbox", { name: "Testham" }).click();
  await page.keyboard.press("Escape");
  await page.waitForURL(/\?county=Testham$/);
  await card(page, "Pace").getByText("Not filtered by county: days don't have one.").waitFor();
  const bars = card(page, name);
  await bars.getByText(/3 signatures · just now/).waitFor(); // computed for someone who can only view it
  await drawing(page, name).waitFor();
  await page.getByRole("button", { name: `More actions for ${name}` }).click();
  const [image] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("menuitem", { name: "Download image (PNG)" }).click(),
  ]);
  expect(image.suggestedFilename()).toMatch(/^On the board a name .* \d{4}-\d\d-\d\d\.png$/);
  const png = readFileSync(await image.path());
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  const { width, height } = await drawing(page, name).evaluate((svg) => {
    const { width, height } = svg.getBoundingClientRect();
    return { width, height };
  });
  expect(png.readUInt32BE(16)).toBeLessThan(2 * (width + 3 * 24)); // nothing blank next to it
  expect(png.readUInt32BE(20)).toBeGreaterThan(2 * (height + 3 * 24 + 2 * 20)); // three lines of the name, two notes

  await bars.getByRole("button", { name: `Show ${name} as a table` }).click();
  await bars.getByRole("button", { name: "3: show signatures" }).click();
  await page.getByRole("dialog", { name: "Testham" }).getByText("3 signatures").waitFor();
  await page.keyboard.press("Escape");
  await page.reload();
  await page.getByRole("button", { name: "County: Testham" }).waitFor();
  await page.getByRole("button", { name: "Clear" }).click();
  await page.waitForURL(new RegExp(`${dashboard}$`));
});

test("charts of the whole team are built, shown and opened on the dashboard of the team", async () => {
  await addChart("bar", { campaign_id: null, name: "Of the team", group_by: "campaign_id" });
  const page = await openPage(admin.email);
  await page.goto(`/${own.team}/dashboard`);
  const teamCard = card(page, "Of the team");
  await teamCard.getByText(/signatures · just now/).waitFor();
  await expectAxeClean(page);
  await teamCard.getByRole("button", { name: "Show Of the team as a table" }).click();
  await teamCard.getByRole("button", { name: /: show signatures$/ }).click();
  await page
    .getByRole("dialog")
    .getByText(/signatures$/)
    .first()
    .waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "New chart" }).click();
  await page.getByRole("heading", { level: 1, name: "New chart" }).waitFor();
  await field(page, "Name").fill("Built for the team");
  await page.getByText(/^[\d,]+ signatures? · [\d,]+ groups?$/).waitFor();
  await page.getByRole("button", { name: "Save chart" }).click();
  await page.waitForURL(new RegExp(`/${own.team}/dashboard#chart-`));
  // Then no navigation is under way.
  await card(page, "Built for the team")
    .getByText(/signatures · just now/)
    .waitFor();
  await page.goto(dashboard);
  await teamCard.getByRole("link", { name: "whole team" }).click();
  await page.waitForURL(new RegExp(`/${own.team}/dashboard#chart-`));
});
