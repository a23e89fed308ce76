import { readFileSync } from "node:fs";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openPage, startBrowser } from "../../support/browser.ts";
import { restAsService } from "../../support/demo.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";

// The dashboard as a board is shown it: under a filter, fresh, on paper, as images, and of the whole team.

const place = { team_id: "riverside", campaign_id: "clean-water" };
const dashboard = "/riverside/campaign/clean-water/dashboard";
const kinds = ["bar", "stacked-bar", "line", "area", "pie", "table"];
const groups: Record<string, string> = {
  "stacked-bar": "signed_on_week,county",
  line: "signed_on",
  area: "signed_on_week",
};

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterEach(async () => {
  await restAsService("charts?name=ilike.*on%20the%20board*", { method: "DELETE" });
  await restAsService("dashboards?team_id=eq.riverside", { method: "DELETE" });
});
afterAll(() => browser.close());

async function addChart(kind: string, fields: object = {}) {
  const body = {
    ...place,
    name: `A ${kind} on the board`,
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

test("the filter stands in the address, applies to each chart that can have it, and to its records", async () => {
  await addChart("bar");
  await addChart("table", { name: "Clerks on the board", source: "clerk_work", group_by: "clerk" });
  const page = await openPage(browser, "staff@demo.test");
  await page.goto(dashboard);
  await page.getByRole("combobox", { name: "County" }).selectOption("King");
  await page.waitForURL(/\?county=King$/);
  await card(page, "Clerks on the board").getByText("Not filtered by county: its source has no such column.").waitFor();
  const bars = card(page, "A bar on the board");
  await bars.getByText(/records · just now/).waitFor();
  await bars.getByRole("button", { name: "A bar on the board as a table" }).click();
  const number = bars.getByRole("button", { name: /: show the records$/ });
  await expect.poll(() => bars.getByRole("row").count()).toBe(2);
  const shown = await number.textContent();
  await number.click();
  const dialog = page.getByRole("dialog", { name: "King" });
  await dialog.getByText(`${shown} records`).waitFor();
  await expectAxeClean(page);
  await page.keyboard.press("Escape");
  await page.reload();
  expect(await page.getByRole("combobox", { name: "County" }).inputValue()).toBe("=King");
  await page.getByRole("button", { name: "Clear" }).click();
  await page.waitForURL(new RegExp(`${dashboard}$`));
  await page.context().close();
});

test("numbers that have grown old are computed for somebody who may only look, and come by themselves", async () => {
  const id = await addChart("table");
  const page = await openPage(browser, "staff@demo.test");
  await page.goto(dashboard);
  await card(page, "A table on the board")
    .getByText(/records · just now/)
    .waitFor(); // never computed until now
  const [stored] = z
    .tuple([z.object({ data: z.record(z.string(), z.unknown()) })])
    .parse(await restAsService(`charts?id=eq.${id}&select=data`, { method: "GET" }));
  const before = new Date(Date.now() - 3_600_000).toISOString();
  await restAsService(`charts?id=eq.${id}`, {
    method: "PATCH",
    body: {
      ...{ generated_at: before, tried_at: before, last_line: 0 },
      data: { ...stored.data, generatedAt: before, recordCount: 1 },
    },
  });
  await page.goto(dashboard);
  await card(page, "A table on the board")
    .getByText(/1 record · 1 h ago · over 1,000 newer lines/)
    .waitFor();
  await card(page, "A table on the board")
    .getByText(/records · just now$/)
    .waitFor();
  await page.context().close();
});

test("undoing moves nothing, and the age is set for all", async () => {
  await addChart("bar");
  await addChart("table", { position: 1 });
  const page = await openPage(browser, "analyst@demo.test");
  await page.goto(dashboard);
  await page.getByRole("combobox", { name: "New numbers" }).selectOption("every hour");
  await page.getByText("Set.").waitFor();
  const others = await openPage(browser, "staff@demo.test");
  await others.goto(dashboard);
  await others.getByText("New numbers every hour").waitFor();
  await others.context().close();
  const top = () => card(page, "A table on the board").evaluate((element) => element.getBoundingClientRect().top);
  await page.getByRole("button", { name: "More of A bar on the board" }).click();
  await card(page, "A bar on the board").getByRole("button", { name: "Delete" }).click();
  await page.getByText("is deleted.").waitFor();
  const deleted = await top();
  await expectAxeClean(page);
  await page.getByRole("button", { name: "Close this message" }).click();
  await page.getByText("is deleted.").waitFor({ state: "detached" });
  expect(await top()).toBe(deleted);
  await page.context().close();
});

test("on paper: no shell, each drawing whole and within its card", async () => {
  for (const kind of kinds) await addChart(kind);
  const page = await openPage(browser, "staff@demo.test", { colorScheme: "dark" });
  await page.goto(dashboard);
  await card(page, "A pie on the board").locator("[data-drawing] svg").waitFor();
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: 1032, height: 700 });
  expect(await page.getByRole("navigation", { name: "Signet" }).isVisible()).toBe(false);
  expect(await page.getByRole("region", { name: "Filter of all charts" }).isVisible()).toBe(false);
  const drawings = () =>
    page.locator("article").evaluateAll((cards) =>
      cards.flatMap((one) => {
        const around = one.getBoundingClientRect();
        return [...one.querySelectorAll("[data-drawing] svg, table")].map((inner) => {
          const own = inner.getBoundingClientRect();
          return own.width > 100 && own.height > 50 && own.right <= around.right + 1 && own.bottom <= around.bottom + 1;
        });
      }),
    );
  await expect.poll(async () => (await drawings()).length).toBeGreaterThanOrEqual(kinds.length);
  await expect.poll(drawings).not.toContain(false);
  const pdf = await page.pdf({ preferCSSPageSize: true });
  expect(pdf.subarray(0, 4).toString()).toBe("%PDF");
  await page.context().close();
});

