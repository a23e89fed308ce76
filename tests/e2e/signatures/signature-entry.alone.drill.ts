import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { Voter } from "../../../scripts/local-stack/voters.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { signInOverApi } from "../../support/demo.ts";
import {
  accept,
  atLastName,
  atSheet,
  chord,
  cleanSheets,
  cutSending,
  dialogsGone,
  enterButton,
  entryPath,
  find,
  keptEntries,
  lineNumber,
  lineOf,
  liveLines,
  marked,
  openEntry,
  removedLines,
  storedLine,
  unsignedVoters,
  waitingLine,
} from "../../support/entry-screen.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";

const firstSheet = 900_001; // of these tests alone

let browser: Browser;
let clerk: string;
let voters: Voter[];
beforeAll(async () => {
  browser = await startBrowser();
  clerk = (await signInOverApi("clerk@demo.test")).userId;
  voters = await unsignedVoters(90);
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  await cleanSheets(firstSheet);
});
afterAll(() => browser.close());

const voter = (index: number): Voter => {
  const found = voters[index];
  if (!found) throw new Error("There are not enough voters.");
  return found;
};
const nameOf = ({ lastName, firstName }: Voter) => `${lastName}, ${firstName}`;

const accepted = async (sheet: number) => (await liveLines(sheet)).filter(({ verdict }) => verdict === "accepted");
const rejected = async (sheet: number) => (await liveLines(sheet)).filter(({ verdict }) => verdict !== "accepted");
const places = async (sheet: number) => (await accepted(sheet)).map(({ line, voter_id }) => [line, voter_id]);

/** The lines of a sheet are these voters, in this order, each once. */
async function expectStored(sheet: number, expected: Voter[]) {
  await expect.poll(async () => (await accepted(sheet)).length, { timeout: 30_000 }).toBe(expected.length);
  expect(await places(sheet)).toEqual(expected.map(({ voterId }, index) => [index + 1, voterId]));
  expect(new Set((await accepted(sheet)).map(({ entered_by }) => entered_by))).toEqual(new Set([clerk]));
}

test("30 lines by keyboard alone, at most 3 keystrokes a line beyond the search", { timeout: 180_000 }, async () => {
  const sheet = firstSheet;
  const page = await openEntry(browser, sheet, { paper: { signatures: 32 } });
  const keystrokes: number[] = [];
  const layoutShift = await watchLayoutShift(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));

  for (let index = 0; index < 10; index++) keystrokes.push(await accept(page, voter(index)));
  expect(await layoutShift()).toBeLessThan(0.01);
  await storedLine(page, 10, "accepted").waitFor();

  // Who has signed already is said before Enter, on its button too; Enter then keeps the line as a duplicate.
  await find(page, voter(3));
  await marked(page).getByText("signed already").waitFor();
  await marked(page).getByText(`sheet ${sheet}, line 4`).waitFor();
  expect(await enterButton(page).textContent()).toContain("Signed already: keep as a duplicate");
  await page.keyboard.press("Enter");
  await page
    .getByText(new RegExp(`^Line 11: ${nameOf(voter(3))}.* has signed already: .*sheet ${sheet}, line 4`))
    .waitFor();
  await storedLine(page, 11, "duplicate").waitFor();
  expect(await lineNumber(page)).toBe("12");
  await expect
    .poll(() => rejected(sheet))
    .toMatchObject([{ voter_id: voter(3).voterId, verdict: "duplicate", line: 11, entered_by: clerk }]);

  // An undo from the field: the line is empty again, and the voter can be entered again.
  await accept(page, voter(10));
  await page.keyboard.press("Control+Shift+Enter");
  await expect.poll(() => lineNumber(page)).toBe("12");
  await lineOf(page, 12, "being keyed").waitFor();
  await expect.poll(async () => (await accepted(sheet)).length).toBe(10);

  // A reload in the middle of a line: what was typed, the sheet and the line are there.
  await atLastName(page);
  await page.keyboard.type(voter(10).lastName);
  await page.reload();
  await atSheet(page, sheet);
  await expect.poll(() => page.getByLabel("Last name").inputValue()).toBe(voter(10).lastName);
  expect(await lineNumber(page)).toBe("12");
  await page.keyboard.press("Escape");
  keystrokes.push(await accept(page, voter(10)));

  for (let index = 11; index < 20; index++) keystrokes.push(await accept(page, voter(index)));
  await storedLine(page, 21, "accepted").waitFor();

  // The network is cut for ten lines: they are kept as typed, looked up when it is back, and stored in order.
  await page.context().setOffline(true);
  for (let index = 20; index < 30; index++) {
    const { lastName, firstName, houseNumber } = voter(index);
    await page.keyboard.type(lastName);
    await page.keyboard.press("Tab");
    await page.keyboard.type(firstName);
    await page.keyboard.press("Tab");
    await page.keyboard.type(houseNumber);
    await page.keyboard.press("Enter");
    keystrokes.push(3);
    await expect.poll(() => lineNumber(page)).toBe(String(index + 3));
    await waitingLine(page, index + 2, "to be looked up").waitFor();
  }
  await page.getByText("10 lines were kept as typed.").waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: "Look them up" }).press("Enter");
  for (let index = 20; index < 30; index++) {
    await expect.poll(() => lineNumber(page)).toBe(String(index + 2));
    await marked(page)
      .filter({ hasText: nameOf(voter(index)) })
      .waitFor();
    await page.getByRole("button", { name: /^Accept ./ }).waitFor();
    await atLastName(page);
    await page.keyboard.press("Enter");
  }
  await expect.poll(() => lineNumber(page)).toBe("32");

  await expect.poll(async () => (await accepted(sheet)).length, { timeout: 30_000 }).toBe(30);
  const lines = [...Array(32).keys()].filter((at) => at > 0 && at !== 11);
  expect(await places(sheet)).toEqual(lines.map((line, index) => [line, voter(index).voterId]));
  expect(keystrokes).toHaveLength(30);
  expect(Math.max(...keystrokes)).toBeLessThanOrEqual(3);
  expect(requests.filter((url) => url.includes("/api/essearch-common"))).toEqual([]);
  expect(new URL(page.url()).search).toBe("");
});

