import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, startBrowser } from "../../support/browser.ts";
import { carryOutChanges, restAsService } from "../../support/demo.ts";

let browser: Browser;
const setLocale = async (locale: string) => {
  await restAsService("teams?id=eq.hillside", { method: "PATCH", body: { locale } });
  await carryOutChanges();
};
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await setLocale("en-US");
  await browser.close();
});

// The server makes the page, the browser brings it to life: React logs an error where their texts differ.
test.each([
  ["en-US", "35,000", /[A-Z][a-z]{2} \d{1,2}, \d{4} to /, /built [A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M$/],
  ["de-DE", "35.000", /\d\d\.\d\d\.\d{4} to /, /built \d\d\.\d\d\.\d{4}, \d\d:\d\d$/],
])("a team of %s reads %s, by the server and in the browser alike", async (locale, goal, day, built) => {
  await setLocale(locale);
  const page = await openPage(browser, "hill@demo.test");
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (line) => line.type() === "error" && problems.push(line.text()));

  await page.goto("/hillside");
  await page.getByRole("cell", { name: ` of ${goal} · ` }).waitFor();
  await page.goto("/hillside/campaign/open-parks");
  const head = page.getByRole("region", { name: "Progress" });
  expect(await head.textContent()).toContain(` of ${goal} · `);
  expect(await head.textContent()).toMatch(day);
  const check = page.getByRole("region", { name: "Duplicate check" });
  expect(await check.locator("p").first().textContent()).toMatch(built);
  await page.goto("/hillside/campaign/open-parks/signatures");
  await page.locator("header").getByText(` of ${goal} · `).waitFor();
  expect(problems).toEqual([]);
  await page.context().close();
});
