// Parts of signature entry that need a real browser and routes: keys, focus, layout, reloads, tabs and the network.
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import type { Voter } from "../../../scripts/demo-data/voters.ts";
import { openPage } from "../../support/browser.ts";
import {
  accept,
  atLastName,
  atSheet,
  cutSending,
  distinctVoters,
  enterButton,
  find,
  joinSending,
  lineNumber,
  lineOf,
  liveLines,
  marked,
  nameOf,
  openEntry,
  pendingEntries,
  said,
  storedLine,
  waitingLine,
} from "../../support/entry-screen.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { createOwnTeam } from "../../support/own-team.ts";

const own = await createOwnTeam({
  clerk: { team: "Field team", campaign: "Signature clerk" },
  second: { team: "Field team", campaign: "Signature clerk" },
  canvasser: { team: "Field team", campaign: "Canvasser" },
  staff: { team: "Office", campaign: "Campaign staff" },
});
const { clerk, second, canvasser, staff } = own.people;
const entryPath = `${own.path}/signatures`;

const voter = distinctVoters();

const open = (sheet: number, paper?: { signatures: number }) =>
  openEntry(own, { sheet, email: clerk.email, ...(paper && { paper }) });
const accepted = async (sheet: number) => (await liveLines(own, sheet)).filter(({ verdict }) => verdict === "accepted");
const places = async (sheet: number) => (await accepted(sheet)).map(({ line, voter_id }) => [line, voter_id]);

/** Expects these voters as the accepted lines of a sheet, in this order. */
async function expectStored(sheet: number, expected: Voter[]) {
  await expect.poll(async () => (await accepted(sheet)).length, { timeout: 30_000 }).toBe(expected.length);
  expect(await places(sheet)).toEqual(expected.map(({ voterId }, index) => [index + 1, voterId]));
  expect(new Set((await accepted(sheet)).map(({ entered_by }) => entered_by))).toEqual(new Set([clerk.id]));
}

test("entry by keyboard takes at most 3 keystrokes a line beyond the search, with all interruptions", {
  timeout: 120_000,
}, async () => {
  const page = await open(1, { signatures: 12 });
  const keystrokes: number[] = [];
  const layoutShift = await watchLayoutShift(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));

  for (let index = 0; index < 4; index++) keystrokes.push(await accept(page, voter(index)));
  expect(await layoutShift()).toBeLessThan(0.01);
  await storedLine(page, 4, "valid").waitFor();

  // A voter who has signed is marked before Enter, also on the button; Enter saves the line as a duplicate. Letters typed right
  // after it go into the next line.
  await find(page, voter(3));
  await marked(page).getByText("already signed").waitFor();
  await marked(page).getByText("sheet 1, line 4").waitFor();
  expect(await enterButton(page).textContent()).toContain("Enter as duplicate");
  await page.keyboard.press("Enter");
  await page.keyboard.type("dnirteous?");
  expect(await page.getByLabel("Last name").inputValue()).toBe("dnirteous?");
  await storedLine(page, 5, "duplicate").waitFor();
  expect(await lineNumber(page)).toBe("6");
  await page.keyboard.press("Escape");

  // A correction puts the line back into the form, and Esc leaves it as it was. After an undo it is empty, and the voter can be
  // entered again.
  await accept(page, voter(4));
  await page.keyboard.press("Control+Shift+Enter");
  await expect.poll(() => page.getByLabel("Last name").inputValue()).toBe(voter(4).lastName);
  await page.keyboard.press("Escape");
  await said(page, "Sheet 1, line 6 wasn't changed.");
  await storedLine(page, 6, "valid").click();
  await page.getByRole("button", { name: "Remove line", exact: true }).press("Enter");
  await expect.poll(() => lineNumber(page)).toBe("6");
  await lineOf(page, 6, "current line").waitFor();
  await expect.poll(async () => (await accepted(1)).length).toBe(4);

  // A reload in the middle of a line keeps the text, the sheet and the line.
  await atLastName(page);
  await page.keyboard.type(voter(4).lastName);
  await page.reload();
  await atSheet(page, 1);
  await expect.poll(() => page.getByLabel("Last name").inputValue()).toBe(voter(4).lastName);
  expect(await lineNumber(page)).toBe("6");
  await page.keyboard.press("Escape");
  for (let index = 4; index < 8; index++) keystrokes.push(await accept(page, voter(index)));
  await storedLine(page, 9, "valid").waitFor();

  // Without a network three lines are saved to look up, looked up when it is back, and stored in order.
  await page.context().setOffline(true);
  for (const index of [8, 9, 10]) {
    for (const text of [voter(index).lastName, voter(index).firstName]) {
      await page.keyboard.type(text);
      await page.keyboard.press("Tab");
    }
    await page.keyboard.type(voter(index).houseNumber);
    await page.keyboard.press("Enter");
    keystrokes.push(3);
    await waitingLine(page, index + 2, "needs a lookup").waitFor();
  }
  await page.getByRole("heading", { name: "3 lines need a lookup" }).waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Look up", exact: true }).press("Enter");
  for (const index of [8, 9, 10]) {
    await expect.poll(() => lineNumber(page)).toBe(String(index + 2));
    await marked(page)
      .filter({ hasText: nameOf(voter(index)) })
      .waitFor();
    await page.getByRole("button", { name: /^Enter as valid: ./ }).waitFor();
    await atLastName(page);
    await page.keyboard.press("Enter");
  }

  // The sheet is full: Enter continues to closing it.
  await expect.poll(() => lineNumber(page)).toBe("");
  await page.getByRole("heading", { name: "All lines are entered" }).waitFor();
  await page.getByRole("button", { name: "Review and close the sheet" }).waitFor();
  await expect.poll(async () => (await accepted(1)).length, { timeout: 30_000 }).toBe(11);
  const lines = [1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12];
  expect(await places(1)).toEqual(lines.map((line, index) => [line, voter(index).voterId]));
  expect(Math.max(...keystrokes)).toBeLessThanOrEqual(3);
  expect(requests.filter((url) => url.includes("/api/essearch-common"))).toEqual([]);
  expect(new URL(page.url()).search).toBe("");
});

