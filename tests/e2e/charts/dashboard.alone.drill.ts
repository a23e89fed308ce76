import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { cookieHeader } from "../../../scripts/local-stack/session-cookies.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { restAsService, signInOverApi, siteUrl } from "../../support/demo.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { sessionCookies } from "../../support/session-cookies.ts";

const place = { team_id: "riverside", campaign_id: "clean-water" };
const dashboard = "/riverside/campaign/clean-water/dashboard";
const zip = "00000"; // of the lines of this file alone
const name = "Signatures of a test";

let browser: Browser;
let clerkId: string;
beforeAll(async () => {
  browser = await startBrowser();
  clerkId = (await signInOverApi("clerk@demo.test")).userId;
});
beforeEach(async () => {
  await removeOwnRows();
  await addLines("Testshire", 7);
  await addLines("Testham", 3);
  await addLines(null, 2);
});
afterAll(async () => {
  await removeOwnRows();
  await browser.close();
});

async function removeOwnRows() {
  await restAsService(`lines?zip=eq.${zip}`, { method: "DELETE" });
  await restAsService(`charts?name=like.*of%20a%20test*`, { method: "DELETE" });
}

async function addLines(county: string | null, count: number) {
  const lines = Array.from({ length: count }, (_, at) => ({
    ...place,
    verdict: "accepted",
    voter_id: `test-${randomUUID()}`,
    last_name: "=Test",
    county,
    zip,
    line: at + 1,
    signed_on: `2026-10-0${1 + (at % 3)}`,
    entered_by: clerkId,
  }));
  await restAsService("lines", { method: "POST", body: lines });
}

async function addChart(kind: string, fields: object = {}) {
  const body = {
    ...place,
    name: `A ${kind} of a test`,
    kind,
    source: "signatures",
    group_by: kind === "number" ? "" : "county",
    metrics: [{ key: "n", aggregation: "count", label: "Signatures" }],
    filters: [{ column: "zip", operator: "eq", value: zip }],
    ...fields,
  };
  const [row] = z.tuple([z.object({ id: z.guid() })]).parse(await restAsService("charts", { method: "POST", body }));
  return row.id;
}

const card = (page: Page, title = name) => page.getByRole("article", { name: title, exact: true });

/** Goes there as somebody without a mouse does. */
async function tabTo(page: Page, target: Locator) {
  await target.waitFor();
  for (let presses = 0; presses < 150; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not reach ${target}.`);
}

async function press(page: Page, target: Locator, key = "Enter") {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

test("by keyboard alone: build with a preview, save, see, regenerate, order, drill down, save as CSV, delete, undo", async () => {
  const page = await openPage(browser, "analyst@demo.test");
  await page.goto(dashboard);
  await press(page, page.getByRole("link", { name: "New chart" }));
  await page.getByRole("heading", { level: 1, name: "New chart" }).waitFor();

  await tabTo(page, page.getByRole("textbox", { name: "Name", exact: true }));
  await page.keyboard.type(name);
  await press(page, page.getByRole("button", { name: "Only some of the records" }));
  await tabTo(page, page.getByRole("combobox", { name: "Column of filter 1" }));
  await page.keyboard.type("Zip");
  await tabTo(page, page.getByRole("combobox", { name: "Value of filter 1" }));
  await page.keyboard.type(zip);
  await page.getByText(/^12 records · 3 groups · \d+ ms$/).waitFor();
  expect(await page.getByRole("application").getAttribute("aria-label")).toBe(
    `${name}: bar chart of Count, 3 places. The largest: Testshire, 7. The table has all numbers.`,
  );
  await press(page, page.getByRole("button", { name: "Save" }));

  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
  await card(page).getByText("12 records").waitFor();
  await expect.poll(() => card(page).evaluate((one) => one.getBoundingClientRect().top < innerHeight)).toBe(true);

  await addLines("Testshire", 1);
  await press(page, card(page).getByRole("button", { name: `Regenerate ${name}` }));
  await page.getByText("1 chart computed.").waitFor();
  await card(page).getByText("13 records").waitFor();

  await press(page, card(page).getByRole("button", { name: `${name} as a table` }));
  const cells = await card(page).getByRole("row").allTextContents();
  expect(cells).toEqual(["CountyCount", "Testham3", "Testshire8", "not given2"]);
  await press(page, card(page).getByRole("button", { name: "8: show the records" }));
  const dialog = page.getByRole("dialog", { name: "Testshire" });
  await dialog.getByText("8 records").waitFor();
  await expect.poll(() => dialog.getByRole("row").count()).toBe(9);
  expect(page.url()).toContain(`${siteUrl}${dashboard}#chart-`);
  await expectAxeClean(page);
  const [records] = await Promise.all([
    page.waitForEvent("download"),
    press(page, dialog.getByRole("button", { name: "CSV" })),
  ]);
  const lines = readFileSync(await records.path(), "utf8")
    .trim()
    .split("\r\n");
  expect(lines.filter((line) => line.includes(`"'=Test"`))).toHaveLength(8);
  expect(lines[0]).toContain('"County"');
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });

  await press(page, card(page).getByRole("button", { name: `More of ${name}` }));
  const [csv] = await Promise.all([
    page.waitForEvent("download"),
    press(page, card(page).getByRole("button", { name: "Save as CSV" })),
  ]);
  expect(csv.suggestedFilename()).toMatch(new RegExp(`^${name} \\d{4}-\\d\\d-\\d\\d\\.csv$`));
  expect(readFileSync(await csv.path(), "utf8")).toContain('"Testshire",8');

  const other = await addChart("table", { position: 1000 });
  await page.reload();
  const titles = () => page.getByRole("article").getByRole("heading").allTextContents();
  const before = await titles();
  expect(before.slice(-2)).toEqual([name, "A table of a test"]);
  await press(page, page.locator(`[data-handle="${other}"]`), "ArrowLeft");
  await page.getByText("Moved.").waitFor();
  const moved = [...before.slice(0, -2), "A table of a test", name];
  await expect.poll(() => titles()).toEqual(moved);
  expect(await page.evaluate(() => document.activeElement?.getAttribute("data-handle"))).toBe(other);
  await page.reload();
  expect(await titles()).toEqual(moved);

  await press(page, card(page).getByRole("button", { name: `More of ${name}` }));
  await press(page, card(page).getByRole("button", { name: "Delete" }));
  await page.getByText(`“${name}” is deleted.`).waitFor();
  await expect.poll(() => card(page).count()).toBe(0);
  await page.keyboard.press("Enter"); // the focus is on Undo
  await card(page).getByText("13 records").waitFor();
  expect(await titles()).toEqual(moved);
  await page.context().close();
});

