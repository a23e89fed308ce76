import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { cookieHeader } from "../../../scripts/local-stack/session-cookies.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { restAsService, signInOverApi, siteUrl } from "../../support/demo.ts";
import { readMemberForm } from "../../support/member-form.ts";
import { sessionCookies } from "../../support/session-cookies.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const statusOf = async (userId: string) => {
  const rows = (await restAsService(`team_users?user_id=eq.${userId}&select=status`, { method: "GET" })) as unknown[];
  return rows[0];
};

test("an administrator suspends a member by keyboard, who is out on her next request, and lets her in again", async () => {
  const { userId } = await signInOverApi("analyst@demo.test");
  const analyst = await openPage(browser, "analyst@demo.test");
  await analyst.goto("/riverside/campaign/clean-water");
  await analyst.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

  const admin = await openPage(browser, "admin@demo.test");
  await admin.goto(`/riverside/members/${userId}`);
  await admin.getByRole("button", { name: "Suspend" }).focus();
  await admin.keyboard.press("Enter");
  await admin.getByText("Clean water closes").waitFor();
  expect(await statusOf(userId)).toEqual({ status: "active" });
  await admin.getByRole("dialog").getByRole("button", { name: "Suspend" }).focus();
  await admin.keyboard.press("Enter");
  const back = admin.getByRole("button", { name: "Make active" });
  await admin.getByText("Suspended.", { exact: true }).waitFor();
  expect(await statusOf(userId)).toEqual({ status: "suspended" });
  await analyst.goto("/riverside/campaign/clean-water");
  await analyst.getByRole("heading", { level: 1, name: "No access yet" }).waitFor();

  await back.focus();
  await admin.keyboard.press("Enter");
  await admin.getByText("Clean water opens").waitFor();
  await admin.getByRole("dialog").getByRole("button", { name: "Make active" }).focus();
  await admin.keyboard.press("Enter");
  await admin.getByText("Active again.").waitFor();
  expect(await statusOf(userId)).toEqual({ status: "active" });
  await analyst.goto("/riverside/campaign/clean-water");
  await analyst.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
  await Promise.all([admin.context().close(), analyst.context().close()]);
});

test("nobody is offered a change of her own membership, nor without members.manage", async () => {
  const admin = await openPage(browser, "admin@demo.test");
  await admin.goto("/riverside/members");
  await expect.poll(() => admin.getByRole("checkbox", { name: /^Select [A-Z]/ }).count()).toBe(5);
  expect(await admin.getByRole("checkbox", { name: "Select Ada Moreno" }).count()).toBe(0);
  await admin.getByRole("link", { name: "Ada Moreno" }).click();
  await admin.getByText("Nobody changes her own membership").waitFor();
  expect(await admin.getByRole("button", { name: /^(Suspend|Change role|Remove from the team)$/ }).count()).toBe(0);
  const staff = await openPage(browser, "staff@demo.test");
  await staff.goto("/riverside/members");
  await staff.getByRole("heading", { level: 1, name: "Members" }).waitFor();
  expect(await staff.getByRole("checkbox").count()).toBe(0);
  await Promise.all([admin.context().close(), staff.context().close()]);
});

test.each(["staff", "clerk", "hill", "suspended", "outsider", null])(
  "the action called directly by %s is refused, and nothing has changed",
  async (name) => {
    const { userId } = await signInOverApi("canvasser@demo.test");
    const adminCookie = cookieHeader(await sessionCookies("admin@demo.test"));
    const address = `${siteUrl}/riverside/members/${userId}`;
    const html = await (await fetch(address, { headers: { cookie: adminCookie } })).text();
    const body = readMemberForm(html, userId)("suspended");
    expect([...body.keys()]).toEqual(expect.arrayContaining(["change"]));
    const cookie = name ? cookieHeader(await sessionCookies(`${name}@demo.test`)) : "";
    const response = await fetch(address, {
      method: "POST",
      headers: { cookie, origin: siteUrl },
      body,
      redirect: "manual",
    });
    expect(await response.text()).not.toContain("Suspended.");
    expect(await statusOf(userId)).toEqual({ status: "active" });
  },
);
