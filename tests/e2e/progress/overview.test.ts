import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { openPage } from "../../support/browser.ts";
import { insertLine } from "../../support/entry-screen.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { createOwnTeam } from "../../support/own-team.ts";

const own = await createOwnTeam({
  staff: { team: "Office", campaign: "Campaign staff" },
  canvasser: { team: "Field team", campaign: "Canvasser" },
});
const verdicts = ["accepted", "accepted", "illegible"];

beforeAll(async () => {
  for (const [index, verdict] of verdicts.entries()) await addLine(index + 1, verdict);
});

const addLine = (line: number, verdict: string) =>
  insertLine(own, {
    sheet: 1,
    line,
    verdict,
    voter_id: verdict === "accepted" ? `V-${line}` : null,
    entered_at: new Date().toISOString(),
  });
const numbers = async (page: Page) => {
  const figures = page.getByRole("region", { name: "Numbers" }).locator("dl > div");
  return Object.fromEntries((await figures.allInnerTexts()).map((text) => text.split("\n").slice(0, 2)));
};

test("the overview has the numbers of the database, and updates while it is open", async () => {
  const page = await openPage(own.people.staff.email);
  await page.goto(own.path);
  const head = page.getByRole("region", { name: "Progress" });
  await head.getByText("2 of 5,000").waitFor();
  expect(await numbers(page)).toMatchObject({ Entered: "3" });
  await page.getByText(/^Updated/).waitFor();
  await expectAxeClean(page);

  // Everything on the page updates.
  await addLine(4, "accepted");
  await head.getByText("3 of 5,000").waitFor();
  await expect.poll(() => page.locator("header").innerText()).toContain("3 of 5,000");
  expect(await numbers(page)).toMatchObject({ Entered: "4" });

  // Numbers lead to their records.
  await page.getByRole("region", { name: "Numbers" }).getByRole("link", { name: "4", exact: true }).click();
  await page.getByRole("heading", { name: "4 lines" }).waitFor();
  await expect.poll(() => page.locator("header").innerText()).toContain("3 of 5,000");
});

test("without signatures.view the overview has the numbers, but no lists or links to lines", async () => {
  const page = await openPage(own.people.canvasser.email);
  await page.goto(own.path);
  await page.getByRole("region", { name: "Numbers" }).waitFor();
  expect(await page.getByRole("heading", { level: 2 }).allTextContents()).not.toContain("Circulators");
  expect(await page.locator("main a[href*='/signatures']").count()).toBe(0);
});
