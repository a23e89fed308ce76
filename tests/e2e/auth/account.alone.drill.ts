import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { demoPassword } from "../../../scripts/local-stack/demo-data.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { folder, newestMailTo, publishableKey, siteUrl, supabaseUrl } from "../../support/demo.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { linkOf } from "../../support/mail-link.ts";
import { resigned } from "../../support/resigned.ts";
import { sessionCookies } from "../../support/session-cookies.ts";

// What people do with their own accounts, from the first page to the e-mail and back.

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const patience = { timeout: 20_000 };

let people = 0;
async function signUp() {
  people += 1;
  const email = `walker-${Date.now()}-${people}@people.test`;
  const response = await fetch(`${supabaseUrl}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey: publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ email, password: demoPassword, data: { name: "Wanda Walker" } }),
  });
  expect(response.status).toBe(200);
  return email;
}

const newestLinkTo = async (address: string) => linkOf(await newestMailTo(address)).path;

async function signInOn(page: Page, email: string, password = demoPassword) {
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

test("a forgotten password: a link by e-mail, a new one, and back to where she was", async () => {
  const email = await signUp();
  const page = await openPage(browser, null);
  await page.goto("/login?next=/account");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await heading(page, "Choose a new password").waitFor();
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Send a link" }).click();
  await page.getByText(`If ${email} has an account`).waitFor();
  const link = await newestLinkTo(email);

  // Programs that look through e-mails open what they find, with GET and with HEAD.
  const reader = await openPage(browser, null);
  for (const method of ["get", "head"] as const) expect((await reader.request[method](link)).status()).toBe(200);
  expect(await reader.context().cookies()).toEqual([]);

  await reader.goto(link);
  await reader.getByLabel("New password").fill("short");
  await reader.getByRole("button", { name: "Show what is typed" }).click();
  await reader.getByRole("button", { name: "Save the new password" }).click();
  await reader.getByText("New password must have at least 10 characters.").waitFor();
  expect(await reader.getByLabel("New password").inputValue()).toBe("short");
  await reader.getByLabel("New password").fill("a-new-password-2");
  await reader.getByRole("button", { name: "Save the new password" }).click();
  await heading(reader, "Account").waitFor();

  await page.goto(link);
  await page.getByLabel("New password").fill("a-third-password-3");
  await page.getByRole("button", { name: "Save the new password" }).click();
  await page.getByText("This link has been used already or is too old.").waitFor();
  await page.goto("/login?next=/account");
  await signInOn(page, email);
  await page.getByText("The e-mail address or the password is wrong.").waitFor();
  await signInOn(page, email, "a-new-password-2");
  await heading(page, "Account").waitFor();
  await Promise.all([page.context().close(), reader.context().close()]);
});

test("the page of the gateway shows e-mails, and their links lead to Signet", async () => {
  const email = await signUp();
  const page = await openPage(browser, null);
  await page.goto("/login/forgotten");
  await page.getByLabel("E-mail address").fill(email);
  await page.getByRole("button", { name: "Send a link" }).click();
  await page.getByText(`If ${email} has an account`).waitFor();
  const mails = await page.context().newPage();
  await mails.goto(`${supabaseUrl}/mail`);
  await expect.poll(() => mails.getByText(`to ${email}`).count()).toBe(1);
  await mails.frameLocator("iframe").first().getByRole("link", { name: "Choose a new password" }).click();
  await heading(mails, "Choose a new password").waitFor();
  expect(new URL(mails.url()).pathname).toBe("/auth/confirm");
  await page.context().close();
});

test("name, address, password and all sessions are one's own to change", async () => {
  const email = await signUp();
  const other = `new-${email}`;
  const phone = await openPage(browser, null);
  await phone.goto("/login?next=/account");
  await signInOn(phone, email);
  await heading(phone, "Account").waitFor();
  const page = await openPage(browser, null);
  await page.goto("/login?next=/account");
  await signInOn(page, email);

  await page.getByRole("textbox", { name: "Name", exact: true }).fill("Wanda Wise");
  await page.getByRole("button", { name: "Save the name" }).click();
  await page.getByText("Saved.").waitFor();
  await page.reload();
  expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe("Wanda Wise");

  const address = page.getByRole("region", { name: "E-mail address" });
  await address.getByLabel("New e-mail address").fill(other);
  await address.getByLabel("Current password").fill("wrong");
  await address.getByRole("button", { name: "Send a link to it" }).click();
  await address.getByText("The current password is wrong").waitFor();
  expect(await address.getByLabel("New e-mail address").inputValue()).toBe(other);
  await address.getByLabel("Current password").fill(demoPassword);
  await address.getByRole("button", { name: "Send a link to it" }).click();
  await address.getByText(`If nobody else has ${other}`).waitFor();
  await page.goto(await newestLinkTo(other));
  await page.getByRole("button", { name: "Confirm the change" }).click();
  await page.getByText(`You sign in as ${other}.`).waitFor();

  const word = page.getByRole("region", { name: "Password" });
  await word.getByLabel("Current password").fill(demoPassword);
  await word.getByLabel("New password").fill("a-new-password-2");
  await word.getByRole("button", { name: "Change the password" }).click();
  await word.getByText("Other browsers are signed out.").waitFor();
  expect(await word.getByLabel("New password").inputValue()).toBe("");
  await phone.reload();
  await heading(phone, "Sign in").waitFor();
  await signInOn(phone, other, "a-new-password-2");
  await heading(phone, "Account").waitFor();

  await phone.getByRole("button", { name: "Sign out everywhere" }).click();
  await heading(phone, "Sign in").waitFor();
  await page.reload();
  await heading(page, "Sign in").waitFor();
  await Promise.all([page.context().close(), phone.context().close()]);
});

test("a theme holds at once and from the first byte on, and without one the system's does", async () => {
  const page = await openPage(browser, "outsider@demo.test", { colorScheme: "light" });
  // The scheme that colours are of; they pass over to each other in a moment.
  const ground = () =>
    page.evaluate(async () => {
      await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null)));
      return getComputedStyle(document.body).backgroundColor;
    });
  await page.goto("/account");
  const light = await ground();
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByLabel("Dark").check();
  await expect.poll(ground, patience).toBe(dark);
  expect(await (await page.request.get("/login")).text()).toMatch(/<html[^>]* data-theme="dark"/);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByLabel("Light").check();
  await expect.poll(ground, patience).toBe(light);
  await page.getByLabel("System").check();
  await expect.poll(ground, patience).toBe(dark);
  await page.context().close();
});

describe("a session that ended while something was typed", () => {
  async function typeAndLoseTheSession() {
    const page = await openPage(browser, "admin@demo.test");
    await page.goto("/riverside");
    await page.getByRole("button", { name: "New campaign" }).click();
    const name = `Kept ${Date.now()}`;
    await page.getByRole("textbox", { name: "Name", exact: true }).fill(name);
    await page.context().clearCookies();
    await page.getByRole("button", { name: "Create campaign" }).click();
    await heading(page, "Your session has ended").waitFor();
    const dialog = page.getByRole("dialog", { name: "Your session has ended" });
    expect(await dialog.getByLabel("E-mail address").inputValue()).toBe("admin@demo.test");
    await page.keyboard.press("Escape");
    expect(await dialog.isVisible()).toBe(true);
    await expectAxeClean(page);
    return { page, dialog, name };
  }

  test("goes on with it once she is signed in again", async () => {
    const { page, dialog, name } = await typeAndLoseTheSession();
    await dialog.getByLabel("Password", { exact: true }).fill(demoPassword);
    await page.keyboard.press("Enter");
    await dialog.waitFor({ state: "hidden" });
    expect(await page.getByRole("textbox", { name: "Name", exact: true }).inputValue()).toBe(name);
    await page.getByRole("button", { name: "Create campaign" }).click();
    await page.getByText(name).and(page.locator(":visible")).first().waitFor();
    await page.context().close();
  });

  test("is of no use to anybody else: the page is loaded anew", async () => {
    const { page, dialog } = await typeAndLoseTheSession();
    await page.evaluate(() => Object.assign(window, { stays: true }));
    await dialog.getByLabel("E-mail address").fill("staff@demo.test");
    await dialog.getByLabel("Password", { exact: true }).fill(demoPassword);
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => !("stays" in window));
    await page.getByRole("button", { name: "staff@demo.test" }).waitFor();
    await page.context().close();
  });
});

describe.each([
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 375 },
] as const)("$colorScheme, $width px", (options) => {
  test.each([
    [null, "/login"],
    [null, "/login/forgotten"],
    [null, "/auth/confirm"],
    [null, "/auth/confirm?token_hash=abc&type=recovery"],
    [null, "/auth/confirm?token_hash=abc&type=email_change"],
    ["admin@demo.test", "/account"],
  ])("%s finds %s clean", async (email, path) => {
    const page = await openPage(browser, email, options);
    await page.goto(path);
    await expectAxeClean(page);
    await page.context().close();
  });
});

// The local Auth knows no second factors: a token that tells of one is signed here.
test("half a sign-in opens nothing but the page that asks for the code", async () => {
  const [cookie] = await sessionCookies("admin@demo.test");
  if (!cookie) throw new Error("There is no session.");
  const stored = z
    .looseObject({ access_token: z.string() })
    .parse(JSON.parse(Buffer.from(cookie.value.replace("base64-", ""), "base64url").toString()));
  const half = resigned(stored.access_token, { aal: "aal1", app_metadata: { second_factor: true } }, folder);
  const value = `base64-${Buffer.from(JSON.stringify({ ...stored, access_token: half })).toString("base64url")}`;

  const progress = "/api/progress?team=riverside&campaign=clean-water";
  expect((await fetch(siteUrl + progress, { headers: { cookie: `${cookie.name}=${value}` } })).status).toBe(401);

  for (const [width, colorScheme] of [[1280, "light"] as const, [375, "dark"] as const]) {
    const page = await openPage(browser, null, { width, colorScheme });
    await page.context().addCookies([{ name: cookie.name, value, url: siteUrl }]);
    await page.goto("/riverside/members");
    await heading(page, "Your code").waitFor();
    await expectAxeClean(page);
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("code");
    await page.keyboard.type("12345");
    await page.keyboard.press("Enter");
    await page.getByText("Code has six digits.").waitFor();
    await page.getByLabel("Code").fill("123 456");
    await page.keyboard.press("Enter");
    await page.getByText("This account has no second factor any more.").waitFor();
    if (width === 1280) continue;
    await page.getByRole("button", { name: "Sign in as somebody else" }).click();
    await heading(page, "Sign in").waitFor();
  }
});
