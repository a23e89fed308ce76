import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeVoters } from "../../../scripts/local-stack/voters.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const screens = [
  ["/riverside/voters", "/api/essearch-common"],
  ["/riverside/campaign/clean-water/voters", "/api/essearch"],
] as const;

/** Opens a screen and waits until it has come alive, which shows in the focus. */
async function openScreen(path: string, options?: Parameters<typeof openPage>[2]) {
  const page = await openPage(browser, "canvasser@demo.test", options);
  await page.goto(path);
  await atBox(page);
  return page;
}

const atBox = (page: Page) => page.waitForFunction(() => document.activeElement?.matches("input[data-field=box]"));
const box = (page: Page) => page.getByLabel("Name, address, zip or voter id");

const status = (page: Page) => page.getByRole("status").first();
const activeRow = (page: Page) =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute("aria-activedescendant");
    // Who has signed is shown when it is known, after the voters.
    return id
      ? (document
          .getElementById(id)
          ?.innerText.replace(/\s*(checking…|not checked|not signed|signed already)?\s*$/, "") ?? null)
      : null;
  });

describe("by keyboard alone, on the real search backend", () => {
  test.each(screens)("%s finds, tells apart, opens and pages", async (path, route) => {
    const page = await openScreen(path);
    const title = await page.title();
    const addresses: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("essearch")) addresses.push(new URL(request.url()).pathname);
    });
    page.on("framenavigated", (frame) => addresses.push(`navigated to ${frame.url()}`));

    await page.keyboard.type("smi");
    await page.getByText(/^1–25 of \d/).waitFor();
    await expect.poll(() => page.locator("tbody mark:visible").first().textContent()).toBe("Smi");
    await expect.poll(() => status(page).textContent()).toMatch(/^\S+ voters, 25 shown$/);

    const first = await activeRow(page);
    expect(first).toMatch(/^Smi.+\d{5}/s); // name, address, zip
    await page.keyboard.press("ArrowDown");
    const second = await activeRow(page);
    expect(second).not.toBe(first);

    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog");
    await dialog.getByText("Voter id").waitFor();
    await expectAxeClean(page);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(await activeRow(page)).toBe(second);

    await page.keyboard.press("PageDown");
    await page.getByText(/^26–50 of \d/).waitFor();
    const third = await activeRow(page);
    expect([first, second]).not.toContain(third);
    await page.keyboard.press("PageUp");
    await page.getByText(/^1–25 of \d/).waitFor();
    expect(await activeRow(page)).toBe(first);

    await page.keyboard.press("Escape");
    await page.getByRole("heading", { name: "Start with a name" }).waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("/");
    await atBox(page);

    expect(new Set(addresses)).toEqual(new Set([route]));
    expect(await page.title()).toBe(title);
    expect(new URL(page.url()).search).toBe("");
    await page.context().close();
  });
});

describe("all states, light and dark, wide and on a phone: readable to all, nothing cut off", () => {
  test.each([
    { width: 1280, colorScheme: "light" },
    { width: 1280, colorScheme: "dark" },
    { width: 375, colorScheme: "light" },
    { width: 375, colorScheme: "dark" },
  ] as const)("$width px, $colorScheme", async (options) => {
    const page = await openScreen("/riverside/campaign/clean-water/voters", options);
    await expectAxeClean(page);

    await page.keyboard.type("smi");
    await page.getByText(/^1–25 of \d/).waitFor();
    await expectAxeClean(page);

    await box(page).fill("smtih 98030");
    await page
      .getByText(/^No voter is written exactly so\./)
      .and(page.locator(":visible"))
      .waitFor();
    await expectAxeClean(page);
    await box(page).fill("smi");
    await page.getByText(/^1–25 of \d/).waitFor();

    await page.getByRole("button", { name: "More fields" }).click();
    await expectAxeClean(page);
    await page.getByRole("combobox", { name: "City" }).fill("no such city");
    await page.getByRole("heading", { name: "No voter matches" }).waitFor();
    await expectAxeClean(page);
    await page.getByRole("button", { name: "Without city “no such city”" }).click();
    await page.getByText(/^1–25 of \d/).waitFor();

    const error = "That was too often. Try again in 30 seconds.";
    await page.route("**/api/essearch", (route) =>
      route.fulfill({ status: 429, headers: { "Retry-After": "30" }, json: { error } }),
    );
    await page.getByLabel("Last name").fill("smit");
    await page.getByText(error).waitFor();
    await expectAxeClean(page);
    await page.context().close();
  });
});

