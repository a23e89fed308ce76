import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Voter } from "../../../scripts/local-stack/voters.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { carryOutChanges, restAsService, signInOverApi } from "../../support/demo.ts";
import {
  accept,
  atLastName,
  atSheet,
  chord,
  cleanSheets,
  cutReading,
  cutSending,
  dialogsGone,
  entryPath,
  find,
  insertLine,
  joinReading,
  joinSending,
  keptEntries,
  lineNumber,
  lineOf,
  liveLines,
  openEntry,
  removedLines,
  said,
  startSheet,
  storedLine,
  unsignedVoters,
  waitingLine,
} from "../../support/entry-screen.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";

const firstSheet = 910_001; // of these tests alone

let browser: Browser;
let voters: Voter[];
beforeAll(async () => {
  browser = await startBrowser();
  voters = await unsignedVoters(60);
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
const places = async (sheet: number) => (await liveLines(sheet)).map(({ line, voter_id }) => [line, voter_id]);
const sheetsOf = (number: number) => restAsService(`sheets?number=eq.${number}`, { method: "GET" });
const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** The dialog of the sheet at hand, opened by its key. */
async function openSheetDialog(page: Page, sheet: number) {
  await dialogsGone(page);
  await chord(page, 9);
  const dialog = page.getByRole("dialog", { name: `Sheet ${sheet}`, exact: true });
  await dialog.waitFor();
  return dialog;
}

test("the paper is asked at the start; gaps are seen before the sheet is closed, and its report counts right", async () => {
  const sheet = firstSheet;
  const page = await openEntry(browser, sheet, {
    paper: { circulator: "Maria Vega", day: dayAgo(3), signatures: 5 },
  });
  await page.getByText(/^by Maria Vega · \w+ \d+ · 5 signatures$/).waitFor();
  await accept(page, voter(0));
  await accept(page, voter(1));
  await chord(page, 8);
  await expect.poll(() => lineNumber(page)).toBe("4");
  await lineOf(page, 6).click(); // five signatures, and the line between them that is blank
  expect(await lineNumber(page)).toBe("6");
  await atLastName(page);
  await chord(page, 3);
  await expect.poll(() => lineNumber(page)).toBe("4"); // the first of the gaps
  await storedLine(page, 6, "illegible").waitFor();
  await lineOf(page, 5, "empty").waitFor();
  await page.getByText(/ · keyed: you 3$/).waitFor(); // the blank one counts nowhere

  await openSheetDialog(page, sheet);
  await page.keyboard.press("Enter");
  const report = page.getByRole("dialog", { name: `Close sheet ${sheet}?` });
  const counted = () => report.locator("dl > div").allTextContents();
  await report.getByText("Lines 4 and 5 are empty.").waitFor();
  expect(await counted()).toEqual(["Accepted2", "Illegible1", "Blank1", "Signatures on the paper5"]);
  await report.getByRole("button", { name: "Close with 2 gaps" }).waitFor();
  await expectAxeClean(page);
  await page.keyboard.press("Enter"); // goes to the gap
  await report.waitFor({ state: "detached" });
  await atLastName(page);
  expect(await lineNumber(page)).toBe("4");
  expect(await sheetsOf(sheet)).toMatchObject([{ closed_at: null }]);

  await accept(page, voter(2));
  expect(await lineNumber(page)).toBe("5");
  await accept(page, voter(3));
  expect(await lineNumber(page)).toBe("");
  await page.getByRole("button", { name: "Close the sheet" }).waitFor();
  await page.keyboard.press("Enter");
  await report.getByText("No line is missing.").waitFor();
  expect(await counted()).toEqual(["Accepted4", "Illegible1", "Blank1", "Signatures on the paper5"]);
  await page.keyboard.press("Enter");
  await said(page, `Sheet ${sheet} is closed.`);
  await page.waitForFunction(() => document.activeElement?.matches("input[name=sheet]"));
  expect(await page.getByRole("button", { name: `Resume ${sheet}` }).count()).toBe(0);
  await expect
    .poll(() => sheetsOf(sheet))
    .toMatchObject([
      { closed_at: expect.any(String), circulator: "Maria Vega", collected_on: dayAgo(3), signature_count: 5 },
    ]);
  await page.reload();
  await page.getByRole("heading", { name: "Start with a sheet" }).waitFor();
  expect(await page.getByRole("button", { name: `Resume ${sheet}` }).count()).toBe(0);
});

test("two clerks on one sheet see each other, and settle side by side what both have keyed", {
  timeout: 120_000,
}, async () => {
  const sheet = firstSheet + 2;
  const ada = await openEntry(browser, sheet, { email: "admin@demo.test" });
  const rosa = await openEntry(browser, sheet);
  await said(rosa, "Also here: Ada Moreno, line 1");
  await said(ada, "Also here: Rosa Lindqvist, line 1");
  await lineOf(ada, 1, "Rosa Lindqvist is here, being keyed").waitFor();
  expect(await rosa.getByText(/Rosa Lindqvist, line/).count()).toBe(0); // not herself

  // Ada's lines wait, and she does not see what Rosa stores meanwhile.
  await cutReading(ada);
  await cutSending(ada);
  for (const index of [10, 11, 12]) await accept(ada, voter(index));
  for (const index of [13, 14, 15]) await accept(rosa, voter(index));
  await storedLine(rosa, 3, "accepted").waitFor();
  await joinReading(ada);
  await joinSending(ada);
  await ada.getByRole("heading", { name: "3 lines to settle" }).waitFor();
  const conflict = (index: number) =>
    ada
      .getByRole("list", { name: "To settle" })
      .getByRole("listitem")
      .filter({ hasText: nameOf(voter(index)) });
  for (const [at, index] of [10, 11, 12].entries()) {
    await conflict(index)
      .getByText(`sheet ${sheet}, line ${at + 1}`)
      .waitFor();
    await conflict(index)
      .getByText(nameOf(voter(index + 3)))
      .waitFor();
    await conflict(index)
      .getByText(/^accepted · by Rosa Lindqvist, /)
      .waitFor();
  }
  await expectAxeClean(ada);

  await conflict(10).getByRole("button", { name: "Keep what stands there" }).press("Enter");
  await ada.getByRole("heading", { name: "2 lines to settle" }).waitFor();
  await storedLine(ada, 1, nameOf(voter(13))).waitFor();

  await conflict(11).getByRole("button", { name: "Replace it with mine" }).press("Enter");
  await ada.getByRole("heading", { name: "1 line to settle" }).waitFor();
  await storedLine(ada, 2, nameOf(voter(11))).waitFor();

  expect(await conflict(12).getByLabel("Or mine stands on line").inputValue()).toBe("4");
  await conflict(12).getByRole("button", { name: "Store it there" }).press("Enter");
  await storedLine(ada, 4, nameOf(voter(12))).waitFor();
  expect(await ada.getByRole("list", { name: "To settle" }).count()).toBe(0);
  await expect.poll(() => keptEntries(ada)).toBe(0);

  const byLine = (await places(sheet)).toSorted(([a], [b]) => Number(a) - Number(b));
  expect(byLine).toEqual([
    [1, voter(13).voterId],
    [2, voter(11).voterId],
    [3, voter(15).voterId],
    [4, voter(12).voterId],
  ]);
  const removed = await removedLines(sheet);
  expect(removed).toMatchObject([{ voter_id: voter(14).voterId }]);
  expect(await restAsService(`line_changes?line_id=eq.${removed[0]?.id}`, { method: "GET" })).toMatchObject([
    { kind: "removed", because: `Keyed again as ${nameOf(voter(11))}, accepted` },
  ]);

  // What Ada has settled, Rosa sees; where she goes, Ada sees.
  await storedLine(rosa, 2, nameOf(voter(11))).waitFor();
  await lineOf(rosa, 3).click();
  await said(ada, "Also here: Rosa Lindqvist, line 3");
});

test("a sheet under a wrong number: conflicts are listed and nothing moves; a line is moved, then all of it", {
  timeout: 90_000,
}, async () => {
  const [right, wrong] = [firstSheet + 3, firstSheet + 4];
  const page = await openEntry(browser, right);
  await accept(page, voter(20));
  await storedLine(page, 1, "accepted").waitFor();
  await toAnotherSheet(page, right, wrong);
  await accept(page, voter(21));
  await accept(page, voter(22));
  await storedLine(page, 2, "accepted").waitFor();

  const renumber = async () => {
    const dialog = await openSheetDialog(page, wrong);
    await dialog.getByText("Keyed under a wrong number?").click();
    await dialog.getByLabel(/^Its right number/).fill(String(right));
    await page.keyboard.press("Enter");
    return dialog;
  };
  const dialog = await renumber();
  const conflicts = dialog.getByRole("alert").getByRole("listitem");
  await conflicts.first().waitFor();
  expect(await conflicts.allTextContents()).toEqual([`line 1: ${nameOf(voter(21))} here, ${nameOf(voter(20))} there`]);
  await expectAxeClean(page);
  expect(await places(wrong)).toEqual([
    [1, voter(21).voterId],
    [2, voter(22).voterId],
  ]);
  await page.keyboard.press("Escape");

  await lineOf(page, 1).click();
  await page.getByRole("button", { name: "Move…" }).press("Enter");
  const move = page.getByRole("dialog", { name: `Move line 1 of sheet ${wrong}` });
  await move.getByLabel("To sheet").fill(String(right));
  await move.getByLabel("Line", { exact: true }).fill("1");
  await page.keyboard.press("Enter");
  await move.getByRole("alert").getByText(`Sheet ${right}, line 1 is taken`).waitFor();
  await expectAxeClean(page);
  await move.getByLabel("Line", { exact: true }).fill("5");
  await page.keyboard.press("Enter");
  await said(page, `Moved to sheet ${right}, line 5.`);
  await lineOf(page, 1, "(empty|being keyed)").waitFor();

  await renumber();
  await said(page, `Sheet ${wrong} is sheet ${right} now.`);
  await atSheet(page, right);
  await storedLine(page, 1, nameOf(voter(20))).waitFor();
  await storedLine(page, 2, nameOf(voter(22))).waitFor();
  await storedLine(page, 5, nameOf(voter(21))).waitFor();
  const byLine = (await places(right)).toSorted(([a], [b]) => Number(a) - Number(b));
  expect(byLine).toEqual([
    [1, voter(20).voterId],
    [2, voter(22).voterId],
    [5, voter(21).voterId],
  ]);
  expect(await liveLines(wrong)).toEqual([]);
  const ids = (await liveLines(right)).map(({ id }) => id).join(",");
  expect(await restAsService(`line_changes?line_id=in.(${ids})&order=id`, { method: "GET" })).toMatchObject([
    { kind: "moved", sheet_before: wrong, line_before: 1, sheet_after: right, line_after: 5 },
    { kind: "moved", sheet_before: wrong, line_before: 2, sheet_after: right, line_after: 2 },
  ]);
});

test("a sheet that was opened by mistake is discarded; one with a line on it cannot be", async () => {
  const [kept, mistaken] = [firstSheet + 5, firstSheet + 6];
  const page = await openEntry(browser, kept);
  await accept(page, voter(23));
  await storedLine(page, 1, "accepted").waitFor();
  const dialog = await openSheetDialog(page, kept);
  await dialog.getByRole("button", { name: "Close the sheet…" }).waitFor();
  expect(await dialog.getByRole("button", { name: /^Discard/ }).count()).toBe(0);
  await page.keyboard.press("Escape");
  await atLastName(page);

  await toAnotherSheet(page, kept, mistaken);
  const other = await openSheetDialog(page, mistaken);
  await other.getByRole("button", { name: /^Discard/ }).press("Enter");
  await said(page, `Sheet ${mistaken} is discarded.`);
  expect(await sheetsOf(mistaken)).toEqual([]);
  await page.getByRole("button", { name: `Resume ${kept}` }).waitFor();
  expect(await page.getByRole("button", { name: `Resume ${mistaken}` }).count()).toBe(0);
});

test("what stands on the paper can be written later, and clears nothing that is not sent", async () => {
  const sheet = firstSheet + 7;
  const page = await openEntry(browser, sheet, { paper: { circulator: "Maria Vega" } });
  const dialog = await openSheetDialog(page, sheet);
  const paper = dialog.locator("form").filter({ has: page.getByRole("button", { name: "Save" }) });
  await expect.poll(() => paper.getByLabel("Circulator").inputValue()).toBe("Maria Vega");
  await paper.getByLabel("Signatures on the paper").fill("3");
  await paper.getByLabel("Day collected").fill(dayAgo(1));
  await page.keyboard.press("Enter");
  await page.getByText(/^by Maria Vega · \w+ \d+ · 3 signatures$/).waitFor();
  await page.keyboard.press("Escape");
  await atLastName(page);
  for (const [index, line] of [24, 25, 26].entries()) {
    expect(await lineNumber(page)).toBe(String(index + 1));
    await accept(page, voter(line));
  }
  expect(await lineNumber(page)).toBe(""); // three signatures, three lines
});

async function toAnotherSheet(page: Page, from: number, to: number) {
  const dialog = await openSheetDialog(page, from);
  await dialog.getByText("Another sheet").click();
  await dialog.getByLabel("Number on the paper").fill(String(to));
  await page.keyboard.press("Enter");
  await atSheet(page, to);
}

const library = "new-library"; // a campaign without a line

describe("all states, light and dark, wide and on a phone: readable to all, nothing cut off", () => {
  beforeAll(async () => {
    const { userId } = await signInOverApi("clerk@demo.test");
    const [role] = z
      .array(z.object({ id: z.string() }))
      .parse(await restAsService("roles?name=eq.Signature clerk&team_id=is.null&select=id", { method: "GET" }));
    const at = { team_id: "riverside", campaign_id: library };
    await restAsService("campaigns", {
      method: "POST",
      body: { id: library, name: "New library", team_id: at.team_id },
    });
    await restAsService("campaign_team", { method: "POST", body: at });
    await restAsService("campaign_user_roles_team", {
      method: "POST",
      body: { ...at, user_id: userId, role_id: role?.id },
    });
    await carryOutChanges();
  });
  afterAll(async () => {
    for (const table of ["campaign_user_roles_team", "campaign_team"]) {
      await restAsService(`${table}?campaign_id=eq.${library}`, { method: "DELETE" });
    }
    await restAsService(`campaigns?id=eq.${library}`, { method: "DELETE" });
    await carryOutChanges();
  });

  test.each([
    { width: 1280, colorScheme: "light" },
    { width: 1280, colorScheme: "dark" },
    { width: 375, colorScheme: "light" },
    { width: 375, colorScheme: "dark" },
  ] as const)("$width px, $colorScheme", { timeout: 120_000 }, async (options) => {
    const sheet = firstSheet + 8;
    const { userId: admin } = await signInOverApi("admin@demo.test");
    const page = await openPage(browser, "clerk@demo.test", options);
    await page.goto(entryPath);
    await page.getByLabel("Number on the paper").waitFor();
    await expectAxeClean(page);

    // 18 of 20 lines of all kinds.
    const kinds = ["duplicate", "not-found", "illegible", "not-registered", "out-of-district", "other", "blank"];
    for (let line = 1; line <= 18; line++) {
      const { voterId: voter_id, firstName: first_name, lastName: last_name } = voter(27 + line);
      const verdict = line % 2 === 0 ? kinds[line / 2 - 1] : undefined;
      await insertLine({
        ...{ sheet, line, entered_by: admin },
        ...(verdict
          ? { verdict, note: verdict === "blank" ? null : "Wolfeschlegelsteinhausenbergerdorff, Maximiliana" }
          : { verdict: "accepted", voter_id, first_name, last_name }),
      });
    }
    await startSheet(page, sheet, { circulator: "Maria Vega", day: dayAgo(3) });
    await storedLine(page, 18).waitFor({ state: "attached" });
    await expectAxeClean(page);
    await page.keyboard.type("smi");
    await page.getByText("signed already").first().waitFor();
    await expectAxeClean(page);
    await page.keyboard.press("Escape");
    await page.keyboard.type("Zzqx");
    await page.getByRole("heading", { name: "No voter matches" }).waitFor();
    await expectAxeClean(page);
    await page.keyboard.press("Escape");
    await lineOf(page, 3).click();
    await page.getByRole("region", { name: "Line 3" }).waitFor();
    await expectAxeClean(page);

    // A line that somebody else has stored meanwhile.
    await lineOf(page, 19).click();
    await cutReading(page);
    await insertLine({ sheet, line: 19, verdict: "illegible", entered_by: admin });
    await accept(page, voter(50));
    await page.getByRole("heading", { name: "1 line to settle" }).scrollIntoViewIfNeeded();
    await page.getByText(/^illegible · by Ada Moreno, /).waitFor();
    await expectAxeClean(page);
    await joinReading(page);

    // Without a connection: a line that is sent later, and one that was kept as typed.
    await lineOf(page, 20).click();
    await atLastName(page);
    await find(page, voter(51));
    await page.context().setOffline(true);
    await page.keyboard.press("Escape");
    await page.keyboard.type(voter(51).lastName);
    await page.getByRole("button", { name: "Keep as typed, look up later" }).waitFor();
    await page.keyboard.press("Enter");
    await waitingLine(page, 20, "to be looked up").waitFor();
    await expectAxeClean(page);
    await page.context().setOffline(false);

    const dialog = await openSheetDialog(page, sheet);
    await expectAxeClean(page);
    await dialog.getByText("Another sheet").click();
    await dialog.getByText("Keyed under a wrong number?").click();
    await expectAxeClean(page);
    await dialog.getByRole("button", { name: "Close the sheet…" }).press("Enter");
    const report = page.getByRole("dialog", { name: `Close sheet ${sheet}?` });
    await report.getByText(/^\d lines? (is|are) not settled yet/).waitFor();
    await expectAxeClean(page);
    await report.getByRole("button", { name: /^Close (the sheet|with)/ }).press("Enter");
    await said(page, `Sheet ${sheet} is closed.`);
    await expectAxeClean(page);

    await page.goto(`/riverside/campaign/${library}/signatures`);
    await page.getByRole("heading", { name: "Start with a sheet" }).waitFor();
    await expectAxeClean(page);
    await startSheet(page, sheet + 1);
    await page.keyboard.type("smi");
    await page.getByText("not signed").first().waitFor();
    await expectAxeClean(page);
  });
});
