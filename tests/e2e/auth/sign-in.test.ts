import { randomUUID } from "node:crypto";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { hiddenFieldsOf } from "../../../harness/member-form.ts";
import { decodeSession, encodeSession } from "../../../harness/session.ts";
import { openPage, submitSignIn } from "../../support/browser.ts";
import { siteUrl } from "../../support/demo.ts";
import { sessionCookies } from "../../support/session-cookies.ts";

const ofSession = (name: string) => /^sb-.+-auth-token(\.\d+)?$/.test(name);
async function cookiesOf(page: Page) {
  return (await page.context().cookies(siteUrl)).map(({ name, httpOnly, sameSite, path, secure }) => ({
    name: ofSession(name) ? "session" : name,
    flags: { httpOnly, sameSite, path, secure },
  }));
}
const flags = { httpOnly: true, sameSite: "Lax", path: "/", secure: false };

test("scripts can't read the cookies of a sign-in, and signing out ends the session but keeps the browser known", async () => {
  const page = await openPage(null);
  await page.goto("/login");
  await submitSignIn(page, "admin@demo.test");
  await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor();
  const cookies = await cookiesOf(page);
  expect(new Set(cookies.map(({ name }) => name))).toEqual(new Set(["session", "signet_device"]));
  for (const cookie of cookies) expect(cookie.flags).toEqual(flags);
  expect(await page.evaluate(() => document.cookie)).toBe("");

  await page.getByRole("button", { name: /^Account/ }).click();
  let cleared: string | undefined; // Chromium itself doesn't show this header
  await page.route("/riverside", async (route) => {
    const response = await route.fetch({ maxRedirects: 0 });
    if (route.request().method() === "POST") cleared = response.headers()["clear-site-data"];
    await route.fulfill({ response });
  });
  await page.getByRole("menuitem", { name: "Sign out" }).click();
  await page.waitForURL(/\/login/);
  expect(cleared).toBe('"cache"');
  expect(await cookiesOf(page)).toEqual([{ name: "signet_device", flags }]);
});

test("an older session that scripts can read is hidden from them when it is refreshed", async () => {
  const page = await openPage(null);
  const cookies = await sessionCookies("staff@demo.test");
  const [{ name = "" } = {}] = cookies;
  const text = cookies.map(({ value }) => value).join("");
  const expired = encodeSession({ ...decodeSession(text), expires_at: 1 });
  const chunks = expired.match(/.{1,3180}/g) ?? [];
  const whole = name.replace(/\.0$/, "");
  await page.context().addCookies(
    chunks.map((value, index) => ({
      name: chunks.length === 1 ? whole : `${whole}.${index}`,
      value,
      url: siteUrl,
      sameSite: "Lax" as const,
    })),
  );
  await page.goto("/login");
  await page.getByText("You're signed in as staff@demo.test.").waitFor();
  for (const cookie of await cookiesOf(page)) expect(cookie).toEqual({ name: "session", flags });
  expect(await page.evaluate(() => document.cookie)).toBe("");
});

test("an unknown address gets the same answer as a known one, after the same time", async () => {
  const login = await (await fetch(`${siteUrl}/login`)).text();
  const fail = async (email: string) => {
    const form = new FormData();
    for (const [name, value] of hiddenFieldsOf(login)) form.set(name, value);
    form.set("email", email);
    form.set("password", "a guess");
    const began = performance.now();
    const response = await fetch(`${siteUrl}/login`, { method: "POST", headers: { origin: siteUrl }, body: form });
    expect(await response.text()).toContain("Wrong email or password. Check both and try again.");
    return performance.now() - began;
  };
  for (const email of ["canvasser@demo.test", `${randomUUID()}@demo.test`]) {
    expect(await fail(email)).toBeGreaterThan(495); // the minimum time of each answer
  }
});
