import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "../../support/browser.ts";
import { insertLine } from "../../support/entry-screen.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { createOwnTeam } from "../../support/own-team.ts";

const rows = (page: Page) => page.getByRole("table", { name: "Lines" }).locator("tbody tr");
const cells = async (page: Page, column: number) => rows(page).locator(`td:nth-child(${column})`).allTextContents();
const panelOf = (page: Page) => page.getByRole("complementary", { name: "Line" });
const query = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams);

test("staff filter, sort and page through twelve thousand lines, open one, and export the filtered ones", async () => {
  const page = await openPage("staff@demo.test");
  await page.goto("/riverside/campaign/clean-water/signatures");
  await page.waitForURL(/signatures\/sheets$/); // without entry
  await page.getByRole("link", { name: "All lines" }).click();
  await page.getByRole("heading", { name: /^12,\d{3} lines$/ }).waitFor();
  await page.getByText(/^11,862 valid · \d{3} invalid( · \d blank)?$/).waitFor();
  expect(await rows(page).count()).toBe(50);
  await expectAxeClean(page);

  await page.getByRole("link", { name: "Sheet, line" }).click();
  await page.locator("th[aria-sort=ascending]").waitFor();
  const first = async () => (await cells(page, 1))[0];
  expect(await first()).toBe("1, 1");
  await page.getByRole("link", { name: "Next" }).click();
  await page.getByRole("link", { name: "Previous" }).waitFor();
  expect(await first()).not.toBe("1, 1");
  await page.goBack();
  await expect.poll(first).toBe("1, 1");

  await page.evaluate(() => Object.assign(window, { print: () => document.body.setAttribute("data-printed", "") }));
  await page.getByRole("link", { name: "Print" }).click();
  await page.getByText("Only the first 1,000 lines print. Filter by sheet or date to print the rest.").waitFor();
  await page.locator("body[data-printed]").waitFor();
  expect(await rows(page).count()).toBe(1_000);
  await page.emulateMedia({ media: "print" });
  const controls = page.getByRole("link", { name: /^(Back to list|Quality check|Sheets|Download CSV|Next)$/ });
  expect(await controls.or(page.getByRole("button")).filter({ visible: true }).count()).toBe(0);
  const lines = page
    .locator("main a")
    .evaluateAll((links) => links.map((link) => getComputedStyle(link).textDecorationLine));
  expect(new Set(await lines)).toEqual(new Set(["none"]));
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("link", { name: "Back to list" }).click();
  await expect.poll(() => rows(page).count()).toBe(50);

  await page.keyboard.press("/");
  await page.keyboard.type("sm");
  await page.waitForURL(/name=sm/);
  await page.getByLabel("Status").selectOption("accepted");
  await page.getByRole("link", { name: "Remove filter Status: Valid" }).waitFor();
  expect(await page.getByLabel("Name").inputValue()).toBe("sm");
  for (const name of await cells(page, 2)) expect(name).toMatch(/\bsm/i);
  expect(query(page)).toMatchObject({ name: "sm", verdict: "accepted", sort: "sheet" });

  const opened = rows(page).nth(2).getByRole("link").first();
  const name = (await opened.textContent()) ?? "";
  await opened.click();
  const panel = panelOf(page);
  await panel.getByText(/^Entered by /).waitFor();
  expect(name.toLowerCase()).toContain((await panel.getByRole("heading", { level: 2 }).textContent())?.toLowerCase());
  await panel.getByText(/you need the “Correct and remove other people's lines” permission/).waitFor();
  await expectAxeClean(page);
  const numbers = await rows(page).locator("a[aria-current=true] .sr-only").textContent();
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => rows(page).locator("a[aria-current=true] .sr-only").textContent()).not.toBe(numbers);
  const next = await rows(page).locator("a[aria-current=true] .sr-only").textContent();
  await page.keyboard.press("Escape");
  await panel.waitFor({ state: "detached" });
  await expect.poll(() => page.locator("a:focus .sr-only").textContent()).toBe(next);
  expect(query(page)).toMatchObject({ name: "sm", sort: "sheet" });

  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download CSV" }).click(),
  ]);
  const file = readFileSync(await download.path(), "utf8")
    .trimEnd()
    .split("\r\n");
  const [found] =
    /\d+/.exec((await page.getByRole("heading", { name: / lines?$/, level: 2 }).textContent()) ?? "") ?? [];
  expect(download.suggestedFilename()).toMatch(/^Clean water, signatures \d{4}-\d\d-\d\d\.csv$/);
  expect(file).toHaveLength(1 + Number(found));
});

test("an administrator removes a line with a reason and undoes it, and its history shows both", async () => {
  const own = await createOwnTeam({ admin: { team: "Administrator" } });
  for (const line of [1, 2]) await insertLine(own, { sheet: 3, line, verdict: "accepted", voter_id: `V-${line}` });
  const page = await openPage(own.people.admin.email, { width: 375, colorScheme: "dark" });
  await page.goto(`${own.path}/signatures/register?sheet=3&sort=sheet`);
  await rows(page).first().getByRole("link").first().click();
  const panel = panelOf(page);
  await panel.getByRole("heading", { name: "Sheet 3, line 1" }).waitFor();
  await expectAxeClean(page);
  expect(await page.locator("header p").first().isVisible()).toBe(false); // only the page's name has room

  await panel.getByText("Correct…").click();
  await expectAxeClean(page);
  await panel.getByText("Remove…").click();
  const reason = panel.getByLabel("Reason").and(page.locator(":visible")).last();
  await panel.getByRole("button", { name: "Remove line" }).click();
  expect(await reason.evaluate((field) => field.matches(":invalid"))).toBe(true);
  await reason.fill("Crossed out on paper");
  await panel.getByRole("button", { name: "Remove line" }).click();
  await panel.getByText("Line removed.", { exact: true }).waitFor();
  await panel.getByText("“Crossed out on paper”").waitFor();
  await page.getByRole("heading", { name: "1 line" }).waitFor();
  await expectAxeClean(page);
  await panel.getByRole("button", { name: "Undo" }).click();
  await panel.getByText("Line restored.", { exact: true }).waitFor();
  await panel.getByText(/^Restored by /).waitFor();
  await page.getByRole("heading", { name: "2 lines" }).waitFor();
});

test("the filter works without JavaScript, and says what to do if nothing matches", async () => {
  const page = await openPage("staff@demo.test", { javaScriptEnabled: false });
  await page.goto("/riverside/campaign/clean-water/signatures/register");
  await page.getByText("More filters").click();
  await page.getByLabel("Voter ID", { exact: true }).fill("V-unknown");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByText("No lines match these filters.").waitFor();
  expect(await page.getByLabel("Voter ID", { exact: true }).inputValue()).toBe("V-unknown");
});