test("charts of the whole team: built, shown and opened on its own dashboard, by who holds the keys in the team", async () => {
  await addChart("bar", { campaign_id: null, name: "Team on the board", group_by: "campaign_id" });
  const page = await openPage(browser, "admin@demo.test");
  await page.goto("/riverside/dashboard");
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
  await card(page, "Team on the board")
    .getByText(/records · just now/)
    .waitFor();
  await expectAxeClean(page);
  await card(page, "Team on the board").getByRole("button", { name: "Team on the board as a table" }).click();
  await card(page, "Team on the board")
    .getByRole("button", { name: /: show the records$/ })
    .first()
    .click();
  await page
    .getByRole("dialog")
    .getByText(/records$/)
    .first()
    .waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "New chart" }).click();
  await page.getByRole("heading", { level: 1, name: "New chart" }).waitFor();
  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Built on the board");
  await page.getByText(/records · .* ms$/).waitFor();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.waitForURL(/\/riverside\/dashboard#chart-/);
  await card(page, "Built on the board").waitFor();
  await page.goto(dashboard);
  await card(page, "Team on the board").getByRole("link", { name: "whole team" }).click();
  await page.waitForURL(/\/riverside\/dashboard#chart-/);
  await page.goto("/hillside/dashboard");
  await page.waitForURL("**/");
  await page.context().close();
});

test("a long name and labels at the edge stand in the image whole", async () => {
  const name = `On the board ${"a name that is rather long ".repeat(4)}`.trim();
  await addChart("bar", { name });
  const page = await openPage(browser, "staff@demo.test");
  await page.goto(`${dashboard}?county=King`);
  await card(page, name).locator("[data-drawing] svg").waitFor();
  await page.getByRole("button", { name: `More of ${name}` }).click();
  const [image] = await Promise.all([
    page.waitForEvent("download"),
    card(page, name).getByRole("button", { name: "Save as image (PNG)" }).click(),
  ]);
  expect(image.suggestedFilename()).toMatch(/^On the board a name .*\.png$/);
  const png = readFileSync(await image.path());
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  const drawing = await card(page, name)
    .locator("[data-drawing] svg")
    .evaluate((svg) => svg.getBoundingClientRect().height);
  expect(png.readUInt32BE(20)).toBeGreaterThan(2 * (drawing + 3 * 24 + 2 * 20)); // three lines of the name, two notes
  await page.context().close();
});
