import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cookieHeader } from "../../../scripts/local-stack/session-cookies.ts";
import { signersKey } from "../../../supabase/functions/_shared/signers.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { siteUrl } from "../../support/demo.ts";
import { connectToRedis } from "../../support/epochs.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { sessionCookies } from "../../support/session-cookies.ts";

const path = "/riverside/campaign/safe-streets";
const set = signersKey("safe-streets");
const redis = connectToRedis();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  redis.disconnect();
  await browser.close();
});

test("an administrator rebuilds the duplicate check by keyboard and is told what differed", async () => {
  const page = await openPage(browser, "admin@demo.test");
  await page.goto(path);
  const check = page.getByRole("region", { name: "Duplicate check" });
  await check.getByText(/^28 signers, built \w/).waitFor();
  const [missing = ""] = await redis.smembers(set);
  await redis.srem(set, missing);
  await redis.sadd(set, "stranger", "another");
  await check.getByRole("button", { name: "Rebuild" }).focus();
  await page.keyboard.press("Enter");
  await check
    .getByText("Rebuilt: 28 lines read; 1 signer added who was missing, 2 signers dropped who had no line.")
    .waitFor();
  expect(await redis.smismember(set, missing, "stranger", "another")).toEqual([1, 0, 0]);
  await check.getByText(/^28 signers, built \w/).waitFor();
  await expectAxeClean(page);
  await page.context().close();
});

test.each(["staff", "clerk"])("%s, who may not remove others' lines, is not offered it", async (name) => {
  const page = await openPage(browser, `${name}@demo.test`);
  await page.goto("/riverside/campaign/clean-water");
  await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  expect(await page.getByText("Duplicate check").count()).toBe(0);
  await page.context().close();
});

test.each(["staff", "clerk", "hill", "suspended", "outsider", null])(
  "the action called directly by %s is refused, and nothing has changed",
  async (name) => {
    const address = `${siteUrl}/riverside/campaign/clean-water`;
    const adminCookie = cookieHeader(await sessionCookies("admin@demo.test"));
    const html = await (await fetch(address, { headers: { cookie: adminCookie } })).text();
    const form = html.match(/<form\b.*?<\/form>/gs)?.find((one) => one.includes("Rebuild")) ?? "";
    const fields = [...form.matchAll(/<input type="hidden" name="([^"]*)"(?: value="([^"]*)")?/g)];
    expect(fields.map(([, field]) => field)).toEqual(expect.arrayContaining(["team", "campaign"]));
    const body = new FormData();
    for (const [, field = "", value = ""] of fields)
      body.append(field, value.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
    await redis.sadd(signersKey("clean-water"), "stranger");
    const cookie = name ? cookieHeader(await sessionCookies(`${name}@demo.test`)) : "";
    const response = await fetch(address, {
      method: "POST",
      headers: { cookie, origin: siteUrl },
      body,
      redirect: "manual",
    });
    expect(await response.text()).not.toContain("Rebuilt");
    expect(await redis.srem(signersKey("clean-water"), "stranger")).toBe(1);
  },
);

test("GET /api/signers/progress tells how far it is to those who may rebuild, and refuses the others", async () => {
  const ask = async (name: string | null, query: string) => {
    const cookie = name ? cookieHeader(await sessionCookies(`${name}@demo.test`)) : "";
    const response = await fetch(`${siteUrl}/api/signers/progress${query}`, { headers: { cookie } });
    expect(response.headers.get("cache-control")).toBe("no-store");
    return [response.status, await response.json()];
  };
  const query = "?team=riverside&campaign=safe-streets";
  expect(await ask("admin", query)).toEqual([200, { members: 28, builtAt: expect.any(String), running: null }]);
  expect(await ask("admin", "?team=riverside")).toEqual([400, { error: "campaign must be a text." }]);
  expect(await ask(null, query)).toEqual([401, { error: "Your session has ended. Sign in again." }]);
  const key = 'This needs "Remove signatures of others" (signatures.remove). Ask an administrator of the team for it.';
  expect(await ask("clerk", "?team=riverside&campaign=clean-water")).toEqual([403, { error: key }]);
  const closed = [403, { error: "This campaign is not open to you. Ask an administrator of its team for access." }];
  expect(await ask("hill", query)).toEqual(closed);
  expect(await ask("outsider", query)).toEqual(closed);
});