test("by keyboard alone: a new chart as the kind that fits, left and found again, then discarded", async () => {
  const page = await openPage(browser, "analyst@demo.test");
  await page.goto(dashboard);
  await press(page, page.getByRole("link", { name: "New chart" }));
  await tabTo(page, page.getByRole("textbox", { name: "Name", exact: true }));
  await page.keyboard.type(name);
  await press(page, page.getByRole("button", { name: "Then by another column" }));
  await page.getByText("Not shown as “bars”").waitFor();
  await expectAxeClean(page);
  await press(page, page.getByRole("button", { name: "Show as “lines”, with “Signed on” first" }));
  await page.getByRole("application").waitFor();
  await press(page, page.getByRole("button", { name: "Only some of the records" }));
  await page.keyboard.type("County");
  await tabTo(page, page.getByRole("combobox", { name: "Value of filter 1" }));
  await page.keyboard.type("testsh");
  await page.getByRole("option", { name: "Testshire 7" }).waitFor();
  await expectAxeClean(page);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.getByText(/^7 records · 3 groups · \d+ ms$/).waitFor();

  await press(page, page.getByRole("link", { name: "Cancel" }));
  const dialog = page.getByRole("dialog", { name: "Leave without saving?" });
  await dialog.waitFor();
  await expectAxeClean(page);
  await press(page, dialog.getByRole("button", { name: "Keep and leave" }));
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
  await page.goBack();
  await page.getByText("Your changes are back, not saved yet.").waitFor();
  expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe(name);
  await page.getByText(/^7 records · 3 groups/).waitFor();
  await expectAxeClean(page);

  await tabTo(page, page.getByRole("textbox", { name: "Name", exact: true }));
  await page.keyboard.type(" 2");
  await page.evaluate(() => history.back());
  await press(page, dialog.getByRole("button", { name: "Discard and leave" }));
  await page.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor();
  await press(page, page.getByRole("link", { name: "New chart" }));
  await page.getByRole("heading", { level: 1, name: "New chart" }).waitFor();
  await page.getByText(/^[\d,]+ records/).waitFor();
  expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("");
  await page.context().close();
});

test("a chart is moved by dragging, and duplicated", async () => {
  await addChart("table", { name: "First of a test", position: 1001 });
  await addChart("table", { name: "Second of a test", position: 1002 });
  const page = await openPage(browser, "analyst@demo.test", { height: 2_000 }); // nothing scrolls under the drag
  await page.goto(dashboard);
  const own = async () =>
    (await page.getByRole("article").getByRole("heading").allTextContents()).filter((title) =>
      title.includes("of a test"),
    );
  await page.getByRole("button", { name: /^Move First of a test/ }).dragTo(card(page, "Second of a test"));
  await page.getByText("Moved.").waitFor();
  expect(await own()).toEqual(["Second of a test", "First of a test"]);
  await page.getByRole("button", { name: "More of Second of a test" }).click();
  await card(page, "Second of a test").getByRole("button", { name: "Duplicate" }).click();
  await page.getByText("Duplicated.").waitFor();
  expect(await own()).toHaveLength(3);
  await page.context().close();
});