test.each([1280, 1024])("at %d px a house number stands there whole, its fraction too", async (width) => {
  const page = await openScreen("/riverside/voters", { width });
  await box(page).fill("2502 1/2");
  const number = page.locator("tbody td:visible", { hasText: /^2502 1\/2$/ }).first();
  await number.waitFor();
  const [content, room] = await number.evaluate((cell) => [cell.scrollWidth, cell.clientWidth]);
  expect(content).toBeLessThanOrEqual(room ?? 0);
  await page.context().close();
});

describe("the one box finds whom people mean", () => {
  const rows = (page: Page) => page.locator("tbody tr:has(td)");
  const somebody = makeVoters(20_000).find(({ houseNumber }) => /^\d{4}$/.test(houseNumber));

  test.each<[typed: string, row: RegExp, similar?: boolean]>([
    ["smtih", /^Smith\W.*similar/, true],
    [
      `${somebody?.houseNumber} ${somebody?.street.toLowerCase()} ${somebody?.zip}`,
      new RegExp(`${somebody?.houseNumber} ${somebody?.street}`),
    ],
  ])("%s", async (typed, row, similar = false) => {
    const page = await openScreen("/riverside/voters");
    await page.keyboard.type(typed);
    await rows(page).first().waitFor();
    const first = async () =>
      (await rows(page).first().locator("td:visible").allInnerTexts()).join(" ").replaceAll(/\s+/g, " ");
    await expect.poll(first).toMatch(row);
    const heading = page.getByText(/^No voter is written exactly so\./).and(page.locator(":visible"));
    expect(await heading.count()).toBe(similar ? 1 : 0);
    await page.context().close();
  });
});

test("who signs in again after her session has ended goes on with what she typed", async () => {
  const page = await openScreen("/riverside/voters");
  await page.context().clearCookies();
  await page.keyboard.type("smith john");
  await page.getByRole("link", { name: "Sign in again" }).click();
  await page.getByLabel("E-mail").fill("canvasser@demo.test");
  await page.getByLabel("Password", { exact: true }).fill("demo-password-1");
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByText(/^1–\d+ of \d/).waitFor();
  expect(await box(page).inputValue()).toBe("smith john");
  expect(page.url()).toMatch(/\/riverside\/voters$/);
  expect(await page.evaluate(() => sessionStorage.length)).toBe(0);
  await page.context().close();
});

test("the team's page shows who has signed the campaign that is chosen there", async () => {
  const page = await openScreen("/riverside/voters");
  await page.keyboard.type("smi");
  await page.getByText(/^1–25 of \d/).waitFor();
  expect(await page.getByRole("columnheader", { name: "Signed" }).count()).toBe(0);
  await page.getByLabel("Show who has signed").selectOption("Clean water");
  await page
    .locator("tbody td:visible", { hasText: /^signed already$/ })
    .first()
    .waitFor();
  await page
    .locator("tbody td:visible", { hasText: /^not signed$/ })
    .first()
    .waitFor();
  expect(await page.getByText("checking…").count()).toBe(0);
  await page.reload();
  await atBox(page);
  await page.keyboard.type("smi");
  await page.getByRole("columnheader", { name: "Signed" }).waitFor();
  await page.context().close();
});

test("without voters.search: a refusal, and no entry in the sidebar", async () => {
  const page = await openPage(browser, "analyst@demo.test");
  for (const path of screens.map(([screen]) => screen)) {
    await page.goto(path);
    await page.getByRole("heading", { level: 1, name: /^You can't / }).waitFor();
    expect(await page.getByRole("link", { name: "Voters" }).count()).toBe(0);
  }
  await page.context().close();
});
