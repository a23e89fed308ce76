import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "../../support/browser.ts";
import { restAsService, syncSigners } from "../../support/demo.ts";
import {
  accept,
  atLastName,
  atSheet,
  chord,
  cutReading,
  cutSending,
  dialogsGone,
  distinctVoters,
  find,
  insertLine,
  joinReading,
  joinSending,
  lineNumber,
  lineOf,
  liveLines,
  nameOf,
  openEntry,
  pendingEntries,
  said,
  startSheet,
  storedLine,
  waitingLine,
} from "../../support/entry-screen.ts";
import { expectAxeClean, expectAxeCleanInAllLooks } from "../../support/expect-axe-clean.ts";
import { createOwnTeam } from "../../support/own-team.ts";

const own = await createOwnTeam({
  ada: { team: "Administrator" },
  rosa: { team: "Field team", campaign: "Signature clerk" },
});
const { ada, rosa } = own.people;

const voter = distinctVoters();

const read = (path: string) => restAsService(path, { method: "GET" });
const placesOn = async (sheet: number) =>
  (await liveLines(own, sheet))
    .map(({ line, voter_id }) => [line, voter_id])
    .toSorted(([a], [b]) => Number(a) - Number(b));
const sheetsOf = (number: number) => read(`sheets?campaign_id=eq.${own.campaign}&number=eq.${number}`);
const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);

/** Opens the dialog of the current sheet by its key. */
async function openSheetDialog(page: Page, sheet: number) {
  await dialogsGone(page);
  await chord(page, 9);
  const dialog = page.getByRole("dialog", { name: `Sheet ${sheet}`, exact: true });
  await dialog.waitFor();
  return dialog;
}

async function toAnotherSheet(page: Page, from: number, to: number) {
  const dialog = await openSheetDialog(page, from);
  await dialog.getByText("Open another sheet").click();
  await dialog.getByLabel("Sheet number").fill(String(to));
  await page.keyboard.press("Enter");
  await atSheet(page, to);
}

test("a sheet has its details, reports gaps before it is closed, and is deleted if opened by mistake", {
  timeout: 120_000,
}, async () => {
  const page = await openEntry(own, { sheet: 1, email: rosa.email, paper: { circulator: "Maria Vega" } });
  const paper = await openSheetDialog(page, 1);
  const form = paper.locator("form").filter({ has: page.getByRole("button", { name: "Save" }) });
  await expect.poll(() => form.getByLabel("Circulator").inputValue()).toBe("Maria Vega");
  await form.getByLabel("Signatures on the sheet").fill("3");
  await form.getByLabel("Date collected").fill(dayAgo(3));
  await page.keyboard.press("Enter");
  await page.getByText(/^collected by Maria Vega · \w+ \d+ · 3 signatures$/).waitFor();
  await atLastName(page);
  await accept(page, voter(0));
  await chord(page, 8);
  await expect.poll(() => lineNumber(page)).toBe("3");
  await lineOf(page, 4).click(); // three signatures with a blank line between them
  await atLastName(page);
  await chord(page, 3);
  await expect.poll(() => lineNumber(page)).toBe("3"); // the gap
  await storedLine(page, 4, "illegible").waitFor();

  const dialog = await openSheetDialog(page, 1);
  expect(await dialog.getByRole("button", { name: /^Delete empty/ }).count()).toBe(0); // it has lines
  await page.keyboard.press("Enter");
  const report = page.getByRole("dialog", { name: "Close sheet 1?" });
  const counted = () => report.locator("dl > div").allTextContents();
  await report.getByText("Line 3 is empty.").waitFor();
  expect(await counted()).toEqual(["Valid1", "Illegible1", "Blank1", "Signatures expected3"]);
  await page.keyboard.press("Enter"); // goes to the gap
  await report.waitFor({ state: "detached" });
  await atLastName(page);
  expect(await sheetsOf(1)).toMatchObject([{ closed_at: null }]);

  await accept(page, voter(1));
  expect(await lineNumber(page)).toBe("");
  await page.getByRole("button", { name: "Review and close the sheet" }).waitFor();
  await page.keyboard.press("Enter");
  await report.getByText("No lines are missing.").waitFor();
  await page.keyboard.press("Enter");
  await said(page, "Sheet 1 is closed.");
  await expect
    .poll(() => sheetsOf(1))
    .toMatchObject([
      { closed_at: expect.any(String), circulator: "Maria Vega", collected_on: dayAgo(3), signature_count: 3 },
    ]);

  await startSheet(page, 2);
  const mistaken = await openSheetDialog(page, 2);
  await mistaken.getByRole("button", { name: /^Delete empty/ }).press("Enter");
  await said(page, "Sheet 2 deleted.");
  expect(await sheetsOf(2)).toEqual([]);
  expect(await page.getByRole("button", { name: /^Resume/ }).count()).toBe(0);
});

