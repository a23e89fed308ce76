import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { makeVoters, type Voter } from "../../../scripts/local-stack/voters.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { restAsService, signInOverApi, syncSigners } from "../../support/demo.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";

const path = "/riverside/campaign/clean-water/signatures";
const firstSheet = 900_001; // of these tests alone

let browser: Browser;
let clerk: string;
let voters: Voter[];
beforeAll(async () => {
  browser = await startBrowser();
  clerk = (await signInOverApi("clerk@demo.test")).userId;
  voters = await unsignedVoters(60);
});
afterEach(async () => {
  for (const context of browser.contexts()) await context.close();
  await clean();
});
afterAll(() => browser.close());

async function clean() {
  await restAsService(`lines?sheet=gte.${firstSheet}`, { method: "DELETE" });
  await restAsService(`sheets?number=gte.${firstSheet}`, { method: "DELETE" });
  await syncSigners();
}

/** Voters who have not signed and whom name and house number tell from all others. */
async function unsignedVoters(count: number): Promise<Voter[]> {
  const all = makeVoters(20_000);
  const keyOf = ({ lastName, firstName, houseNumber }: Voter) => `${lastName} ${firstName} ${houseNumber}`;
  const times = Map.groupBy(all, keyOf);
  const plain = /^[A-Z][a-z]{2,}$/;
  const candidates = all
    .filter((voter) => times.get(keyOf(voter))?.length === 1)
    .filter(({ lastName, firstName }) => plain.test(lastName) && plain.test(firstName))
    .slice(0, count * 5);
  const ids = candidates.map(({ voterId }) => voterId).join(",");
  const accepted = "select=voter_id&campaign_id=eq.clean-water&verdict=eq.accepted";
  const rows = await restAsService(`lines?${accepted}&voter_id=in.(${ids})`, { method: "GET" });
  const signed = new Set(
    z
      .array(z.object({ voter_id: z.string() }))
      .parse(rows)
      .map(({ voter_id }) => voter_id),
  );
  return candidates.filter(({ voterId }) => !signed.has(voterId)).slice(0, count);
}

const voter = (index: number): Voter => {
  const found = voters[index];
  if (!found) throw new Error("There are not enough voters.");
  return found;
};

const rowSchema = z.array(
  z.object({
    id: z.string(),
    voter_id: z.string().nullable(),
    line: z.number(),
    entered_by: z.string(),
    entered_at: z.string(),
    removed_at: z.string().nullable(),
    signed_on: z.string().nullable(),
    verdict: z.string(),
  }),
);
const stored = async (which: "accepted" | "rejected", sheet: number) => {
  const verdict = `verdict=${which === "accepted" ? "eq" : "neq"}.accepted`;
  return rowSchema.parse(
    await restAsService(`lines?sheet=eq.${sheet}&${verdict}&order=entered_at,line`, { method: "GET" }),
  );
};
const live = async (sheet: number) => (await stored("accepted", sheet)).filter(({ removed_at }) => removed_at === null);

/** Opens the screen and starts a sheet, by keyboard alone. */
async function openScreen(sheet: number, options?: Parameters<typeof openPage>[2]) {
  const page = await openPage(browser, "clerk@demo.test", options);
  await page.goto(path);
  await startSheet(page, sheet);
  return page;
}

async function startSheet(page: Page, sheet: number) {
  await page.getByLabel("Number on the paper").waitFor();
  await page.waitForFunction(() => document.activeElement?.matches("input[name=sheet]"));
  await page.keyboard.type(String(sheet));
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: `Sheet Sheet ${sheet}` }).waitFor();
  await atLastName(page);
}

const atLastName = (page: Page) =>
  page.waitForFunction(() => document.activeElement?.matches("input[data-field=lastName]"));
const lineNumber = (page: Page) => page.getByLabel("Line", { exact: true }).inputValue();
const marked = (page: Page) => page.locator("[role=option][aria-selected=true]");
const shown = (page: Page, sheet: number, line: number) =>
  page.getByRole("listitem").filter({ hasText: new RegExp(`sheet ${sheet}, line ${line}(?!\\d)`) });

