import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openPage, type PageOptions } from "../../support/browser.ts";
import { expectAxeClean, expectAxeCleanInAllLooks } from "../../support/expect-axe-clean.ts";

const screens = [
  ["/riverside/voters", "/api/essearch-common"],
  ["/riverside/campaign/clean-water/voters", "/api/essearch"],
] as const;

/** Opens a screen and waits for its focus. */
async function openScreen(path: string, options?: PageOptions) {
  const page = await openPage("canvasser@demo.test", options);
  await page.goto(path);
  await atBox(page);
  return page;
}

const atBox = (page: Page) => page.waitForFunction(() => document.activeElement?.matches("input[data-field=box]"));
const box = (page: Page) => page.getByLabel("Name, address, ZIP code, or voter ID");

const status = (page: Page) => page.getByRole("status").first();
const activeRow = (page: Page) =>
  page.evaluate(() => {
    const id = document.activeElement?.getAttribute("aria-activedescendant");
    // Whether a voter has signed appears after the voters.
    return id
      ? (document
          .getElementById(id)
          ?.innerText.replace(/\s*(checking…|not checked|not signed|already signed)?\s*$/i, "") ?? null)
      : null;
  });

describe("by keyboard alone, on the real search backend", () => {
  test.each(screens)("%s finds, distinguishes, opens and pages voters", async (path, route) => {
    const page = await openScreen(path);
    const title = await page.title();
    const addresses: string[] = [];
    page.on("request", (request) => {
      if (request.url().includes("essearch")) addresses.push(new URL(request.url()).pathname);
      if (request.isNavigationRequest()) addresses.push(`loaded ${request.url()}`);
    });
    page.on("framenavigated", (frame) => {
      const { pathname } = new URL(frame.url());
      if (pathname !== path) addresses.push(`navigated to ${pathname}`); // the search is in the fragment
    });

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
    await dialog.getByText("Voter ID").waitFor();
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
    await page.getByRole("heading", { name: "Find a voter" }).waitFor();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("/");
    await atBox(page);

    expect(new Set(addresses)).toEqual(new Set([route]));
    expect(await page.title()).toBe(title);
    expect(new URL(page.url()).search).toBe("");
  });
});

test("each state of the search is readable and complete, light and dark, wide and on a phone", {
  timeout: 240_000,
}, async () => {
  const page = await openScreen("/riverside/campaign/clean-water/voters");
  await expectAxeCleanInAllLooks(page);
  await page.keyboard.type("smi");
  await page.getByText(/^1–25 of \d/).waitFor();
  await expectAxeCleanInAllLooks(page);

  await box(page).fill("smtih 98030");
  await page
    .getByText(/^No exact match\./)
    .and(page.locator(":visible"))
    .waitFor();
  const first = page.locator("tbody tr:has(td)").first().locator("td:visible");
  await expect.poll(async () => (await first.allInnerTexts()).join(" ")).toMatch(/^Smith\W.*similar/is);
  await expectAxeCleanInAllLooks(page);
  await box(page).fill("smi");
  await page.getByText(/^1–25 of \d/).waitFor();

  await page.getByRole("button", { name: "More fields" }).click();
  await page.getByRole("combobox", { name: "City" }).fill("no such city");
  await page.getByRole("heading", { name: "No voters match" }).waitFor();
  await expectAxeCleanInAllLooks(page);
  await page.getByRole("button", { name: "Search without city “no such city”" }).click();
  await page.getByText(/^1–25 of \d/).waitFor();

  const error = "Too many requests. Try again in 30 seconds.";
  await page.route("**/api/essearch", (route) =>
    route.fulfill({ status: 429, headers: { "Retry-After": "30" }, json: { error } }),
  );
  await page.getByLabel("Last name").fill("smit");
  await page.getByText(error).waitFor();
  await expectAxeCleanInAllLooks(page);
});

test.each([1280, 1024])("at %d px a house number with a fraction is complete", async (width) => {
  const page = await openScreen("/riverside/voters", { width });
  await box(page).fill("2502 1/2");
  const number = page.locator("tbody td:visible", { hasText: /^2502 1\/2$/ }).first();
  await number.waitFor();
  const [content, room] = await number.evaluate((cell) => [cell.scrollWidth, cell.clientWidth]);
  expect(content).toBeLessThanOrEqual(room ?? 0);
});