test("near matches of a misspelled name are listed below with the reason, and need an arrow key to be taken", async () => {
  const page = await open(2);
  const layoutShift = await watchLayoutShift(page);
  const { lastName, firstName, houseNumber } = voter(20);
  const misspelled = `${lastName.slice(0, -2)}${lastName.at(-1)}${lastName.at(-2)}`;
  for (const text of [misspelled, firstName, houseNumber]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  const similar = page.getByRole("group", { name: "No exact match. Near matches:" });
  const meant = similar.getByRole("option").filter({ hasText: nameOf(voter(20)) });
  await meant.getByText("not signed").waitFor();
  await meant.getByText(/^(similar|sounds alike)$/).waitFor();
  expect(await layoutShift()).toBeLessThan(0.01);
  await expectAxeClean(page);
  await page.getByLabel("House number").press("Enter");
  await said(page, "select a near match");
  await page.keyboard.press("ArrowDown");
  await meant.and(marked(page)).waitFor();
  await page.keyboard.press("Enter");
  await expectStored(2, [voter(20)]);
});

test("outside of a field, ? lists the keys", async () => {
  const page = await open(3);
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  await page
    .getByRole("dialog", { name: "Keyboard shortcuts" })
    .getByText("Correct the selected line, or the previous one")
    .waitFor();
  await expectAxeClean(page);
});

describe("an unsent line", () => {
  test("survives a reload and closing its tab, and is sent once in order, also when an answer is lost", async () => {
    const page = await open(4);
    await cutSending(page);
    await accept(page, voter(30));
    await accept(page, voter(31));
    await page.getByText("No connection. 2 unsent lines will be sent when you're back online.").waitFor();
    await page.reload();
    await atSheet(page, 4);
    await accept(page, voter(32));
    await waitingLine(page, 1, "valid").waitFor();
    await expectAxeClean(page);
    expect(await liveLines(own, 4)).toEqual([]);

    const other = await page.context().newPage();
    await page.close();
    let lost = 0;
    await other.route("**/api/signatures", async (route) => {
      if (lost > 0) return route.continue();
      lost++;
      await route.fetch(); // the request is stored, but its answer lost
      await route.abort();
    });
    await other.goto(entryPath);
    const resume = other.getByRole("button", { name: "Resume sheet 4, line 4" });
    await resume.waitFor();
    await expect.poll(() => resume.evaluate((element) => element === document.activeElement)).toBe(true);
    await other.keyboard.press("Enter");
    await atSheet(other, 4);
    await storedLine(other, 3, "valid").waitFor();
    expect(lost).toBe(1);
    await expect.poll(() => pendingEntries(other)).toBe(0);
    await expectStored(4, [voter(30), voter(31), voter(32)]);
  });

  test("is shared by two tabs and sent once, and another clerk on the device doesn't see it", async () => {
    const page = await open(5);
    // Otherwise the page could check permissions as the other clerk and reload.
    await page.route("**/api/permissions/fingerprint*", (route) => route.abort());
    await cutSending(page);
    for (const index of [42, 43]) await accept(page, voter(index));
    await page.getByText("2 unsent lines will be sent").waitFor();

    const theirCookies = await (await openPage(second.email)).context().cookies();
    const cookies = await page.context().cookies();
    await page.context().clearCookies();
    await page.context().addCookies(theirCookies);
    const theirs = await page.context().newPage();
    await theirs.goto(entryPath);
    await theirs.getByRole("heading", { name: "Start a sheet" }).waitFor();
    expect(await theirs.getByRole("button", { name: /^Resume sheet \d+, line/ }).count()).toBe(0);
    expect(await theirs.getByText(/unsent/).count()).toBe(0);
    await theirs.close();
    await page.unroute("**/api/signatures");
    await page.evaluate(() => window.dispatchEvent(new Event("focus")));
    await page
      .getByText("Your session has ended. Sign in again to send 2 unsent lines saved on this device.")
      .waitFor();
    const link = await page.getByRole("link", { name: "Sign in again" }).getAttribute("href");
    expect(link).toBe(`/login?next=${entryPath}`);
    expect(await liveLines(own, 5)).toEqual([]); // not for the other clerk either
    await cutSending(page);

    await page.context().clearCookies();
    await page.context().addCookies(cookies);
    const tab = await page.context().newPage();
    await tab.goto(entryPath);
    await expectStored(5, [voter(42), voter(43)]);
    await tab.getByRole("button", { name: "Resume sheet 5, line 3" }).press("Enter");
    await storedLine(tab, 2, "valid").waitFor();
    await joinSending(page);
    await storedLine(page, 2, "valid").waitFor();
    await expect.poll(() => page.getByText(/unsent lines? will be sent/).count()).toBe(0);
    expect(await liveLines(own, 5)).toHaveLength(2);
  });
});

test("with only signatures.view the page has sheets and lines, but no form and no actions", async () => {
  const entry = await open(6);
  await accept(entry, voter(50));
  await storedLine(entry, 1, "valid").waitFor();
  const page = await openPage(staff.email);
  await page.goto(entryPath);
  await page.getByRole("heading", { level: 1, name: "Sheets" }).waitFor();
  expect(await page.getByLabel("Last name").count()).toBe(0);
  expect(await page.getByRole("button", { name: /Undo|Remove|Resume|Start|Close sheet/ }).count()).toBe(0);
  await expectAxeClean(page);
  await page.getByRole("link", { name: /^6 ?: view its lines$/ }).click();
  await page.getByRole("heading", { name: "1 line" }).waitFor();
  expect(await page.locator("tbody td").first().textContent()).toBe("6, 1");

  // The voter search of the campaign shows who has signed, and with permission also where.
  const { lastName, firstName, houseNumber } = voter(50);
  for (const [{ email }, showsPlace] of [
    [clerk, true],
    [canvasser, false],
  ] as const) {
    const search = await openPage(email);
    await search.goto(`${own.path}/voters`);
    const box = search.getByLabel("Name, address, ZIP code, or voter ID");
    await box.fill(`${lastName}, ${firstName}, ${houseNumber}`);
    const badge = search.locator("tbody td:visible").getByText("already signed");
    await badge.waitFor();
    if (showsPlace) await search.locator('[title*="sheet 6, line 1"]').first().waitFor({ state: "attached" });
    else expect(await badge.getAttribute("title")).toBeNull();
  }
});

/** Sums layout shifts, except those caused by keystrokes. */
async function watchLayoutShift(page: Page) {
  await page.evaluate(() => {
    const sum = { value: 0 };
    Reflect.set(window, "layoutShift", sum);
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        if (!Reflect.get(entry, "hadRecentInput")) sum.value += Number(Reflect.get(entry, "value"));
      }
    }).observe({ type: "layout-shift" });
  });
  return () => page.evaluate(() => Number(Reflect.get(Reflect.get(window, "layoutShift"), "value")));
}