/** Types a voter until she is marked. Answers the keystrokes beyond the letters of the search. */
async function find(page: Page, { lastName, firstName, houseNumber }: Voter): Promise<number> {
  await atLastName(page);
  await page.keyboard.type(lastName);
  await page.keyboard.press("Tab");
  await page.keyboard.type(firstName);
  await page.keyboard.press("Tab");
  await page.keyboard.type(houseNumber);
  await marked(page)
    .filter({ hasText: `${lastName}, ${firstName}` })
    .filter({ hasText: houseNumber })
    .waitFor();
  await page.locator("[aria-busy=false] > [role=listbox]").waitFor();
  return 2;
}

/** Keys a line and accepts it. Answers the keystrokes beyond the letters of the search. */
async function accept(page: Page, who: Voter): Promise<number> {
  const line = Number(await lineNumber(page));
  const keystrokes = await find(page, who);
  await page.keyboard.press("Enter");
  await expect.poll(() => lineNumber(page)).toBe(String(line + 1));
  return keystrokes + 1;
}

/** The lines of a sheet are these voters, in this order, each once. */
async function expectStored(sheet: number, expected: Voter[]) {
  await expect.poll(async () => (await live(sheet)).length, { timeout: 30_000 }).toBe(expected.length);
  const rows = await live(sheet);
  expect(rows.map(({ voter_id }) => voter_id)).toEqual(expected.map(({ voterId }) => voterId));
  expect(rows.map(({ line }) => line)).toEqual(expected.map((_, index) => index + 1));
  expect(new Set(rows.map(({ entered_by }) => entered_by))).toEqual(new Set([clerk]));
}

test("30 lines by keyboard alone, at most 3 keystrokes a line beyond the search", { timeout: 180_000 }, async () => {
  const sheet = firstSheet;
  const page = await openScreen(sheet);
  const keystrokes: number[] = [];
  const layoutShift = await watchLayoutShift(page);
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));

  for (let index = 0; index < 10; index++) keystrokes.push(await accept(page, voter(index)));
  expect(await layoutShift()).toBeLessThan(0.01);
  await shown(page, sheet, 10).getByText("accepted").waitFor();

  // A duplicate: flagged before it is picked, refused by Enter, recorded by D.
  await find(page, voter(3));
  await marked(page).getByText("signed already").waitFor();
  await marked(page).getByText(`sheet ${sheet}, line 4`).waitFor();
  await page.keyboard.press("Enter");
  await page.getByText(/has signed already: .*D records the line as a duplicate/).waitFor();
  expect(await lineNumber(page)).toBe("11");
  await page.keyboard.press("d");
  await shown(page, sheet, 11).getByText("duplicate").waitFor();
  await atLastName(page);
  await expect.poll(async () => (await stored("rejected", sheet)).length).toBe(1);
  expect(await stored("rejected", sheet)).toMatchObject([
    { voter_id: voter(3).voterId, verdict: "duplicate", line: 11, entered_by: clerk },
  ]);

  // An undo while typing: the number goes back, and the voter can be entered again.
  await accept(page, voter(10));
  await page.keyboard.press("Control+Shift+Enter");
  await expect.poll(() => lineNumber(page)).toBe("12");
  await shown(page, sheet, 12).getByText("undone").first().waitFor();
  await expect.poll(async () => (await live(sheet)).length).toBe(10);

  // A reload in the middle of a line: what was typed, the sheet and the line are there.
  await atLastName(page);
  await page.keyboard.type(voter(10).lastName);
  await page.reload();
  await page.getByRole("button", { name: `Sheet Sheet ${sheet}` }).waitFor();
  await expect.poll(() => page.getByLabel("Last name").inputValue()).toBe(voter(10).lastName);
  expect(await lineNumber(page)).toBe("12");
  await atLastName(page);
  await page.keyboard.press("Escape");
  keystrokes.push(await accept(page, voter(10)));

  for (let index = 11; index < 20; index++) keystrokes.push(await accept(page, voter(index)));
  await shown(page, sheet, 21).getByText("accepted").waitFor();

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
    await shown(page, sheet, index + 2)
      .getByText("to be looked up")
      .waitFor();
  }
  await page.getByText("10 lines were kept as typed.").waitFor();
  await page.context().setOffline(false);
  await page.getByRole("button", { name: /^Look them up/ }).press("Enter");
  for (let index = 20; index < 30; index++) {
    const { lastName, firstName } = voter(index);
    await expect.poll(() => lineNumber(page)).toBe(String(index + 2));
    await marked(page)
      .filter({ hasText: `${lastName}, ${firstName}` })
      .waitFor();
    await page.locator("[aria-busy=false] > [role=listbox]").waitFor();
    await atLastName(page);
    await page.keyboard.press("Enter");
  }
  await expect.poll(() => lineNumber(page)).toBe("32");

  await expect.poll(async () => (await live(sheet)).length, { timeout: 30_000 }).toBe(30);
  const rows = await live(sheet);
  expect(rows.map(({ voter_id }) => voter_id)).toEqual(voters.slice(0, 30).map(({ voterId }) => voterId));
  expect(rows.map(({ line }) => line)).toEqual(
    [...Array(10).keys()].map((at) => at + 1).concat([...Array(20).keys()].map((at) => at + 12)),
  );
  expect(keystrokes).toHaveLength(30);
  expect(Math.max(...keystrokes)).toBeLessThanOrEqual(3);
  expect(requests.filter((url) => url.includes("/api/essearch-common"))).toEqual([]);
  expect(new URL(page.url()).search).toBe("");
});

