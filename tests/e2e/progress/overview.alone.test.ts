import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { openPage, startBrowser } from "../../support/browser.ts";
import { restAsService } from "../../support/demo.ts";
import { insertLine } from "../../support/entry-screen.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";

const path = "/riverside/campaign/clean-water";
const sheet = 7_700;

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await restAsService(`lines?sheet=eq.${sheet}`, { method: "DELETE" });
});

const lineSchema = z.array(z.object({ verdict: z.string() }));
// Page by page, for REST answers a thousand rows at most.
async function linesOfCampaign() {
  const counts = new Map<string, number>();
  for (let offset = 0; ; offset += 1_000) {
    const asked = `lines?campaign_id=eq.clean-water&removed_at=is.null&select=verdict&order=id&limit=1000&offset=${offset}`;
    const rows = lineSchema.parse(await restAsService(asked, { method: "GET" }));
    for (const { verdict } of rows) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
    if (rows.length < 1_000) return counts;
  }
}
const written = (value: number) => value.toLocaleString("en-US");
const numbers = async (page: Page) => {
  const figures = page.getByRole("region", { name: "Numbers" }).locator("dl > div");
  return Object.fromEntries((await figures.allInnerTexts()).map((text) => text.split("\n").slice(0, 2)));
};

test("the overview has the numbers of the database, and follows them while it is looked at", async () => {
  const counts = await linesOfCampaign();
  const accepted = counts.get("accepted") ?? 0;
  const keyed = [...counts].reduce((sum, [verdict, lines]) => sum + (verdict === "blank" ? 0 : lines), 0);

  const page = await openPage(browser, "staff@demo.test");
  await page.goto(path);
  const head = page.getByRole("region", { name: "Progress" });
  await head.getByText(`${written(accepted)} of 50,000`).waitFor();
  expect(await numbers(page)).toMatchObject({ Keyed: written(keyed) });
  await page.getByText(/^updated/).waitFor();
  await expectAxeClean(page);

  // All that stands on the page, by one request.
  await insertLine({ sheet, line: 1, verdict: "accepted", voter_id: "V-LIVE-1", entered_at: new Date().toISOString() });
  await head.getByText(`${written(accepted + 1)} of 50,000`).waitFor({ timeout: 5_000 });
  await expect.poll(() => page.locator("header").innerText()).toContain(`${written(accepted + 1)} of 50,000`);
  expect(await numbers(page)).toMatchObject({ Keyed: written(keyed + 1) });

  // Numbers lead to their records.
  await page
    .getByRole("region", { name: "Numbers" })
    .getByRole("link", { name: written(keyed + 1) })
    .click();
  await page.getByRole("heading", { name: `${written(keyed + 1)} lines` }).waitFor();
  await expect.poll(() => page.locator("header").innerText()).toContain(`${written(accepted + 1)} of 50,000`);
  await page.context().close();
});

test("without signatures.view it has the numbers, and neither lists nor links to lines", async () => {
  const page = await openPage(browser, "canvasser@demo.test");
  await page.goto(path);
  await page.getByRole("region", { name: "Numbers" }).waitFor();
  expect(await page.getByRole("heading", { level: 2 }).allTextContents()).not.toContain("Circulators");
  expect(await page.locator("main a[href*='/signatures']").count()).toBe(0);
  await page.context().close();
});
