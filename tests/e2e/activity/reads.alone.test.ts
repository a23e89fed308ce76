import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPage, startBrowser } from "../../support/browser.ts";
import { restAsService, siteUrl } from "../../support/demo.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { cookieOf } from "../../support/session-cookies.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
  await restAsService("read_log?id=gt.0", { method: "DELETE" });
});
afterAll(() => browser.close());

test("what was typed and downloaded is listed for who manages members, in plain words", async () => {
  const headers = { cookie: await cookieOf("canvasser"), "content-type": "application/json", origin: siteUrl };
  for (const lastName of ["s", "sm", "smi"]) {
    const body = JSON.stringify({ params: { lastName } });
    const response = await fetch(`${siteUrl}/api/essearch-common`, { method: "POST", headers, body });
    expect(response.status).toBe(200);
    await response.text();
  }
  const register = "/riverside/campaign/clean-water/signatures/register/csv?verdict=duplicate";
  const file = await fetch(siteUrl + register, { headers: { cookie: await cookieOf("staff") } });
  const lines = (await file.text()).trimEnd().split("\r\n").length - 1;
  // Recorded after the answer.
  const recorded = () => restAsService("read_log?select=kind&order=id", { method: "GET" });
  const kinds = [...[1, 2, 3].map(() => ({ kind: "search" })), { kind: "register" }];
  await expect.poll(recorded).toEqual(kinds);

  const page = await openPage(browser, "admin@demo.test", { width: 375, colorScheme: "dark" });
  await page.goto("/riverside/activity");
  await page.getByRole("link", { name: "Exports and searches" }).click();
  await page.getByText(`Jun Park exported the register of Clean water (${lines} lines)`).waitFor();
  await page.getByText("Verdict: duplicate").waitFor();
  await page.getByText(/^Malik Osei searched voters: last name smi — [\d,]+ matches, 1–25 shown$/).waitFor();
  expect(await page.getByRole("listitem").filter({ hasText: "searched voters" }).count()).toBe(1);
  await page.getByText("2 earlier searches within a minute").click();
  await page.getByText(/^searched voters: last name s — /).waitFor();
  await expectAxeClean(page);

  await page.getByLabel("Kind").selectOption("Exports");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.waitForURL(/kind=exports/);
  await page
    .getByText(/searched voters/)
    .first()
    .waitFor({ state: "detached" });
  await page.getByLabel("Done by").selectOption("Ada Moreno");
  await page.getByRole("button", { name: "Filter" }).click();
  await page.getByText("Nothing matches. Clear a filter or show all.").waitFor();
  await expectAxeClean(page);
  await page.context().close();
});