test("letters typed right after Enter go into the next line, whatever they are, and store nothing", async () => {
  const sheet = firstSheet + 2;
  const page = await openEntry(browser, sheet);
  await accept(page, voter(0));
  await storedLine(page, 1, "accepted").waitFor();
  for (const [line, letters] of [
    [2, "Rivera"],
    [3, "Underwood"],
    [4, "dnirteous?"],
  ] as const) {
    await find(page, voter(0));
    await page.keyboard.press("Enter");
    await page.keyboard.type(letters);
    expect(await page.getByLabel("Last name").inputValue()).toBe(letters);
    expect(await lineNumber(page)).toBe(String(line + 1));
    await storedLine(page, line, "duplicate").waitFor();
    await page.keyboard.press("Escape");
  }
  await expect.poll(() => keptEntries(page)).toBe(0);
  expect(await liveLines(sheet)).toMatchObject([
    { line: 1, verdict: "accepted" },
    { line: 2, verdict: "duplicate", voter_id: voter(0).voterId },
    { line: 3, verdict: "duplicate" },
    { line: 4, verdict: "duplicate" },
  ]);
  expect(await removedLines(sheet)).toEqual([]);
});

test("a name that is misspelt: who is similar comes below, with the reason and her mark, and nothing moves", async () => {
  const sheet = firstSheet + 17;
  const page = await openEntry(browser, sheet);
  const layoutShift = await watchLayoutShift(page);
  const { lastName, firstName, houseNumber } = voter(60);
  const misspelt = `${lastName.slice(0, -2)}${lastName.at(-1)}${lastName.at(-2)}`;
  for (const text of [misspelt, firstName, houseNumber]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
  const similar = page.getByRole("group", { name: "No voter is written exactly so. Similar voters:" });
  const meant = similar.getByRole("option").filter({ hasText: nameOf(voter(60)) });
  await meant.getByText("not signed").waitFor();
  await meant.getByText(/^(similar|sounds like)$/).waitFor();
  expect(await layoutShift()).toBeLessThan(0.01);
  await expectAxeClean(page);
});

test("each verdict has its key, ? lists them", async () => {
  const sheet = firstSheet + 4;
  const page = await openEntry(browser, sheet);
  await accept(page, voter(0));
  await storedLine(page, 1, "accepted").waitFor();
  await find(page, voter(0));
  await chord(page, 1);
  for (const [line, digit, words] of [
    [3, 2, "not found"],
    [4, 3, "illegible"],
    [5, 4, "not registered"],
    [6, 5, "out of district"],
    [7, 6, "outside dates"],
  ] as const) {
    await page.keyboard.type("Zzqx");
    await chord(page, digit);
    await storedLine(page, line, words).waitFor();
  }
  await chord(page, 7);
  await page.getByRole("dialog").getByLabel("Reason").waitFor();
  await page.keyboard.press("Escape");
  await atLastName(page);
  expect(await lineNumber(page)).toBe("8");
  await dialogsGone(page);
  await chord(page, 7);
  await page.getByRole("dialog").getByLabel("Reason").waitFor();
  await page.keyboard.type("signed twice on the paper");
  await page.keyboard.press("Enter");
  await storedLine(page, 8, "other reason").waitFor();
  await atLastName(page);
  await dialogsGone(page);
  await chord(page, 8);
  await storedLine(page, 9, "blank").waitFor();
  await chord(page, 9);
  await page.getByRole("dialog", { name: `Sheet ${sheet}` }).waitFor();
  await page.keyboard.press("Escape");
  await atLastName(page);
  await dialogsGone(page);
  await page.keyboard.press("Control+Shift+Enter");
  await lineOf(page, 9, "being keyed").waitFor();
  await expect
    .poll(async () => (await liveLines(sheet)).map(({ line, verdict, note }) => [line, verdict, note]))
    .toEqual([
      [1, "accepted", null],
      [2, "duplicate", expect.stringContaining(nameOf(voter(0)))],
      ...["not-found", "illegible", "not-registered", "out-of-district", "outside-dates"].map((verdict, index) => {
        return [index + 3, verdict, "Zzqx"];
      }),
      [8, "other", "signed twice on the paper"],
    ]);

  // While nobody types, ? lists the keys.
  await page.getByRole("heading", { level: 1 }).click();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keys of this screen" });
  await dialog.getByText("Undo the last line").waitFor();
  await dialog.getByText("Blank line").waitFor();
  await expectAxeClean(page);
});

test("an answer that is lost: the line is sent again and stored once; a closed tab loses nothing, and another one resumes", async () => {
  const sheet = firstSheet + 6;
  const page = await openEntry(browser, sheet);
  let lost = 0;
  await page.route("**/api/signatures", async (route) => {
    if (lost > 0) return route.continue();
    lost++;
    await route.fetch(); // it arrives, and is stored
    await route.abort();
  });
  await accept(page, voter(40));
  await storedLine(page, 1, "accepted").waitFor();
  expect(lost).toBe(1);
  await expect.poll(() => keptEntries(page)).toBe(0);
  await expectStored(sheet, [voter(40)]);

  await cutSending(page);
  await accept(page, voter(41));
  await page.getByText("1 line waits for the connection").waitFor();
  const other = await page.context().newPage();
  await page.close();
  await other.goto(entryPath);
  await other.getByRole("button", { name: `Resume ${sheet}, line 3` }).waitFor();
  await other.waitForFunction((name) => document.activeElement?.textContent === name, `Resume ${sheet}, line 3`);
  await other.keyboard.press("Enter");
  await atSheet(other, sheet);
  expect(await lineNumber(other)).toBe("3");
  await expectStored(sheet, [voter(40), voter(41)]);
  await storedLine(other, 2, "accepted").waitFor();
});

test("two tabs share what waits: sent once, shown in both; another clerk on the device sees nothing of it", async () => {
  const sheet = firstSheet + 7;
  const page = await openEntry(browser, sheet);
  // On a slow machine it would ask as the other clerk, and be made anew as hers.
  await page.route("**/api/permissions/fingerprint*", (route) => route.abort());
  await cutSending(page);
  for (const index of [42, 43, 44]) await accept(page, voter(index));
  await page.getByText("3 lines wait for the connection").waitFor();

  const admin = await openPage(browser, "admin@demo.test");
  const cookies = await admin.context().cookies();
  const own = await page.context().cookies();
  await page.context().clearCookies();
  await page.context().addCookies(cookies);
  const theirs = await page.context().newPage();
  await theirs.goto(entryPath);
  await theirs.getByRole("heading", { name: "Start with a sheet" }).waitFor();
  expect(await theirs.getByRole("button", { name: /^Resume \d+, line/ }).count()).toBe(0);
  expect(await theirs.getByText(/wait/).count()).toBe(0);
  await theirs.close();
  await page.unroute("**/api/signatures");
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await page.getByText("Your session has ended, and 3 lines wait").waitFor(); // not in the other one's name
  expect(await liveLines(sheet)).toEqual([]);
  await cutSending(page);

  await page.context().clearCookies();
  await page.context().addCookies(own);
  const second = await page.context().newPage();
  await second.goto(entryPath);
  await expectStored(sheet, [voter(42), voter(43), voter(44)]);
  await second.getByRole("button", { name: `Resume ${sheet}, line 4` }).press("Enter");
  await storedLine(second, 3, "accepted").waitFor();
  await page.unroute("**/api/signatures");
  await storedLine(page, 3, "accepted").waitFor();
  await expect.poll(() => page.getByText(/wait for the connection/).count()).toBe(0);
  expect(await liveLines(sheet)).toHaveLength(3);
});

describe("who may what", () => {
  test("with signatures.view alone: sheets and lines, no form, nothing to remove", async () => {
    await openEntry(browser, firstSheet + 14);
    const page = await openPage(browser, "staff@demo.test");
    await page.goto(entryPath);
    await page.getByRole("heading", { name: "Open sheets" }).waitFor();
    await page
      .getByText(/open with Rosa Lindqvist since/)
      .first()
      .waitFor();
    expect(await page.getByLabel("Last name").count()).toBe(0);
    expect(await page.getByRole("button", { name: /Undo|Remove|Resume|Start|Close sheet/ }).count()).toBe(0);
    await expectAxeClean(page);
    await page.getByLabel("Any sheet, by number").fill("3");
    await page.getByRole("button", { name: "See lines" }).click();
    await page.getByRole("heading", { name: /^\d+ lines$/ }).waitFor();
    expect(await page.locator("tbody td").first().textContent()).toBe("3, 1");
    expect(await page.getByLabel("Sheet", { exact: true }).inputValue()).toBe("3");
  });

  test("without signatures.view: a refusal, and no entry in the sidebar", async () => {
    const page = await openPage(browser, "canvasser@demo.test");
    await page.goto(entryPath);
    await page.getByRole("heading", { level: 1, name: "You can't open the signatures of Clean water" }).waitFor();
    expect(await page.getByRole("link", { name: "Signatures" }).count()).toBe(0);
  });
});

/** Sums the layout shifts from now on, but those that a keystroke has asked for, as a new line does. */
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
