import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { decodeSession, encodeSession, resigned } from "../../../harness/session.ts";
import { demoPassword } from "../../../scripts/demo-data/demo-data.ts";
import { openPage, submitSignIn } from "../../support/browser.ts";
import { folder, newestEmailTo, siteUrl, supabaseUrl } from "../../support/demo.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { linkOf } from "../../support/mail-link.ts";
import { createOwnTeam } from "../../support/own-team.ts";
import { sessionCookies } from "../../support/session-cookies.ts";

// What people do with their own accounts, from the first page to the email and back.

const own = await createOwnTeam({
  admin: { team: "Administrator" },
  member: { team: "Member" },
  forgetful: { team: "Member" },
  walker: { team: "Member" },
});
const { admin, member, forgetful, walker } = own.people;

const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

test("a person resets a forgotten password by an emailed link and returns to their page", async () => {
  const page = await openPage(null);
  await page.goto("/login?next=/account");
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await heading(page, "Set a new password").waitFor();
  await page.getByLabel("Email").fill(forgetful.email);
  await page.getByRole("button", { name: "Send link" }).click();
  await page.getByText(`If ${forgetful.email} has an account`).waitFor();

  // The page of the mailbox shows the email. Mail scanners open its links with GET and HEAD.
  const { path } = linkOf(await newestEmailTo(forgetful.email));
  const reader = await openPage(null);
  for (const method of ["get", "head"] as const) expect((await reader.request[method](path)).status()).toBe(200);
  expect(await reader.context().cookies()).toEqual([]);
  await reader.goto(`${supabaseUrl}/mail`);
  expect(await reader.getByText(`to ${forgetful.email}`).count()).toBe(1);

  await reader.goto(path);
  await reader.getByLabel("New password").fill("short");
  await reader.getByRole("button", { name: "Show password" }).click();
  await reader.getByRole("button", { name: "Save password" }).click();
  await reader.getByText("New password must have at least 10 characters.").waitFor();
  expect(await reader.getByLabel("New password").inputValue()).toBe("short");
  await reader.getByLabel("New password").fill("a-new-password-2");
  await reader.getByRole("button", { name: "Save password" }).click();
  await reader.getByText("Password saved. You're signed out everywhere else.").waitFor();
  await reader.keyboard.press("Enter"); // the focus is on Continue
  await heading(reader, "Account").waitFor();

  await page.goto("/login?next=/account");
  await submitSignIn(page, forgetful.email);
  await page.getByText("Wrong email or password.").waitFor();
  await submitSignIn(page, forgetful.email, "a-new-password-2");
  await heading(page, "Account").waitFor();
});

test("a person changes their name, address and password, and ends all sessions", async () => {
  const other = `new-${walker.email}`;
  const phone = await openPage(walker.email);
  const page = await openPage(walker.email);
  for (const window of [phone, page]) await window.goto("/account");
  const open = (section: string) => page.getByRole("region", { name: section, exact: true }).locator("summary").click();

  await open("Name");
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("Wanda Wise");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Name saved.").waitFor();
  await page.reload();
  await open("Name");
  expect(await name.inputValue()).toBe("Wanda Wise");

  await name.fill("Not saved");
  await open("Name");
  await open("Name");
  expect(await name.inputValue()).toBe("Wanda Wise");

  await open("Email");
  const address = page.getByRole("region", { name: "Email" });
  await address.getByLabel("New email").fill(other);
  await address.getByLabel("Current password").fill("wrong");
  await address.getByRole("button", { name: "Send confirmation link" }).click();
  await address.getByText("Current password is wrong. Nothing was changed.").waitFor();
  expect(await address.getByLabel("New email").inputValue()).toBe(other);
  await address.getByLabel("Current password").fill(demoPassword);
  await address.getByRole("button", { name: "Send confirmation link" }).click();
  await address.getByText(`If no other account uses ${other}`).waitFor();
  await page.goto(linkOf(await newestEmailTo(other)).path);
  await page.getByRole("button", { name: "Confirm change" }).click();
  await page.getByText(`You sign in as ${other}.`).waitFor();

  await open("Password");
  const passwords = page.getByRole("region", { name: "Password" });
  await passwords.getByLabel("Current password").fill(demoPassword);
  await passwords.getByLabel("New password").fill("a-new-password-2");
  await passwords.getByRole("button", { name: "Change password" }).click();
  await passwords.getByText("Password changed. You're signed out everywhere else.").waitFor();
  expect(await passwords.getByLabel("New password").inputValue()).toBe("");
  await phone.reload();
  await heading(phone, "Sign in").waitFor();
  await submitSignIn(phone, other, "a-new-password-2");
  await heading(phone, "Account").waitFor();
  await phone.getByRole("button", { name: "Sign out everywhere", exact: true }).click();
  await heading(phone, "Sign in").waitFor();
  await page.reload();
  await heading(page, "Sign in").waitFor();
});