test("ten accepted lines that cannot be sent wait, outlast a reload, and are sent in order, once", {
  timeout: 120_000,
}, async () => {
  const sheet = firstSheet + 1;
  const page = await openScreen(sheet);
  await cut(page);
  for (let index = 30; index < 35; index++) await accept(page, voter(index));
  await page.getByText("5 lines wait for the connection, will be sent on their own.").waitFor();
  await page.reload();
  await page.getByRole("button", { name: `Sheet Sheet ${sheet}` }).waitFor();
  for (let index = 35; index < 40; index++) await accept(page, voter(index));
  await page.getByText("10 lines wait for the connection, will be sent on their own.").waitFor();
  await shown(page, sheet, 1).getByText("waits").waitFor();
  await expectAxeClean(page);
  expect(await stored("accepted", sheet)).toEqual([]);

  await page.unroute("**/*");
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
  await shown(page, sheet, 10).getByText("accepted").waitFor();
  await expectStored(sheet, voters.slice(30, 40));
  expect(await page.getByText(/wait for the connection/).count()).toBe(0);
  expect(await keptEntries(page)).toBe(0);
});

test("an answer that is lost: the line is sent again and stored once; a closed tab loses nothing", async () => {
  const sheet = firstSheet + 2;
  const page = await openScreen(sheet);
  let lost = 0;
  await page.route(`**${path}`, async (route) => {
    if (route.request().method() !== "POST" || lost > 0) return route.continue();
    lost++;
    await route.fetch(); // it arrives, and is stored
    await route.abort();
  });
  await accept(page, voter(40));
  await shown(page, sheet, 1).getByText("accepted").waitFor();
  expect(lost).toBe(1);
  await expectStored(sheet, [voter(40)]);

  await cut(page);
  await accept(page, voter(41));
  await page.getByText("1 line waits for the connection").waitFor();
  const other = await page.context().newPage();
  await page.close();
  await other.goto(path);
  await expectStored(sheet, [voter(40), voter(41)]);
  await shown(other, sheet, 2).getByText("accepted").waitFor();
});

test("two tabs share what waits: sent once, shown in both; another clerk on the device sees nothing of it", async () => {
  const sheet = firstSheet + 3;
  const page = await openScreen(sheet);
  await cut(page);
  for (const index of [42, 43, 44]) await accept(page, voter(index));
  await page.getByText("3 lines wait for the connection").waitFor();

  const admin = await openPage(browser, "admin@demo.test");
  const cookies = await admin.context().cookies();
  const own = await page.context().cookies();
  await page.context().clearCookies();
  await page.context().addCookies(cookies);
  const theirs = await page.context().newPage();
  await theirs.goto(path);
  await theirs.getByLabel("Number on the paper").waitFor();
  expect(await theirs.getByText(`sheet ${sheet}`).count()).toBe(0);
  await theirs.close();
  expect(await stored("accepted", sheet)).toEqual([]);

  await page.context().clearCookies();
  await page.context().addCookies(own);
  const second = await page.context().newPage();
  await second.goto(path);
  await expectStored(sheet, [voter(42), voter(43), voter(44)]);
  await shown(second, sheet, 3).getByText("accepted").waitFor();
  await page.unroute("**/*");
  await shown(page, sheet, 3).getByText("accepted").waitFor();
  expect(await page.getByText(/wait for the connection/).count()).toBe(0);
  expect(await stored("accepted", sheet)).toHaveLength(3);
});

