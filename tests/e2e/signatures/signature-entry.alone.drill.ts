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
  cutReading,
  cutSending,
  enterButton,
  entryPath,
  find,
  found,
  insertLine,
  joinSending,
  keptEntries,
  lineNumber,
  lineOf,
  liveLines,
  marked,
  openEntry,
  removedLines,
  said,
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

test("20 lines: 3 keystrokes each beyond the search, and hits soon after the last key", {
  timeout: 120_000,
}, async () => {
  const sheet = firstSheet + 1;
  const page = await openEntry(browser, sheet);
  const hitsAfter = await watchHits(page);
  const began = Date.now();
  let keystrokes = 0;
  const waits: Awaited<ReturnType<typeof hitsAfter>>[] = [];
  for (let index = 0; index < 20; index++) {
    keystrokes += await find(page, voter(index));
    waits.push(await hitsAfter());
    await page.keyboard.press("Enter");
    keystrokes += 1;
    await lineOf(page, index + 1, "accepted").waitFor();
  }
  const seconds = (Date.now() - began) / 1_000;
  const medianOf = (part: keyof (typeof waits)[number]) =>
    waits.map((wait) => wait[part]).toSorted((a, b) => a - b)[10] ?? Number.NaN;
  const median = medianOf("all");
  const shares = (["pause", "request", "drawing"] as const).map((part) => `${part} ${medianOf(part).toFixed(0)}`);
  process.stdout.write(
    `20 lines: ${keystrokes} keystrokes beyond the letters, ${seconds.toFixed(1)} s; ` +
      `hits ${median.toFixed(0)} ms after the last key (median: ${shares.join(", ")}), ` +
      `${Math.max(...waits.map(({ all }) => all)).toFixed(0)} ms at most\n`,
  );
  expect(keystrokes).toBe(60);
  expect(waits).toHaveLength(20);
  expect(median).toBeLessThan(1_000);

  // The sheet is full: nothing is typed into it, and Enter goes on to its end.
  expect(await lineNumber(page)).toBe("");
  await page.getByRole("heading", { name: "No line is left to key" }).waitFor();
  await page.getByRole("button", { name: "Close the sheet" }).waitFor();
  await expectStored(sheet, voters.slice(0, 20));
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

test("of several voters Enter marks the first and says whom, and a second Enter accepts her", async () => {
  const sheet = firstSheet + 3;
  const page = await openEntry(browser, sheet);
  const first = found(page).first();
  const unsigned = ["smi", "joh", "wil", "bro", "dav", "mar", "gar", "ngu", "lee", "kim"].values();
  do {
    await page.keyboard.press("Escape");
    const { value } = unsigned.next();
    if (!value) throw new Error("Every first voter has signed.");
    await page.keyboard.type(value);
    await first.getByText(/signed/).waitFor();
    await page.locator("[aria-busy=false] > [role=listbox]").waitFor();
  } while ((await first.getByText("not signed").count()) === 0);
  const name = (await first.locator("span").first().textContent()) ?? "";
  expect(await marked(page).count()).toBe(0);
  await page.getByRole("button", { name: `Mark ${name}`, exact: true }).waitFor();
  await page.keyboard.press("Enter");
  expect(await marked(page).count()).toBe(1);
  await first.and(marked(page)).waitFor();
  await page.getByRole("button", { name: `Accept ${name}`, exact: true }).waitFor();
  expect(await lineNumber(page)).toBe("1");
  await expect.poll(() => keptEntries(page)).toBe(0);
  await page.keyboard.press("Enter");
  await storedLine(page, 1, "accepted").waitFor();
  expect(await accepted(sheet)).toMatchObject([{ line: 1 }]);

  // A mark belongs to the voters among whom it was set: with another letter it is gone.
  await page.keyboard.type("wi");
  await page.getByRole("button", { name: /^Mark / }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await found(page).nth(1).and(marked(page)).waitFor();
  await page.keyboard.type("l");
  await page.getByRole("button", { name: /^Mark / }).waitFor();
  expect(await marked(page).count()).toBe(0);
  expect(await liveLines(sheet)).toHaveLength(1);
});

test("a name that is misspelt: who is similar comes below, with the reason and her mark, and only an arrow takes her", async () => {
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
  await page.getByLabel("House no.").press("Enter");
  await page.keyboard.press("Enter");
  await said(page, "No voter is written exactly so. Mark one of the similar voters");
  expect(await marked(page).count()).toBe(0);
  expect(await liveLines(sheet)).toEqual([]);

  await page.keyboard.press("ArrowDown");
  await meant.and(marked(page)).waitFor();
  await page.getByRole("button", { name: new RegExp(`^Accept ${nameOf(voter(60))}`) }).waitFor();
  await page.keyboard.press("Enter");
  await expectStored(sheet, [voter(60)]);
});

test("each verdict has its key, and a line that it does not fit is not stored", { timeout: 90_000 }, async () => {
  const sheet = firstSheet + 4;
  const page = await openEntry(browser, sheet);
  const entered = async () =>
    Number(await page.getByRole("region", { name: "Totals" }).locator("strong").first().textContent());
  const before = await entered();
  await accept(page, voter(0));
  await storedLine(page, 1, "accepted").waitFor();
  await expect.poll(entered).toBe(before + 1);

  await chord(page, 1);
  await said(page, "Mark the voter who has signed already");
  await find(page, voter(1));
  await chord(page, 1);
  await said(page, "has not signed yet. Enter accepts the line.");
  await page.keyboard.press("Escape");
  await find(page, voter(0));
  await chord(page, 1);
  await storedLine(page, 2, "duplicate").waitFor();

  await chord(page, 2);
  await said(page, "Type the name on the line first");
  await page.keyboard.type("Zzqx");
  await page.getByRole("heading", { name: "No voter matches" }).waitFor();
  await page.keyboard.press("Enter");
  await said(page, "No voter matches.");
  await chord(page, 2);
  await storedLine(page, 3, "not found").waitFor();
  await chord(page, 3);
  await storedLine(page, 4, "illegible").waitFor();
  await page.keyboard.type("Zzqy");
  await chord(page, 4);
  await storedLine(page, 5, "not registered").waitFor();
  await page.keyboard.type("Zzqz");
  await chord(page, 5);
  await storedLine(page, 6, "out of district").waitFor();
  await chord(page, 6);
  await storedLine(page, 7, "outside dates").waitFor();

  await chord(page, 7);
  await page.getByRole("dialog").getByLabel("Reason").waitFor();
  await page.keyboard.press("Escape");
  await atLastName(page);
  expect(await lineNumber(page)).toBe("8");
  await chord(page, 7);
  await page.getByRole("dialog").getByLabel("Reason").waitFor();
  await page.keyboard.type("signed twice on the paper");
  await page.keyboard.press("Enter");
  await storedLine(page, 8, "other reason").waitFor();
  await atLastName(page);
  await expect.poll(entered).toBe(before + 8);

  await page.keyboard.type("a");
  await chord(page, 8);
  await said(page, "Something is typed for this line.");
  expect(await lineNumber(page)).toBe("9");
  await page.keyboard.press("Escape");
  await chord(page, 8);
  await storedLine(page, 9, "blank").waitFor();
  expect(await entered()).toBe(before + 8); // it counts nowhere

  await chord(page, 9);
  await page.getByRole("dialog", { name: `Sheet ${sheet}` }).waitFor();
  await page.keyboard.press("Escape");
  await atLastName(page);

  await page.keyboard.press("Control+Shift+Enter");
  await lineOf(page, 9, "being keyed").waitFor();
  await expect
    .poll(async () => (await liveLines(sheet)).map(({ line, verdict, note }) => [line, verdict, note]))
    .toEqual([
      [1, "accepted", null],
      [2, "duplicate", expect.stringContaining(nameOf(voter(0)))],
      [3, "not-found", "Zzqx"],
      [4, "illegible", null],
      [5, "not-registered", "Zzqy"],
      [6, "out-of-district", "Zzqz"],
      [7, "outside-dates", null],
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

test("ten accepted lines that cannot be sent wait, outlast a reload, and are sent in order, once", {
  timeout: 120_000,
}, async () => {
  const sheet = firstSheet + 5;
  const page = await openEntry(browser, sheet);
  await cutSending(page);
  for (let index = 30; index < 35; index++) await accept(page, voter(index));
  await page.getByText("5 lines wait for the connection, will be sent on their own.").waitFor();
  await page.reload();
  await atSheet(page, sheet);
  expect(await lineNumber(page)).toBe("6");
  for (let index = 35; index < 40; index++) await accept(page, voter(index));
  await page.getByText("10 lines wait for the connection, will be sent on their own.").waitFor();
  await waitingLine(page, 1, "accepted").waitFor();
  await expectAxeClean(page);
  expect(await liveLines(sheet)).toEqual([]);

  await joinSending(page);
  await storedLine(page, 10, "accepted").waitFor();
  await expectStored(sheet, voters.slice(30, 40));
  await expect.poll(() => page.getByText(/wait for the connection/).count()).toBe(0);
  await expect.poll(() => keptEntries(page)).toBe(0);
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

test("a session that ended: says so, loses nothing, and goes on after the sign-in", async () => {
  const sheet = firstSheet + 8;
  const page = await openEntry(browser, sheet);
  await find(page, voter(45));
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.keyboard.press("Enter");
  await page.getByText("Your session has ended, and 1 line waits. Sign in again; nothing is lost.").waitFor();
  const link = await page.getByRole("link", { name: "Sign in again" }).getAttribute("href");
  expect(link).toBe(`/login?next=${entryPath}`);
  expect(await liveLines(sheet)).toEqual([]);
  await page.context().addCookies(cookies);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expectStored(sheet, [voter(45)]);
  await storedLine(page, 1, "accepted").waitFor();
});

test("a duplicate that is found while sending is shown as one", async () => {
  const sheet = firstSheet + 9;
  const page = await openEntry(browser, sheet);
  await page.route("**/api/duplicate/batch", (route) => route.fulfill({ status: 503, json: { error: "away" } }));
  await page.route("**/api/signatures/signed", (route) => route.fulfill({ status: 503, json: { error: "away" } }));
  await find(page, voter(46));
  await marked(page).getByText("not checked").waitFor();
  await insertLine({
    ...{ voter_id: voter(46).voterId, verdict: "accepted", entered_by: clerk },
    ...{ sheet: firstSheet + 10, line: 7 },
  });
  await page.keyboard.press("Enter");
  await page
    .getByText(
      new RegExp(
        `^Line 1: ${nameOf(voter(46))} has signed already: .*sheet ${firstSheet + 10}, line 7.*; kept as a duplicate`,
      ),
    )
    .waitFor();
  await storedLine(page, 1, "duplicate").waitFor();
  expect(await accepted(sheet)).toEqual([]);
  expect(await rejected(sheet)).toMatchObject([{ verdict: "duplicate", voter_id: voter(46).voterId }]);
});

const toSettle = (page: Page) => page.getByRole("list", { name: "To settle" }).getByRole("listitem");

test("a refused line shows why, does not hold up those behind it, and can be corrected", async () => {
  const sheet = firstSheet + 11;
  const page = await openEntry(browser, sheet);
  await page.getByLabel("Day signed").fill("2999-01-01");
  await page.getByLabel("Last name").focus();
  await accept(page, voter(47));
  await toSettle(page).getByText("is in the future").waitFor();
  await lineOf(page, 1, "not stored").waitFor();
  await page.getByLabel("Day signed").fill("");
  await page.getByLabel("Last name").focus();
  await accept(page, voter(48));
  await storedLine(page, 2, "accepted").waitFor();
  await expectAxeClean(page);
  await page.reload();
  await toSettle(page).getByText("is in the future").waitFor();
  await toSettle(page).getByRole("button", { name: "Correct" }).press("Enter");
  expect(await lineNumber(page)).toBe("1");
  expect(await page.getByLabel("Last name").inputValue()).toBe(voter(47).lastName);
  expect(await page.getByLabel("Day signed").inputValue()).toBe("2999-01-01");
  await page.getByLabel("Day signed").fill("");
  await page.getByLabel("Last name").focus();
  await page.keyboard.press("Escape");
  await find(page, voter(47));
  await page.keyboard.press("Enter");
  await expect.poll(() => lineNumber(page)).toBe("3"); // it goes on where it was
  await expect
    .poll(() => places(sheet))
    .toEqual([
      [2, voter(48).voterId],
      [1, voter(47).voterId],
    ]);
  await expect.poll(() => keptEntries(page)).toBe(0);
});

test("a line whose place is taken stays beside what stands there, does not hold up those behind it, and goes to an empty line", async () => {
  const sheet = firstSheet + 12;
  const page = await openEntry(browser, sheet);
  await cutReading(page); // what stands there is not seen before
  const { userId: admin } = await signInOverApi("admin@demo.test");
  await insertLine({ sheet, line: 1, verdict: "illegible", entered_by: admin });
  await accept(page, voter(51));
  await toSettle(page).getByRole("heading", { name: "Keyed here" }).waitFor();
  await toSettle(page)
    .getByText(/^illegible · by Ada Moreno, /)
    .waitFor();
  expect(await page.getByRole("button", { name: "Replace it with mine" }).count()).toBe(0); // another's line
  await accept(page, voter(52));
  await storedLine(page, 2, "accepted").waitFor();
  await expectAxeClean(page);
  await page.reload();
  await atSheet(page, sheet);
  await toSettle(page)
    .getByText(/^illegible · by Ada Moreno, /)
    .waitFor();
  expect(await places(sheet)).toEqual([[2, voter(52).voterId]]);
  await expect.poll(() => page.getByLabel("Or mine stands on line").inputValue()).toBe("3");
  await toSettle(page).getByRole("button", { name: "Store it there" }).press("Enter");
  await storedLine(page, 3, "accepted").waitFor();
  expect(await places(sheet)).toEqual([
    [2, voter(52).voterId],
    [3, voter(51).voterId],
  ]);
  await expect.poll(() => toSettle(page).count()).toBe(0);
  await expect.poll(() => keptEntries(page)).toBe(0);
});

test("a line signed outside the campaign's days says so, and is kept as one", async () => {
  const sheet = firstSheet + 13;
  const page = await openEntry(browser, sheet);
  await page.getByLabel("Day signed").fill("2020-01-01");
  await page.getByLabel("Last name").focus();
  await accept(page, voter(53));
  await toSettle(page)
    .getByText(
      /The day signed, Jan 1, 2020, is outside the campaign's days, from .* or record the line as outside dates/,
    )
    .waitFor();
  expect(await liveLines(sheet)).toEqual([]);
  await toSettle(page).getByRole("button", { name: "Correct" }).press("Enter");
  await atLastName(page);
  expect(await page.getByLabel("Last name").inputValue()).toBe(voter(53).lastName);
  await chord(page, 6);
  await storedLine(page, 1, "outside dates").waitFor();
  await expect
    .poll(() => rejected(sheet))
    .toMatchObject([{ verdict: "outside-dates", line: 1, signed_on: "2020-01-01" }]);
  await expect.poll(() => keptEntries(page)).toBe(0);
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

  test("without signatures.view: a refusal, no entry in the sidebar, and no state", async () => {
    const page = await openPage(browser, "canvasser@demo.test");
    await page.goto(entryPath);
    await page.getByRole("heading", { level: 1, name: "You can't open the signatures of Clean water" }).waitFor();
    expect(await page.getByRole("link", { name: "Signatures" }).count()).toBe(0);
    const statuses = await page.evaluate(async () => {
      const answers = ["team=riverside&campaign=clean-water", "team=riverside", "team=hillside&campaign=clean-water"];
      return Promise.all(answers.map(async (query) => (await fetch(`/api/signatures/state?${query}`)).status));
    });
    expect(statuses).toEqual([403, 400, 403]);
    await page.context().clearCookies();
    expect(
      await page.evaluate(
        async () => (await fetch("/api/signatures/state?team=riverside&campaign=clean-water")).status,
      ),
    ).toBe(401);
  });

  test("with signatures.remove: another's line, with a reason", async () => {
    const sheet = firstSheet + 15;
    const page = await openEntry(browser, sheet);
    await accept(page, voter(49));
    await expectStored(sheet, [voter(49)]);
    const admin = await openPage(browser, "admin@demo.test");
    await admin.goto(`${entryPath}/register?sheet=${sheet}`);
    await admin.getByRole("link", { name: `sheet ${sheet}, line 1` }).press("Enter");
    await admin.getByLabel("Reason for removing it").fill("crossed out");
    await admin.keyboard.press("Enter");
    await admin.getByText("Removed.", { exact: true }).waitFor();
    await expect.poll(() => liveLines(sheet)).toEqual([]);
  });
});

test("the voter search of the campaign says who has signed, and to those who may, where", async () => {
  const sheet = firstSheet + 16;
  const page = await openEntry(browser, sheet);
  await accept(page, voter(50));
  await storedLine(page, 1, "accepted").waitFor();
  const { lastName, firstName, houseNumber } = voter(50);
  for (const [who, details] of [
    ["clerk", `sheet ${sheet}, line 1`],
    ["canvasser", null],
  ] as const) {
    const search = await openPage(browser, `${who}@demo.test`);
    await search.goto("/riverside/campaign/clean-water/voters");
    const box = search.getByLabel("Name, address, zip or voter id");
    await box.fill(`${lastName}, ${firstName}, ${houseNumber}`);
    const badge = search.locator("tbody td:visible").getByText("signed already");
    await badge.waitFor();
    if (details) await search.locator(`[title*="${details}"]`).first().waitFor({ state: "attached" });
    else expect(await badge.getAttribute("title")).toBeNull();
    await expectAxeClean(search);

    await search.route("**/api/duplicate/batch", (route) => route.fulfill({ status: 503, json: { error: "away" } }));
    await search.route("**/api/signatures/signed", (route) => route.fulfill({ status: 503, json: { error: "away" } }));
    await box.fill("smi"); // others, of whom nothing is known yet
    await search.locator("tbody td:visible").getByText("not checked").first().waitFor();
    expect(await search.getByText("signed already").count()).toBe(0);
  }
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

/**
 * Measures in the page how long after the last letter the voters of it were there, in ms: the pause before the search was sent,
 * the request, and until they were drawn.
 */
async function watchHits(page: Page) {
  await page.evaluate(() => {
    const times = { typed: 0, shown: 0 };
    Reflect.set(window, "hitTimes", times);
    document.addEventListener("input", () => Object.assign(times, { typed: performance.now() }), true);
    new MutationObserver((changes) => {
      const shows = changes.some(({ target }) => target instanceof Element && target.ariaBusy === "false");
      if (shows) times.shown = performance.now();
    }).observe(document.body, { subtree: true, attributeFilter: ["aria-busy"] });
  });
  return () =>
    page.evaluate(() => {
      const times = Reflect.get(window, "hitTimes");
      const [typed, shown] = [Number(Reflect.get(times, "typed")), Number(Reflect.get(times, "shown"))];
      const search = performance
        .getEntriesByType("resource")
        .filter((entry) => entry instanceof PerformanceResourceTiming)
        .find(({ name, startTime }) => name.endsWith("/api/essearch") && startTime >= typed);
      const [sent, answered] = [search?.startTime ?? Number.NaN, search?.responseEnd ?? Number.NaN];
      return { all: shown - typed, pause: sent - typed, request: answered - sent, drawing: shown - answered };
    });
}
