import { expect, test } from "vitest";
import { readMemberForm } from "../../../harness/member-form.ts";
import { openPage } from "../../support/browser.ts";
import { restAsService, siteUrl } from "../../support/demo.ts";
import { createOwnTeam } from "../../support/own-team.ts";
import { cookieOf } from "../../support/session-cookies.ts";

const own = await createOwnTeam({
  admin: { team: "Administrator" },
  analyst: { team: "Member", campaign: "Analyst" },
  office: { team: "Office", campaign: "Campaign staff" },
  suspended: { team: "Field team", campaign: "Signature clerk", status: "suspended" },
});
const { admin, analyst, office, suspended } = own.people;

const statusOfAnalyst = () => restAsService(`team_users?user_id=eq.${analyst.id}&select=status`, { method: "GET" });

test("an administrator suspends a member by keyboard, effective on the next request, and reactivates them", async () => {
  const theirs = await openPage(analyst.email);
  const page = await openPage(admin.email);
  await page.goto(`/${own.team}/members/${analyst.id}`);
  for (const [change, effect, message, status, heading] of [
    [
      "Suspend",
      "Loses access to",
      `${analyst.name} suspended.`,
      "suspended",
      `Your access to ${own.name} is suspended`,
    ],
    ["Reactivate", "Regains access to", `${analyst.name} reactivated.`, "active", "Overview"],
  ] as const) {
    const before = await statusOfAnalyst();
    await page.getByRole("button", { name: change }).focus();
    await page.keyboard.press("Enter");
    await page.getByText(`${effect} ${own.campaignName}`).waitFor();
    expect(await statusOfAnalyst()).toEqual(before);
    await page.getByRole("dialog").getByRole("button", { name: change }).focus();
    await page.keyboard.press("Enter");
    await page.getByText(message, { exact: true }).waitFor();
    expect(await statusOfAnalyst()).toEqual([{ status }]);
    await theirs.goto(own.path);
    await theirs.getByRole("heading", { level: 1, name: heading }).waitFor();
  }
});

test("no one can change their own membership, or any without members.manage", async () => {
  const page = await openPage(admin.email);
  await page.goto(`/${own.team}/members`);
  await expect.poll(() => page.getByRole("checkbox", { name: /^Select (analyst|office|suspended) / }).count()).toBe(3);
  expect(await page.getByRole("checkbox", { name: `Select ${admin.name}` }).count()).toBe(0);
  await page.emulateMedia({ media: "print" });
  for (const path of ["activity", "roles", "roles?show=sets", "members"]) {
    await page.goto(`/${own.team}/${path}`);
    const main = page.getByRole("main");
    const control = ["button", "checkbox", "combobox"].map((role) => main.getByRole(role as "button"));
    expect([path, ...(await Promise.all(control.map((element) => element.count())))]).toEqual([path, 0, 0, 0]);
  }
  await page.goto(`/${own.team}/activity`);
  const folded = page.getByRole("listitem").filter({ hasText: /\d+ (similar|related) changes?/ });
  expect(await folded.first().getByRole("listitem").first().isVisible()).toBe(true);
  await page.goto(`/${own.team}/members`);
  await page.emulateMedia({ media: "screen" });
  await page.getByRole("link", { name: admin.name }).click();
  await page.getByText("You can't change your own membership").waitFor();
  const changes = /^(Suspend|Save membership|Remove from team|Invite)$/;
  expect(await page.getByRole("button", { name: changes }).count()).toBe(0);
  const others = await openPage(office.email);
  for (const [path, shows] of [
    ["/members", "Members"],
    [`/members/${analyst.id}`, analyst.name],
  ] as const) {
    await others.goto(`/${own.team}${path}`);
    await others.getByRole("heading", { level: 1, name: shows }).waitFor();
    expect(await others.getByRole("checkbox").count()).toBe(0);
    expect(await others.getByRole("button", { name: changes }).count()).toBe(0);
  }
});

test("the action is refused to others who call it directly, and nothing changes", async () => {
  const address = `${siteUrl}/${own.team}/members/${analyst.id}`;
  const html = await (await fetch(address, { headers: { cookie: await cookieOf(admin.email) } })).text();
  const body = readMemberForm(html, analyst.id)("suspended");
  expect([...body.keys()]).toContain("change");
  for (const email of [office.email, analyst.email, suspended.email, "hill@demo.test", "outsider@demo.test", null]) {
    const headers = { cookie: await cookieOf(email), origin: siteUrl };
    const response = await fetch(address, { method: "POST", headers, body, redirect: "manual" });
    expect([email, await response.text()]).toEqual([email, expect.not.stringContaining("Suspended.")]);
    expect([email, await statusOfAnalyst()]).toEqual([email, [{ status: "active" }]]);
  }
});