const fullNameOf = ({ firstName, middleName, lastName }: ReturnType<typeof voter>) =>
  [firstName, middleName, lastName].filter(Boolean).join(" ");

test("two clerks on one sheet see each other, and resolve lines that both have entered", {
  timeout: 120_000,
}, async () => {
  const adas = await openEntry(own, { sheet: 3, email: ada.email });
  const rosas = await openEntry(own, { sheet: 3, email: rosa.email });
  await said(rosas, `Also here: ${ada.name}, line 1`);
  await said(adas, `Also here: ${rosa.name}, line 1`);
  await lineOf(adas, 1, `${rosa.name} is here, current line`).waitFor();
  expect(await rosas.getByText(new RegExp(`${rosa.name}, line`)).count()).toBe(0); // not themselves

  // Ada's lines are pending, and Ada doesn't see the lines that Rosa stores.
  await cutReading(adas);
  await cutSending(adas);
  for (const index of [10, 11, 12]) await accept(adas, voter(index));
  for (const index of [13, 14, 15]) await accept(rosas, voter(index));
  await storedLine(rosas, 3, "valid").waitFor();
  await joinReading(adas);
  await joinSending(adas);
  await adas.getByRole("heading", { name: "3 lines need attention" }).waitFor();
  const conflicts = adas.getByRole("list", { name: "Needs attention" });
  const conflict = (index: number) => conflicts.getByRole("listitem").filter({ hasText: nameOf(voter(index)) });
  for (const [at, index] of [10, 11, 12].entries()) {
    const shown = [`sheet 3, line ${at + 1}`, nameOf(voter(index + 3)), /^valid · by rosa /];
    for (const text of shown) await conflict(index).getByText(text).waitFor();
  }

  await conflict(10).getByRole("button", { name: "Keep theirs" }).press("Enter");
  await adas
    .getByRole("dialog")
    .getByRole("button", { name: /^Discard/ })
    .press("Enter");
  await adas.getByRole("heading", { name: "2 lines need attention" }).waitFor();
  await storedLine(adas, 1, nameOf(voter(13))).waitFor();

  await conflict(11).getByRole("button", { name: "Replace it with mine" }).press("Enter");
  await adas.getByRole("heading", { name: "1 line needs attention" }).waitFor();
  await storedLine(adas, 2, nameOf(voter(11))).waitFor();

  expect(await conflict(12).getByLabel("Mine belongs on line").inputValue()).toBe("4");
  await conflict(12).getByRole("button", { name: "Save to this line" }).press("Enter");
  await storedLine(adas, 4, nameOf(voter(12))).waitFor();
  expect(await conflicts.count()).toBe(0);
  await expect.poll(() => pendingEntries(adas)).toBe(0);

  expect(await placesOn(3)).toEqual([
    [1, voter(13).voterId],
    [2, voter(11).voterId],
    [3, voter(15).voterId],
    [4, voter(12).voterId],
  ]);
  expect(await read(`line_changes?reason=not.is.null&campaign_id=eq.${own.campaign}`)).toMatchObject([
    { kind: "removed", reason: `Entered again as ${nameOf(voter(11))}, valid` },
  ]);

  // Rosa sees the resolved lines, and Ada sees where Rosa goes.
  await storedLine(rosas, 2, nameOf(voter(11))).waitFor();
  await lineOf(rosas, 3).click();
  await said(adas, `Also here: ${rosa.name}, line 3`);
});