test("a theme applies at once and from the first byte on, and without one the system's applies", async () => {
  const page = await openPage(member.email, { colorScheme: "light" });
  // The background color after its transition.
  const background = () =>
    page.evaluate(async () => {
      await Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null)));
      return getComputedStyle(document.body).backgroundColor;
    });
  await page.goto("/account");
  const light = await background();
  await page.emulateMedia({ colorScheme: "dark" });
  const dark = await background();
  expect(dark).not.toBe(light);
  await page.emulateMedia({ colorScheme: "light" });
  await page.getByLabel("Dark").check();
  await expect.poll(background).toBe(dark);
  expect(await (await page.request.get("/login")).text()).toMatch(/<html[^>]* data-theme="dark"/);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.getByLabel("Light").check();
  await expect.poll(background).toBe(light);
  await page.getByLabel("System").check();
  await expect.poll(background).toBe(dark);
});

test("after a session ends, the same person continues with what they typed, and for another the page is reloaded", async () => {
  const page = await openPage(admin.email);
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  const dialog = page.getByRole("dialog", { name: "Your session has ended" });
  const create = page.getByRole("button", { name: "Create campaign" });
  const typeAndLoseTheSession = async (typed: string) => {
    await page.goto(`/${own.team}`);
    await page.getByRole("button", { name: "New campaign" }).click();
    await name.fill(typed);
    await page.context().clearCookies();
    await create.click();
    await heading(page, "Your session has ended").waitFor();
  };
  await typeAndLoseTheSession(`Kept ${own.team}`);
  expect(await dialog.getByLabel("Email").inputValue()).toBe(admin.email);
  await page.keyboard.press("Escape");
  expect(await dialog.isVisible()).toBe(true);
  await expectAxeClean(page);
  await dialog.getByLabel("Password", { exact: true }).fill(demoPassword);
  await page.keyboard.press("Enter");
  await dialog.waitFor({ state: "hidden" });
  expect(await name.inputValue()).toBe(`Kept ${own.team}`);
  await create.click();
  await page.getByText(`Kept ${own.team}`).and(page.locator(":visible")).first().waitFor();

  await typeAndLoseTheSession("Not kept");
  await page.evaluate(() => Object.assign(window, { stays: true }));
  await dialog.getByLabel("Email").fill(member.email);
  await dialog.getByLabel("Password", { exact: true }).fill(demoPassword);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => !("stays" in window));
  await page.getByRole("button", { name: member.name }).waitFor();
});

// The local Auth has no second factors, so the test signs a token with one.
test("an incomplete sign-in opens only the page that asks for the code", async () => {
  const [cookie] = await sessionCookies(member.email);
  if (!cookie) throw new Error("There is no session.");
  const stored = decodeSession(cookie.value);
  const half = resigned(stored.access_token, { aal: "aal1", app_metadata: { second_factor: true } }, folder);
  const value = encodeSession({ ...stored, access_token: half });

  const page = await openPage(null, { width: 375, colorScheme: "dark" });
  await page.context().addCookies([{ name: cookie.name, value, url: siteUrl }]);
  await page.goto("/riverside/members");
  await heading(page, "Enter your code").waitFor();
  await expectAxeClean(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.emulateMedia({ colorScheme: "light" });
  await expectAxeClean(page);
  expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("code");
  await page.keyboard.type("12345");
  await page.keyboard.press("Enter");
  await page.getByText("Code must have six digits.").waitFor();
  await page.getByLabel("Code").fill("123 456");
  await page.keyboard.press("Enter");
  await page.getByText("Two-factor sign-in is now off for this account.").waitFor();
  await page.getByRole("button", { name: "Use another account" }).click();
  await heading(page, "Sign in").waitFor();
});