test("a session that ended: says so, loses nothing, and goes on after the sign-in", async () => {
  const sheet = firstSheet + 4;
  const page = await openScreen(sheet);
  await find(page, voter(45));
  const cookies = await page.context().cookies();
  await page.context().clearCookies();
  await page.keyboard.press("Enter");
  await page.getByText("Your session has ended, and 1 line waits. Sign in again; nothing is lost.").waitFor();
  const link = await page.getByRole("link", { name: "Sign in again" }).getAttribute("href");
  expect(link).toBe(`/login?next=${path}`);
  expect(await stored("accepted", sheet)).toEqual([]);
  await page.context().addCookies(cookies);
  await page.evaluate(() => window.dispatchEvent(new Event("focus")));
  await expectStored(sheet, [voter(45)]);
  await shown(page, sheet, 1).getByText("accepted").waitFor();
});

test("a duplicate that is found while sending is shown as one", async () => {
  const sheet = firstSheet + 5;
  const page = await openScreen(sheet);
  await page.route("**/api/duplicate/batch", (route) => route.fulfill({ status: 503, json: { error: "away" } }));
  await page.route("**/api/signatures/signed", (route) => route.fulfill({ status: 503, json: { error: "away" } }));
  await find(page, voter(46));
  await marked(page).getByText("not checked").waitFor();
  await restAsService("lines", {
    method: "POST",
    body: {
      ...{ team_id: "riverside", campaign_id: "clean-water", voter_id: voter(46).voterId },
      ...{ verdict: "accepted", sheet: firstSheet + 6, line: 7, entered_by: clerk },
    },
  });
  await page.keyboard.press("Enter");
  await shown(page, sheet, 1)
    .getByText(`duplicate of sheet ${firstSheet + 6}, line 7`)
    .waitFor();
  await page.getByText(/has signed already: the line is kept as a duplicate/).waitFor();
  expect(await stored("accepted", sheet)).toEqual([]);
  expect(await stored("rejected", sheet)).toMatchObject([{ verdict: "duplicate", voter_id: voter(46).voterId }]);
});

test("a refused line shows why, does not hold up those behind it, and can be corrected", async () => {
  const sheet = firstSheet + 7;
  const page = await openScreen(sheet);
  await page.getByLabel("Day signed").fill("2999-01-01");
  await page.getByLabel("Last name").focus();
  await accept(page, voter(47));
  await shown(page, sheet, 1).getByText("is in the future").waitFor();
  await page.getByLabel("Day signed").fill("");
  await page.getByLabel("Last name").focus();
  await accept(page, voter(48));
  await shown(page, sheet, 2).getByText("accepted").waitFor();
  await expectAxeClean(page);
  await page.reload();
  await shown(page, sheet, 1).getByText("is in the future").waitFor();
  await shown(page, sheet, 1).getByRole("button", { name: "Correct" }).press("Enter");
  expect(await lineNumber(page)).toBe("1");
  await marked(page)
    .filter({ hasText: voter(47).lastName })
    .waitFor();
  expect(await page.getByLabel("Day signed").inputValue()).toBe("2999-01-01");
  await page.getByLabel("Day signed").fill("");
  await page.getByLabel("Last name").focus();
  await page.keyboard.press("Escape");
  await find(page, voter(47));
  await page.keyboard.press("Enter");
  await expect.poll(() => lineNumber(page)).toBe("3"); // it goes on where it was
  await expect
    .poll(async () => (await live(sheet)).map(({ line, voter_id }) => [line, voter_id]))
    .toEqual([
      [2, voter(48).voterId],
      [1, voter(47).voterId],
    ]);
  expect(await keptEntries(page)).toBe(0);
});

