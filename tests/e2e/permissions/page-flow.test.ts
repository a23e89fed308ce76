import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { openPage, submitSignIn } from "../../support/browser.ts";
import { siteUrl } from "../../support/demo.ts";
import { cookieOf } from "../../support/session-cookies.ts";

const pathOf = (page: Page) => new URL(page.url()).pathname;

describe("page flow (contract 4.7)", () => {
  test("a stranger is redirected to sign in, and returns to their page", async () => {
    const page = await openPage(null);
    await page.goto("/riverside/members");
    expect(page.url()).toBe(`${siteUrl}/login?next=%2Friverside%2Fmembers`);
    await submitSignIn(page, "admin@demo.test", "wrong-password");
    await page.getByRole("alert").getByText("Wrong email or password").waitFor();
    expect(await page.getByLabel("Email").inputValue()).toBe("admin@demo.test");
    await page.getByLabel("Password", { exact: true }).fill("demo-password-1");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();
    expect(pathOf(page)).toBe("/riverside/members");
  });

  test("signing in works without JavaScript", async () => {
    const page = await openPage(null, { javaScriptEnabled: false });
    await page.goto("/login?next=//evil.test");
    await submitSignIn(page, "clerk@demo.test");
    await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor();
    expect(page.url()).toBe(`${siteUrl}/riverside`);
  });

  test("the no-access page offers to ask for access to the campaign", async () => {
    const page = await openPage("analyst@demo.test");
    await page.goto("/riverside/campaign/open-parks");
    await page.getByRole("heading", { level: 1, name: "You can't open this campaign" }).waitFor();
    await page.getByRole("button", { name: "Request access" }).waitFor();
  });

  test("a campaign that doesn't exist is said to be missing to administrators, who can open all", async () => {
    const page = await openPage("admin@demo.test");
    await page.goto("/riverside/campaign/nowhere");
    await page.getByText("This campaign doesn't exist or was deleted.").waitFor();
  });

  test("the refusal names the role, and people who can grant access", async () => {
    const page = await openPage("canvasser@demo.test");
    await page.goto("/riverside/members");
    const text = await page.getByRole("main").innerText();
    expect(text).not.toContain("members.view");
    expect(text).toContain("Your Field team role doesn't include this.");
    expect(text).toContain("Ada Moreno");
  });

  test.each([
    ["the page's own request", { RSC: "1" }],
    ["a prefetch", { RSC: "1", "Next-Router-Prefetch": "1" }],
    ["a segment prefetch", { RSC: "1", "Next-Router-Prefetch": "1", "Next-Router-Segment-Prefetch": "/_tree" }],
  ])("an RSC request of a guarded page reveals nothing (%s)", async (_name, headers: Record<string, string>) => {
    const read = async (name: string) => {
      const cookie = await cookieOf(name);
      return (await fetch(`${siteUrl}/riverside/members`, { headers: { ...headers, cookie } })).text();
    };
    for (const name of ["canvasser", "hill"]) expect(await read(name)).not.toContain("analyst@demo.test");
    if (!("Next-Router-Prefetch" in headers)) expect(await read("admin")).toContain("analyst@demo.test");
  });
});
