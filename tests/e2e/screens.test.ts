import { spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { openPage, startBrowser } from "../support/browser.ts";
import { signInOverApi } from "../support/demo.ts";
import { ownEnvironment } from "../support/own-environment.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const { userId: staff } = await signInOverApi("staff@demo.test");
const screens: [who: string | null, path: string, shows: string][] = [
  [null, "/login", "Sign in"],
  [null, "/login?problem=link", "Sign in"],
  ["admin", "/", "Your teams"],
  ["outsider", "/", "No access yet"],
  ["suspended", "/", "No access yet"],
  ["admin", "/riverside", "Campaigns"],
  ["admin", "/riverside/members", "Members"],
  ["admin", `/riverside/members/${staff}?why=charts.view&in=clean-water`, "Jun Park"],
  ["admin", "/riverside/members/nobody", "Not a member of this team"],
  ["admin", "/riverside/roles", "Roles"],
  ["admin", "/riverside/activity", "Activity"],
  ["staff", "/riverside/roles", "You can't open the roles of Riverside"],
  [null, "/invitation/nothing", "This invitation is not open"],
  ["admin", "/riverside/campaign/clean-water", "Overview"],
  ["canvasser", "/riverside/voters", "Voters"],
  ["canvasser", "/riverside/campaign/clean-water/voters", "Voters"],
  ["clerk", "/riverside/campaign/clean-water/signatures", "Signatures"],
  ["staff", "/riverside/campaign/clean-water/signatures", "Signatures"],
  ["canvasser", "/riverside/campaign/clean-water/signatures", "You can't open the signatures of Clean water"],
  ["analyst", "/riverside/campaign/clean-water/dashboard", "Dashboard"],
  ["analyst", "/riverside/campaign/clean-water/dashboard/charts/new", "New chart"],
  ["clerk", "/riverside/campaign/clean-water/dashboard", "You can't open the dashboard of Clean water"],
  ["staff", "/riverside/campaign/clean-water/dashboard/charts/new", "You can't open the chart builder of Clean water"],
  ["analyst", "/riverside/voters", "You can't open the voter search of Riverside"],
  ["canvasser", "/riverside/members", "You can't open the members of Riverside"],
  ["staff", "/riverside/campaign/no-access", "You can't open this campaign"],
  ["admin", "/riverside/there/is/nothing", "There is no page at this address"],
];

describe("each screen, light and dark, wide and on a phone: readable to all, nothing cut off", () => {
  test.each(screens)("%s %s", async (who, path, shows) => {
    const page = await openPage(browser, who && `${who}@demo.test`);
    const problems: string[] = [];
    page.on("pageerror", (error) => problems.push(String(error)));
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().includes("404")) problems.push(message.text());
    });
    for (const width of [1280, 375]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(path);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await page.getByRole("heading", { level: 1, name: shows }).waitFor();
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
        const [content, view] = await page.evaluate(() => [document.documentElement.scrollWidth, window.innerWidth]);
        expect(content).toBeLessThanOrEqual(view ?? 0);
        expect(problems).toEqual([]);
      }
    }
    await page.context().close();
  });
});

test("the shell by keyboard alone: skip link, switchers, menu, sign-out", async () => {
  const page = await openPage(browser, "admin@demo.test");
  await page.goto("/riverside");
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/skip/i);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.keyboard.type("clean");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  expect(new URL(page.url()).pathname).toBe("/riverside/campaign/clean-water");
  await page.getByRole("button", { name: "admin@demo.test" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
  await page.goto("/riverside");
  expect(new URL(page.url()).pathname).toBe("/login");
  await page.context().close();
});

test("no credential, name of one, or backend address is in what browsers load", () => {
  const chunks = globSync(".next/static/**/*.js").map((file) => readFileSync(file, "utf8"));
  expect(chunks.length).toBeGreaterThan(5);
  for (const secret of [
    "SEARCHSVC_",
    "searchsvc_token",
    "SUPABASE_SECRET_KEY",
    "sb_secret",
    "sb_publishable",
    "essearch/validation",
  ]) {
    expect([secret, chunks.filter((chunk) => chunk.includes(secret)).length]).toEqual([secret, 0]);
  }
});

test("no page loads more than 200 KB of JavaScript first", () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/first-load.ts"], {
    env: { ...ownEnvironment, SIGNET_LOCAL: inject("signet").folder },
    encoding: "utf8",
  });
  expect([status, stderr.replaceAll(/.*Warning.*\n/g, "")], stdout).toEqual([0, ""]);
  expect(stdout.match(/KB {2}\//g)).toHaveLength(13);
});