test("a line whose place is taken stays with what stands there, does not hold up those behind it, and is stored under its own number", async () => {
  const sheet = firstSheet + 13;
  const page = await openScreen(sheet);
  await restAsService("lines", {
    method: "POST",
    body: {
      ...{ team_id: "riverside", campaign_id: "clean-water", verdict: "illegible", sheet, line: 1, entered_by: clerk },
    },
  });
  await accept(page, voter(51));
  const taken = new RegExp(
    `Sheet ${sheet}, line 1 is taken: illegible, keyed by Rosa Lindqvist on .*have the other one`,
  );
  await shown(page, sheet, 1).getByText(taken).waitFor();
  await accept(page, voter(52));
  await shown(page, sheet, 2).getByText("accepted").waitFor();
  await expectAxeClean(page);
  await page.reload();
  await shown(page, sheet, 1).getByText(taken).waitFor();
  expect((await live(sheet)).map(({ line }) => line)).toEqual([2]);
  await shown(page, sheet, 1).getByRole("button", { name: "Correct" }).press("Enter");
  await page.getByLabel("Line", { exact: true }).fill("3");
  await page.getByLabel("Last name").focus();
  await page.keyboard.press("Escape");
  await find(page, voter(51));
  await page.keyboard.press("Enter");
  await expect
    .poll(async () => (await live(sheet)).map(({ line, voter_id }) => [line, voter_id]))
    .toEqual([
      [2, voter(52).voterId],
      [3, voter(51).voterId],
    ]);
  expect(await keptEntries(page)).toBe(0);
});

test("a line signed outside the campaign's days says so, and is kept as one", async () => {
  const sheet = firstSheet + 14;
  const page = await openScreen(sheet);
  await page.getByLabel("Day signed").fill("2020-01-01");
  await page.getByLabel("Last name").focus();
  await accept(page, voter(53));
  await shown(page, sheet, 1)
    .getByText(
      /The day signed, Jan 1, 2020, is outside the campaign's days, from .* or record the line as outside dates/,
    )
    .waitFor();
  expect(await stored("accepted", sheet)).toEqual([]);
  await shown(page, sheet, 1).getByRole("button", { name: "Correct" }).press("Enter");
  await marked(page)
    .filter({ hasText: voter(53).lastName })
    .waitFor();
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("e");
  await shown(page, sheet, 1).getByText("outside dates").waitFor();
  await expect
    .poll(() => stored("rejected", sheet))
    .toMatchObject([{ verdict: "outside-dates", line: 1, signed_on: "2020-01-01" }]);
  expect(await keptEntries(page)).toBe(0);
});

test("letters are keys while the voters have the focus, and letters while someone types; ? lists them", async () => {
  const sheet = firstSheet + 8;
  const page = await openScreen(sheet);
  await page.keyboard.type("dnirteous?");
  expect(await page.getByLabel("Last name").inputValue()).toBe("dnirteous?");
  await page.keyboard.press("Escape");
  await page.keyboard.type("Zzqx");
  await page.getByRole("heading", { name: "No voter matches" }).waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("n");
  await shown(page, sheet, 1).getByText("not found").waitFor();
  await atLastName(page);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("i");
  await shown(page, sheet, 2).getByText("illegible").waitFor();
  await atLastName(page);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("o");
  await page.getByRole("dialog").getByLabel("Reason").waitFor();
  await page.keyboard.type("signed twice on the paper");
  await page.keyboard.press("Enter");
  await shown(page, sheet, 3).getByText("other reason").waitFor();
  await atLastName(page);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("u");
  await shown(page, sheet, 3).getByText("undone").waitFor();
  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keys of this screen" });
  await dialog.getByText("Undo the last line, also while typing").waitFor();
  await page.keyboard.press("Escape");
  await expect
    .poll(async () => (await stored("rejected", sheet)).filter(({ removed_at }) => removed_at === null))
    .toMatchObject([
      { verdict: "not-found", line: 1 },
      { verdict: "illegible", line: 2 },
    ]);
});

