import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPage, startBrowser } from "../../support/browser.ts";
import { carryOutChanges, restAsService, signInOverApi } from "../../support/demo.ts";
import { connectToRedis, epochOf } from "../../support/epochs.ts";

const redis = connectToRedis();
let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  redis.disconnect();
});

const pathOf = (page: Page) => new URL(page.url()).pathname;

test("client-side navigation is guarded as a fresh load is", async () => {
  const page = await openPage(browser, "staff@demo.test");
  await page.goto("/riverside");
  await page.evaluate(() => Object.assign(window, { stays: true }));
  await page.getByRole("navigation").getByRole("link", { name: "Members" }).click();
  await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();
  const membership = await roleInTeam("staff@demo.test");
  await setRole(membership.userId, membership.member);
  try {
    await page.goBack();
    await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor();
    await page.goForward();
    await page.getByRole("heading", { level: 1, name: "You can't open the members of Riverside" }).waitFor();
    expect(await page.evaluate(() => "stays" in window)).toBe(true);
  } finally {
    await setRole(membership.userId, membership.role);
  }
  await page.context().close();
});

describe("refreshing permissions", () => {
  test("revoke, press the button: refused on the next request, and the screen says whether anything changed", async () => {
    const { userId } = await signInOverApi("canvasser@demo.test");
    const page = await openPage(browser, "canvasser@demo.test");
    await page.goto("/riverside/campaign/clean-water");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.goto("/riverside/members");

    const before = await epochOf(redis, userId);
    await page.getByRole("button", { name: "Refresh permissions" }).click();
    await page.getByText("Nothing has changed since.").waitFor();
    expect(await epochOf(redis, userId)).not.toBe(before);

    const [row] = (await restAsService(`campaign_user_roles_team?user_id=eq.${userId}`, {
      method: "DELETE",
    })) as unknown[];
    try {
      await page.getByRole("button", { name: "Refresh permissions" }).click();
      await page.getByText("Your permissions have changed").waitFor();
      await page.goto("/riverside/campaign/clean-water");
      await page.getByRole("heading", { level: 1, name: "You can't open this campaign" }).waitFor();
      expect(pathOf(page)).toBe("/riverside/campaign/no-access");
    } finally {
      await restAsService("campaign_user_roles_team", { method: "POST", body: row });
    }
    await page.getByRole("button", { name: "Refresh permissions" }).click();
    await page.getByText("Your permissions have changed").waitFor();
    await page.goto("/riverside/campaign/clean-water");
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.context().close();
  });

  test("a hard reload in a real browser renews the epoch; a plain click does not", async () => {
    const { userId } = await signInOverApi("clerk@demo.test");
    const page = await openPage(browser, "clerk@demo.test");
    await page.goto("/riverside");
    const before = await epochOf(redis, userId);
    await page.getByRole("main").getByRole("link", { name: "Clean water" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(await epochOf(redis, userId)).toBe(before);
    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(await epochOf(redis, userId)).not.toBe(before);
    await page.context().close();
  });
});

async function roleInTeam(email: string) {
  const { userId } = await signInOverApi(email);
  const [row] = (await restAsService(`team_users?user_id=eq.${userId}&select=role_id`, { method: "GET" })) as {
    role_id: string;
  }[];
  const [member] = (await restAsService("roles?name=eq.Member&select=id", { method: "GET" })) as { id: string }[];
  return { userId, role: row?.role_id ?? "", member: member?.id ?? "" };
}

async function setRole(userId: string, roleId: string) {
  await restAsService(`team_users?user_id=eq.${userId}&team_id=eq.riverside`, {
    method: "PATCH",
    body: { role_id: roleId },
  });
  await carryOutChanges();
}
