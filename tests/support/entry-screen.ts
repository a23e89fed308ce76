import type { Page } from "playwright-core";
import { expect } from "vitest";
import { z } from "zod";
import { makeVoters, type Voter } from "../../scripts/demo-data/voters.ts";
import { openPage, type PageOptions } from "./browser.ts";
import { restAsService } from "./demo.ts";

/** A campaign that `createOwnTeam` has made. */
type Own = { team: string; campaign: string; path: string };

/** The details of a sheet. */
type Details = { circulator?: string; day?: string; signatures?: number };

/** A page with the entry screen, at line 1 of a new sheet that was started by keyboard. */
export async function openEntry(
  { path }: Own,
  { sheet, email, paper, ...options }: { sheet: number; email: string; paper?: Details } & PageOptions,
) {
  const page = await openPage(email, options);
  await page.goto(`${path}/signatures`);
  await startSheet(page, sheet, paper);
  return page;
}

export async function startSheet(page: Page, sheet: number, { circulator, day, signatures }: Details = {}) {
  await page.waitForFunction(() => document.activeElement?.matches("input[name=sheet]"));
  await page.keyboard.type(String(sheet));
  if (circulator !== undefined) await page.getByLabel("Circulator").fill(circulator);
  if (day !== undefined) await page.getByLabel("Date collected").fill(day);
  if (signatures !== undefined) await page.getByLabel("Signatures on the sheet").fill(String(signatures));
  await page.keyboard.press("Enter");
  await atSheet(page, sheet);
}

/** Waits until the sheet is open and the last name has the focus. */
export async function atSheet(page: Page, sheet: number) {
  await page.getByRole("button", { name: `Sheet ${sheet}`, exact: true }).waitFor();
  await atLastName(page);
}

export const atLastName = (page: Page) =>
  page.waitForFunction(() => document.activeElement?.matches("input[data-field=lastName]"));

/** The number in the field of the line; empty if the sheet is full. */
export const lineNumber = (page: Page) => page.getByLabel("Line", { exact: true }).inputValue();

/** The selected voter in the list, which Enter acts on. */
export const marked = (page: Page) =>
  page.getByRole("listbox", { name: "Voters found" }).getByRole("option").and(page.locator("[aria-selected=true]"));

/** The button that says what Enter does. */
export const enterButton = (page: Page) =>
  page.getByRole("group", { name: "Enter the line" }).getByRole("button").first();

const notSent = "[title$='not sent yet']";

/** A line of the sheet on the screen, stored or not. */
export const lineOf = (page: Page, line: number, words = "") =>
  page.getByRole("button", { name: new RegExp(`^Line ${line}: .*${words}`) });
export const storedLine = (page: Page, line: number, words = "") =>
  lineOf(page, line, words).and(page.locator(`[title]:not(${notSent})`));
export const waitingLine = (page: Page, line: number, words = "") =>
  lineOf(page, line, words).and(page.locator(notSent));

/** Waits for a status message. */
export const said = (page: Page, text: string | RegExp) =>
  page.getByRole("status").filter({ hasText: text }).first().waitFor();

/** Presses Ctrl and Shift with a digit. */
export const chord = (page: Page, digit: number) => page.keyboard.press(`Control+Shift+Digit${digit}`);

/** Waits until dialogs are gone: closing ones still take key presses. One closed dialog is always in the document. */
export async function dialogsGone(page: Page) {
  const permanent = "[aria-labelledby=sign-in-again]";
  await expect.poll(() => page.locator(`dialog[open], dialog:not(${permanent}), [role=dialog]`).count()).toBe(0);
}

/** Types a voter until they are marked with whether they have signed. Returns the keystrokes beyond the letters. */
export async function find(page: Page, { lastName, firstName, houseNumber }: Voter): Promise<number> {
  await atLastName(page);
  await page.keyboard.type(lastName);
  expect(await page.getByLabel("Last name").inputValue()).toBe(lastName);
  await page.keyboard.press("Tab");
  await page.keyboard.type(firstName);
  await page.keyboard.press("Tab");
  await page.keyboard.type(houseNumber);
  await marked(page)
    .filter({ hasText: `${lastName}, ${firstName}` })
    .filter({ hasText: houseNumber })
    .waitFor();
  await page.locator("[aria-busy=false] > [role=listbox]").waitFor();
  await page.waitForFunction(
    (button) =>
      /^(Enter as valid: .|Replace with .|Change to valid: .|(Enter as|Change to) duplicate)/.test(
        button?.textContent ?? "",
      ),
    await enterButton(page).elementHandle(),
  );
  return 2;
}

/** Enters a line and accepts it. Returns the keystrokes beyond the letters of the search. */
export async function accept(page: Page, who: Voter): Promise<number> {
  const line = await lineNumber(page);
  const keystrokes = await find(page, who);
  await page.keyboard.press("Enter");
  await expect.poll(() => lineNumber(page)).not.toBe(line);
  return keystrokes + 1;
}

/** Finds voters by a number, whose name and house number no other voter has. */
export function distinctVoters(): (index: number) => Voter {
  const all = makeVoters(20_000);
  const keyOf = ({ lastName, firstName, houseNumber }: Voter) => `${lastName} ${firstName} ${houseNumber}`;
  const times = Map.groupBy(all, keyOf);
  const plain = /^[A-Z][a-z]{2,}$/;
  const distinct = all
    .filter((voter) => times.get(keyOf(voter))?.length === 1)
    .filter(({ lastName, firstName }) => plain.test(lastName) && plain.test(firstName));
  return (index) => {
    const voter = distinct[index];
    if (!voter) throw new Error("There are not enough voters.");
    return voter;
  };
}

export const nameOf = ({ lastName, firstName }: Voter) => `${lastName}, ${firstName}`;

const rowSchema = z.array(
  z.object({
    id: z.string(),
    voter_id: z.string().nullable(),
    sheet: z.number(),
    line: z.number(),
    entered_by: z.string(),
    removed_at: z.string().nullable(),
    signed_on: z.string().nullable(),
    note: z.string().nullable(),
    last_name: z.string().nullable(),
    verdict: z.string(),
  }),
);

/** The live lines of a sheet, in the order in which they were stored. */
export async function liveLines({ campaign }: Own, sheet: number) {
  const live = `campaign_id=eq.${campaign}&sheet=eq.${sheet}&removed_at=is.null`;
  return rowSchema.parse(await restAsService(`lines?${live}&order=entered_at,line`, { method: "GET" }));
}

/** Stores a line over REST. */
export const insertLine = ({ team, campaign }: Own, line: Record<string, string | number | null>) =>
  restAsService("lines", { method: "POST", body: { team_id: team, campaign_id: campaign, ...line } });

/** Blocks sending lines, but not the search. */
export const cutSending = (page: Page) =>
  page.route("**/api/signatures", (route) => route.abort("internetdisconnected"));

const state = "**/api/signatures/state?*";

/** Blocks reading the sheet again, so that the screen misses what others store, and waits for pending requests. */
export async function cutReading(page: Page) {
  await page.route(state, (route) => route.abort());
  await page.waitForTimeout(500);
}

export const joinReading = (page: Page) => page.unroute(state);

/** Allows sending again, and notifies the screen. */
export async function joinSending(page: Page) {
  await page.unroute("**/api/signatures");
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
}

/** The number of pending entries on the device. */
export const pendingEntries = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("signet:entries:")).length);