describe("who may what", () => {
  test("with signatures.view alone: sheets and lines, no form, nothing to remove", async () => {
    await openScreen(firstSheet + 9);
    const page = await openPage(browser, "staff@demo.test");
    await page.goto(path);
    await page.getByRole("heading", { name: "Open sheets" }).waitFor();
    await page
      .getByText(/Rosa Lindqvist since/)
      .first()
      .waitFor();
    expect(await page.getByLabel("Last name").count()).toBe(0);
    expect(await page.getByRole("button", { name: /Undo|Remove|Resume/ }).count()).toBe(0);
    await page.goto(`${path}?sheet=3`);
    await page.getByRole("heading", { name: "Sheet 3" }).waitFor();
    await expectAxeClean(page);
  });

  test("without signatures.view: a refusal, no entry in the sidebar, and no state", async () => {
    const page = await openPage(browser, "canvasser@demo.test");
    await page.goto(path);
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

  test("with signatures.remove: another's line, from its sheet", async () => {
    const sheet = firstSheet + 10;
    const page = await openScreen(sheet);
    await accept(page, voter(49));
    await expectStored(sheet, [voter(49)]);
    const admin = await openPage(browser, "admin@demo.test");
    await admin.goto(`${path}?sheet=${sheet}`);
    await shown(admin, sheet, 1).getByRole("button", { name: "Remove" }).press("Enter");
    await shown(admin, sheet, 1).getByText("removed").waitFor();
    await expect.poll(() => live(sheet)).toEqual([]);
  });
});

test("the voter search of the campaign says who has signed, and to those who may, where", async () => {
  const sheet = firstSheet + 11;
  const page = await openScreen(sheet);
  await accept(page, voter(50));
  await shown(page, sheet, 1).getByText("accepted").waitFor();
  const { lastName, firstName, houseNumber } = voter(50);
  for (const [who, details] of [
    ["clerk", `sheet ${sheet}, line 1`],
    ["canvasser", null],
  ] as const) {
    const search = await openPage(browser, `${who}@demo.test`);
    await search.goto("/riverside/campaign/clean-water/voters");
    await atLastName(search);
    await search.keyboard.type(lastName);
    await search.getByLabel("First name").fill(firstName);
    await search.getByLabel("House no.").fill(houseNumber);
    const badge = search.locator("tbody td:visible").getByText("signed already");
    await badge.waitFor();
    if (details) await search.locator(`[title*="${details}"]`).first().waitFor({ state: "attached" });
    else expect(await badge.getAttribute("title")).toBeNull();
    await expectAxeClean(search);

    await search.route("**/api/duplicate/batch", (route) => route.fulfill({ status: 503, json: { error: "away" } }));
    await search.route("**/api/signatures/signed", (route) => route.fulfill({ status: 503, json: { error: "away" } }));
    await search.getByLabel("House no.").fill("");
    await search.locator("tbody td:visible").getByText("not checked").first().waitFor();
    expect(await search.getByText("signed already").count()).toBe(0);
  }
});

describe("all states, light and dark, wide and on a phone: readable to all, nothing cut off", () => {
  test.each([
    { width: 1280, colorScheme: "light" },
    { width: 1280, colorScheme: "dark" },
    { width: 375, colorScheme: "light" },
    { width: 375, colorScheme: "dark" },
  ] as const)("$width px, $colorScheme", async (options) => {
    const page = await openPage(browser, "clerk@demo.test", options);
    await page.goto(path);
    await page.getByLabel("Number on the paper").waitFor();
    await expectAxeClean(page);
    await startSheet(page, firstSheet + 12);
    await page.keyboard.type("smi");
    await page.getByText("signed already").first().waitFor();
    await expectAxeClean(page);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Sheet Sheet/ }).click();
    await page.getByRole("heading", { name: "Sheets" }).waitFor();
    await expectAxeClean(page);
  });
});

/** Cuts what sends lines, and leaves the search. */
async function cut(page: Page) {
  await page.route("**/*", (route) => {
    const request = route.request();
    const sends =
      request.url().includes("/api/permissions/fingerprint") || request.headers()["next-action"] !== undefined;
    return sends ? route.abort("internetdisconnected") : route.fallback();
  });
}

const keptEntries = (page: Page) =>
  page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("signet:entries:")).length);

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
