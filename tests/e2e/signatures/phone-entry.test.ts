import type { Locator } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "../../support/browser.ts";
import { atLastName, distinctVoters, enterButton, liveLines, marked, nameOf } from "../../support/entry-screen.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { createOwnTeam } from "../../support/own-team.ts";

const own = await createOwnTeam({ clerk: { team: "Field team", campaign: "Signature clerk" } });
const height = 480; // of a phone, above its keyboard
const voter = distinctVoters();

test("on a phone lines are entered by taps, without scrolling", async () => {
  const page = await openPage(own.people.clerk.email, { width: 375, height, touch: true });
  await page.goto(`${own.path}/signatures`);
  await page.getByLabel("Sheet number", { exact: true }).fill("1");
  await page.getByRole("button", { name: "Start or resume" }).tap();
  const isInView = async (locator: Locator) => {
    await locator.waitFor();
    const box = await locator.boundingBox();
    expect([(box?.y ?? 0) >= 0, (box?.y ?? height) + (box?.height ?? 0) <= height]).toEqual([true, true]);
  };
  await page.getByText("Type the last name on the line").waitFor();
  await atLastName(page); // without another tap
  await page.evaluate(() => window.scrollTo(0, 0));
  for (const index of [0, 1]) {
    const { lastName, firstName, houseNumber } = voter(index);
    await atLastName(page);
    await page.keyboard.type(lastName);
    await page.getByLabel("First name").tap();
    await page.keyboard.type(firstName);
    await page.getByLabel("House number").tap();
    await page.keyboard.type(houseNumber);
    await isInView(marked(page).filter({ hasText: nameOf(voter(index)) }));
    const accept = page.getByRole("button", { name: new RegExp(`^Enter as valid: ${nameOf(voter(index))}`) });
    await isInView(accept);
    await accept.tap();
    await isInView(page.getByRole("status").filter({ hasText: `Line ${index + 1}: valid – ${nameOf(voter(index))}` }));
    await isInView(enterButton(page));
  }
  expect(await page.evaluate(() => window.scrollY)).toBe(0);

  // The state of the last line stays while the next one is typed. The rest opens.
  await page.keyboard.type("Le");
  const sheet = page.getByRole("button", { name: /^Sheet 1, line 3/ });
  await sheet.getByText(new RegExp(`2: ${nameOf(voter(1))}( .+)?, valid`)).waitFor();
  await page.getByRole("button", { name: "Clear", exact: true }).tap();
  expect(await page.getByLabel("Last name").inputValue()).toBe("");
  expect(await page.getByLabel("Totals").isVisible()).toBe(false);
  await sheet.tap();
  await page.getByLabel("Totals").waitFor();
  await page.getByLabel("City").waitFor();
  await page.getByRole("button", { name: /^Line 2: / }).waitFor();
  await expectAxeClean(page);

  // A line that is opened takes the place of these details.
  await page.getByRole("button", { name: /^Line 2: / }).tap();
  await isInView(page.getByRole("region", { name: "Line 2" }).getByRole("heading"));
  await page.getByLabel("Totals").waitFor({ state: "hidden" });
  await expect
    .poll(async () => (await liveLines(own, 1)).map(({ voter_id }) => voter_id))
    .toEqual([voter(0).voterId, voter(1).voterId]);
});
