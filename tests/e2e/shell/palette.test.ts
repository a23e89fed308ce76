import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { paletteResponseSchema } from "@/lib/palette/responses";
import { openPage } from "../../support/browser.ts";
import { siteUrl } from "../../support/demo.ts";
import { openEntry } from "../../support/entry-screen.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { createOwnTeam } from "../../support/own-team.ts";
import { cookieOf } from "../../support/session-cookies.ts";

const water = "/riverside/campaign/clean-water";
const paletteDialog = (page: Page) => page.getByRole("dialog", { name: "Go to" });
const options = (page: Page) => paletteDialog(page).getByRole("option");
const pathOf = (page: Page) => new URL(page.url()).pathname;
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();

async function typeInPalette(page: Page, text: string) {
  // The document handles keys later than the buttons do.
  await vi.waitFor(async () => {
    await page.keyboard.press("Control+k");
    await paletteDialog(page).waitFor({ timeout: 1_000 });
  }, 10_000);
  await page.keyboard.type(text);
}

test.each<[string, string[], (string | null)[]]>([
  ["admin", ["riverside"], ["clean-water"]],
  ["analyst", [], ["clean-water"]],
  ["canvasser", [], []],
  ["hill", ["hillside"], []],
  ["suspended", [], []],
])("%s gets the names of members of %j and charts of %j", async (who, teams, campaigns) => {
  const response = await fetch(`${siteUrl}/api/go`, { headers: { cookie: await cookieOf(who) } });
  const { members, charts } = paletteResponseSchema.parse(await response.json());
  expect([...new Set(members.map(({ team }) => team))]).toEqual(teams);
  expect([...new Set(charts.map(({ campaign }) => campaign))]).toEqual(campaigns);
});

test("the palette opens members, charts and pages by keyboard, only permitted ones, recent ones first", async () => {
  const page = await openPage("staff@demo.test");
  await page.goto(`${water}/voters`);
  await typeInPalette(page, "ada mor");
  await options(page).filter({ hasText: "Member of Riverside" }).waitFor();
  await expectAxeClean(page);
  await page.keyboard.press("Enter");
  await heading(page, "Ada Moreno");

  await typeInPalette(page, "by county");
  await options(page).filter({ hasText: "Chart in Clean water" }).first().waitFor();
  await page.keyboard.press("Enter");
  await heading(page, "Dashboard");
  const chart = new URL(page.url()).hash.slice(1);
  await expect.poll(() => page.locator(`[id="${chart}"]`).innerText()).toMatch(/by county/i);

  await typeInPalette(page, "");
  expect((await options(page).allInnerTexts()).slice(0, 3).map((text) => text.split("\n")[0])).toEqual([
    expect.stringMatching(/by county/i),
    "Ada Moreno",
    "Voters",
  ]);
  await page.keyboard.type("roles");
  await expect
    .poll(() => options(page).allInnerTexts())
    .toEqual([expect.stringContaining("Search voters for “roles”")]);
  await page.keyboard.press("Escape");
  await paletteDialog(page).waitFor({ state: "detached" });

  await page.getByRole("button", { name: /^Account/ }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await heading(page, "Sign in");
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("signet:recent")))).toEqual(
    [],
  );
});

test("people without members and charts find none, and search for voters without the address", async () => {
  const page = await openPage("canvasser@demo.test", { width: 375, colorScheme: "dark" });
  const addresses: string[] = [];
  page.on("request", (request) => addresses.push(request.url()));
  await page.goto(water);
  await typeInPalette(page, "moreno");
  await paletteDialog(page).getByText("Search voters for “moreno”").waitFor();
  await expect.poll(() => options(page).count()).toBe(1);
  await expectAxeClean(page);
  await page.keyboard.press("Enter");
  await heading(page, "Voters");
  const box = page.getByRole("combobox", { name: "Name, address, ZIP code, or voter ID" });
  await expect.poll(() => box.inputValue()).toBe("moreno");
  // The same on the page of voters.
  await typeInPalette(page, "park");
  await page.keyboard.press("Enter");
  await expect.poll(() => box.inputValue()).toBe("park");
  expect(addresses.filter((address) => /moreno|park$/.test(address))).toEqual([]);
  expect(await page.evaluate(() => [sessionStorage.length, JSON.stringify(localStorage)])).toEqual([
    0,
    expect.not.stringMatching(/moreno/),
  ]);
});

test("in signature entry Esc returns to the field with its caret and text", async () => {
  const own = await createOwnTeam({ clerk: { team: "Field team", campaign: "Signature clerk" } });
  const page = await openEntry(own, { sheet: 1, email: own.people.clerk.email });
  await page.keyboard.type("smih");
  await page.keyboard.press("ArrowLeft");
  await typeInPalette(page, "zzz");
  await page.keyboard.press("Escape");
  await paletteDialog(page).waitFor({ state: "detached" });
  await page.keyboard.type("t");
  await expect.poll(() => page.locator("input[data-field=lastName]").inputValue()).toBe("smith");
  // While another dialog is open, the key does nothing.
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+Shift+9");
  const sheet = page.getByRole("dialog");
  await sheet.waitFor();
  await page.keyboard.press("Control+k");
  expect(await page.getByRole("dialog").count()).toBe(1);
  expect(await paletteDialog(page).count()).toBe(0);
});

test("switching keeps the page, and a missing page keeps the sidebar and suggests others", async () => {
  const page = await openPage("admin@demo.test");
  await page.goto(`${water}/voters`);
  await page.getByRole("button", { name: "Switch campaign, current: Clean water" }).click();
  await page.getByRole("option", { name: "Open parks" }).click();
  await page.waitForURL("**/riverside/campaign/open-parks/voters");

  const response = await page.goto(`${water}/votrs`);
  expect(response?.status()).toBe(404);
  await heading(page, "Page not found");
  await page.getByRole("main").getByRole("link").first().click();
  await heading(page, "Voters");
  expect(pathOf(page)).toBe(`${water}/voters`);
});

test("someone on one team reaches the page of all teams", async () => {
  const page = await openPage("admin@demo.test");
  await page.goto("/");
  await page.getByRole("button", { name: "Switch team, current: Riverside" }).click();
  await page.getByRole("link", { name: "All teams" }).click();
  await heading(page, "Your teams");
});

test("a redirect to / explains why on the page, not in the address", async () => {
  const page = await openPage("hill@demo.test");
  await page.goto(`${water}/voters`);
  await heading(page, "Your teams");
  expect([pathOf(page), new URL(page.url()).search]).toEqual(["/", ""]);
  await page.getByRole("main").getByText("There's no team at this address, or you're not a member of it.").waitFor();
});

test("a slow navigation shows its progress, from a link and from a form", async () => {
  const page = await openPage("admin@demo.test", { width: 900 });
  await page.goto("/riverside/members");
  let released = Promise.withResolvers<void>();
  await page.route(/_rsc=/, async (route) => {
    await released.promise;
    await route.continue();
  });
  const bar = page.getByRole("progressbar", { name: "Loading the page" });
  await page.getByRole("link", { name: "Ada Moreno" }).click();
  await bar.waitFor();
  released.resolve();
  await heading(page, "Ada Moreno");
  await bar.waitFor({ state: "detached" });
  await page.goto("/riverside/roles?show=who");
  released = Promise.withResolvers<void>();
  await page.getByRole("button", { name: "Show people" }).click();
  await bar.waitFor();
  released.resolve();
  await bar.waitFor({ state: "detached" });
});