test("correcting a sheet number lists conflicts and moves nothing, until the conflicting line is moved", {
  timeout: 90_000,
}, async () => {
  const [right, wrong] = [4, 5];
  const page = await openEntry(own, { sheet: right, email: rosa.email });
  await accept(page, voter(20));
  await storedLine(page, 1, "valid").waitFor();
  await toAnotherSheet(page, right, wrong);
  await accept(page, voter(21));
  await accept(page, voter(22));
  await storedLine(page, 2, "valid").waitFor();

  const renumber = async () => {
    const dialog = await openSheetDialog(page, wrong);
    await dialog.getByText("Wrong sheet number?").click();
    await dialog.getByLabel(/^Correct number/).fill(String(right));
    await page.keyboard.press("Enter");
    return dialog;
  };
  const conflicts = (await renumber()).getByRole("alert").getByRole("listitem");
  await conflicts.first().waitFor();
  expect(await conflicts.allTextContents()).toEqual([
    `Line 1: you entered ${fullNameOf(voter(21))} on sheet ${wrong}; you entered ${fullNameOf(voter(20))} on sheet ${right}`,
  ]);
  await expectAxeClean(page);
  await page.keyboard.press("Escape");

  await lineOf(page, 1).click();
  await page.getByRole("button", { name: "Move…" }).press("Enter");
  const move = page.getByRole("dialog", { name: `Move line 1 of sheet ${wrong}?` });
  await move.getByLabel("To sheet").fill(String(right));
  await move.getByLabel("Line", { exact: true }).fill("1");
  await page.keyboard.press("Enter");
  await move.getByRole("alert").getByText(`on sheet ${right}, line 1`).waitFor();
  await expectAxeClean(page);
  await move.getByLabel("Line", { exact: true }).fill("5");
  await page.keyboard.press("Enter");
  await said(page, `Moved to sheet ${right}, line 5.`);
  await lineOf(page, 1, "(empty|current line)").waitFor();

  await renumber();
  await said(page, `Sheet ${wrong} is now sheet ${right}.`);
  await atSheet(page, right);
  await storedLine(page, 5, nameOf(voter(21))).waitFor();
  expect(await placesOn(right)).toEqual([
    [1, voter(20).voterId],
    [2, voter(22).voterId],
    [5, voter(21).voterId],
  ]);
  expect(await liveLines(own, wrong)).toEqual([]);
});

test("each state of entry is readable and complete, light and dark, wide and on a phone", {
  timeout: 180_000,
}, async () => {
  const page = await openPage(rosa.email);
  await page.goto(`${own.path}/signatures`);
  await page.getByLabel("Sheet number").waitFor();
  await expectAxeCleanInAllLooks(page);

  // 18 of 20 lines of all kinds.
  const kinds = ["duplicate", "not-found", "illegible", "not-registered", "out-of-district", "other", "blank"];
  for (let line = 1; line <= 18; line++) {
    const { voterId: voter_id, firstName: first_name, lastName: last_name } = voter(27 + line);
    const verdict = line % 2 === 0 ? kinds[line / 2 - 1] : undefined;
    await insertLine(own, {
      sheet: 8,
      line,
      entered_by: ada.id,
      ...(verdict
        ? { verdict, note: verdict === "blank" ? null : "Wolfeschlegelsteinhausenbergerdorff, Maximiliana" }
        : { verdict: "accepted", voter_id, first_name, last_name }),
    });
  }
  await syncSigners();
  await startSheet(page, 8, { circulator: "Maria Vega", day: dayAgo(3) });
  await storedLine(page, 18).waitFor({ state: "attached" });
  await find(page, voter(28));
  await page.getByText("already signed").first().waitFor();
  await expectAxeCleanInAllLooks(page);
  await page.keyboard.press("Escape");
  await page.keyboard.type("smi");
  await page.getByText("not signed").first().waitFor();
  await expectAxeCleanInAllLooks(page);
  await page.keyboard.press("Escape");
  await page.keyboard.type("Zzqx");
  await page.getByRole("heading", { name: "No voters match" }).waitFor();
  await page.keyboard.press("Escape");
  await lineOf(page, 3).click();
  await page.getByRole("region", { name: "Line 3" }).waitFor();
  await expectAxeCleanInAllLooks(page);

  // A line that someone else has stored.
  await lineOf(page, 19).click();
  await cutReading(page);
  await insertLine(own, { sheet: 8, line: 19, verdict: "illegible", entered_by: ada.id });
  await accept(page, voter(50));
  await page.getByRole("heading", { name: "1 line needs attention" }).waitFor();
  await page.getByText(/^by ada /).waitFor();
  expect(await page.getByRole("button", { name: "Replace it with mine" }).count()).toBe(0); // another's line
  await expectAxeCleanInAllLooks(page);
  await joinReading(page);

  // Without a connection, a line is saved to look up.
  await lineOf(page, 20).click();
  await atLastName(page);
  await page.context().setOffline(true);
  await page.keyboard.type(voter(51).lastName);
  await page.getByRole("button", { name: "Save for later" }).waitFor();
  await page.keyboard.press("Enter");
  await waitingLine(page, 20, "needs a lookup").waitFor();
  await page.context().setOffline(false);

  const dialog = await openSheetDialog(page, 8);
  await dialog.getByText("Open another sheet").click();
  await dialog.getByText("Wrong sheet number?").click();
  await expectAxeCleanInAllLooks(page);
  await dialog.getByRole("button", { name: "Close sheet…" }).press("Enter");
  const report = page.getByRole("dialog", { name: "Close sheet 8?" });
  await report.getByText(/^\d lines? needs? attention/).waitFor();
  await expectAxeCleanInAllLooks(page);
  await report.getByRole("button", { name: /^Close (sheet$|with)/ }).press("Enter");
  await said(page, "Sheet 8 is closed.");
  await expectAxeCleanInAllLooks(page);
});
