import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, startBrowser } from "../../support/browser.ts";
import { carryOutChanges, restAsService, signInOverApi } from "../../support/demo.ts";

// A tab that stays open for a day must not go on showing what was revoked in the morning.

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const { userId } = await signInOverApi("staff@demo.test");
const row = `campaign_user_roles_team?user_id=eq.${userId}&campaign_id=eq.clean-water`;

async function whileRevoked(run: () => Promise<void>) {
  const [removed] = (await restAsService(row, { method: "DELETE" })) as unknown[];
  await carryOutChanges();
  try {
    await run();
  } finally {
    await restAsService("campaign_user_roles_team", { method: "POST", body: removed });
    await carryOutChanges();
  }
}

function countRequests(page: Page) {
  const seen = { checks: 0, pages: 0 };
  page.on("request", (request) => {
    if (request.url().includes("/api/permissions/fingerprint")) seen.checks += 1;
    if (request.url().includes("_rsc=")) seen.pages += 1;
  });
  return seen;
}

const lookAtTheTabAgain = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event("focus")));

test("looked at again, an open page is replaced when its permission is gone, and left alone when nothing changed", async () => {
  const page = await openPage(browser, "staff@demo.test");
  await page.clock.install();
  await page.goto("/riverside/campaign/clean-water");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.evaluate(() => Object.assign(window, { stays: true }));
  const seen = countRequests(page);

  await page.clock.runFor(6_000);
  await lookAtTheTabAgain(page);
  await expect.poll(() => seen.checks).toBe(1);
  await lookAtTheTabAgain(page);
  await lookAtTheTabAgain(page);
  await page.waitForTimeout(500);
  expect(seen).toEqual({ checks: 1, pages: 0 });

  await whileRevoked(async () => {
    await page.clock.runFor(6_000);
    await lookAtTheTabAgain(page);
    await page.getByRole("heading", { level: 1, name: "You can't open this campaign" }).waitFor();
    expect(await page.evaluate(() => "stays" in window)).toBe(true);
  });
  await page.context().close();
});

test("a tab that is never touched notices within about a minute", async () => {
  const page = await openPage(browser, "staff@demo.test");
  await page.clock.install();
  await page.goto("/riverside/campaign/clean-water");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await whileRevoked(async () => {
    await page.clock.runFor(67_000);
    await page.getByRole("heading", { level: 1, name: "You can't open this campaign" }).waitFor();
  });
  await page.context().close();
});

test("Back to a page from before the revoke shows it only as long as the answer takes", async () => {
  const page = await openPage(browser, "staff@demo.test");
  await page.goto("/riverside/campaign/clean-water");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await page.getByRole("navigation").getByRole("link", { name: "Members" }).click();
  await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();
  await whileRevoked(async () => {
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "You can't open this campaign" }).waitFor();
  });
  await page.context().close();
});

test("a tab whose session has ended is covered by the sign-in", async () => {
  const page = await openPage(browser, "staff@demo.test");
  await page.clock.install();
  await page.goto("/riverside");
  await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor();
  await page.context().clearCookies();
  await page.clock.runFor(6_000);
  await lookAtTheTabAgain(page);
  await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
  const grounds = await page.evaluate(() => [
    getComputedStyle(document.querySelector("dialog:modal") ?? document.body, "::backdrop").backgroundColor,
    getComputedStyle(document.body).backgroundColor,
  ]);
  expect(grounds[0]).toBe(grounds[1]);
  await page.context().close();
});