test("what cannot be computed: beside its field in the builder, and on the card with what to do", async () => {
  const id = await addChart("bar", { group_by: "nonsense" });
  const page = await openPage(browser, "analyst@demo.test");
  await page.goto(dashboard);
  await page.getByRole("button", { name: "Generate A bar of a test now" }).click();
  await card(page, "A bar of a test")
    .getByText(/nonsense/)
    .waitFor();
  await card(page, "A bar of a test").getByRole("link", { name: "Change the chart" }).click();
  await page.waitForURL(`**/charts/${id}`);
  const group = page.getByRole("combobox", { name: "Group 1" });
  await page.locator(`#${await group.getAttribute("aria-describedby")}`, { hasText: "nonsense" }).waitFor();
  await expectAxeClean(page);
  await page.context().close();
});

test("each kind of chart, light and dark, wide and on a phone: readable to all, nothing cut off", async () => {
  const groups: Record<string, string> = {
    "stacked-bar": "county,signed_on",
    line: "signed_on",
    area: "signed_on,county",
  };
  const kinds = ["bar", "stacked-bar", "line", "area", "pie", "table", "number"];
  for (const kind of kinds) await addChart(kind, groups[kind] ? { group_by: groups[kind] } : {});

  let computed = false;
  for (const colorScheme of ["light", "dark"] as const) {
    for (const width of [1280, 375]) {
      const page = await openPage(browser, "analyst@demo.test", { width, colorScheme });
      await page.goto(dashboard);
      if (!computed) {
        await page.getByRole("button", { name: "Regenerate all" }).click();
        await page.getByText(/^\d+ charts computed\.$/).waitFor();
        computed = true;
      }
      for (const kind of kinds.slice(0, 5)) {
        await card(page, `A ${kind} of a test`).locator("[data-drawing] svg").waitFor();
      }
      await expectAxeClean(page);
      const outside = await page.locator("article svg text").evaluateAll((texts) =>
        texts.flatMap((text) => {
          const [own, around] = [text.getBoundingClientRect(), text.closest("article")?.getBoundingClientRect()];
          return around && own.left > around.left && own.right < around.right ? [] : [text.textContent];
        }),
      );
      expect(outside).toEqual([]);

      const bars = card(page, "A bar of a test");
      await bars.locator(".recharts-bar-rectangle").first().hover();
      await expect.poll(() => bars.locator("[data-slot=chart-tooltip]").textContent()).toBe("TestshireSignatures7");
      await bars.locator(".recharts-bar-rectangle").first().click();
      await page.getByRole("dialog", { name: "Testshire" }).getByText("7 records").waitFor();
      await page.keyboard.press("Escape");
      await page.context().close();
    }
  }
});

test("nothing moves when what draws the charts arrives", async () => {
  for (const kind of ["bar", "pie", "line"]) await addChart(kind);
  const page = await openPage(browser, "analyst@demo.test");
  await page.goto(dashboard);
  await page.getByRole("button", { name: "Regenerate all" }).click();
  await page.getByText(/^\d+ charts computed\.$/).waitFor();
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) performance.mark(`moved ${JSON.stringify(entry)}`);
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.reload();
  await page.locator("[data-drawing] svg").nth(2).waitFor();
  const moved = await page.evaluate(() => performance.getEntriesByType("mark").map((mark) => mark.name));
  expect(moved.filter((mark) => mark.startsWith("moved"))).toEqual([]);
  await page.context().close();
});

test("staff sees charts and their records, and nothing that changes them", async () => {
  const id = await addChart("table");
  const analyst = cookieHeader(await sessionCookies("analyst@demo.test"));
  await fetch(`${siteUrl}/api/charts/${id}`, { method: "POST", headers: { cookie: analyst } });
  const page = await openPage(browser, "staff@demo.test");
  await page.goto(dashboard);
  await card(page, "A table of a test").getByText("12 records").waitFor();
  expect(await page.getByRole("link", { name: "New chart" }).count()).toBe(0);
  expect(await page.getByRole("button", { name: /^(Regenerate|Move|Delete|Duplicate|Add)/ }).count()).toBe(0);
  await page.getByRole("button", { name: "More of A table of a test" }).click();
  const menu = await page.locator(":popover-open").getByRole("button").allTextContents();
  expect(menu).toEqual(["Save as CSV"]);
  await page.keyboard.press("Escape");
  await card(page, "A table of a test").getByRole("button", { name: "7: show the records" }).click();
  await page.getByRole("dialog", { name: "Testshire" }).getByText("7 records").waitFor();
  await page.goto(`${dashboard}/charts/${id}`);
  await page.getByRole("heading", { level: 1, name: "You can't open the chart builder of Clean water" }).waitFor();
  await page.context().close();
});
