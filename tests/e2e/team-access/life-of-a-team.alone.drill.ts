import { spawnSync } from "node:child_process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AccessRows, readAccessRows, restoreAccessRows } from "../../support/access-rows.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { folder, newestMailTo, siteUrl } from "../../support/demo.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { linkOf } from "../../support/mail-link.ts";
import { ownEnvironment } from "../../support/own-environment.ts";

// The whole life of a team, without SQL: found it, invite twenty by a table, let two in, ask and grant, suspend, forget a
// password, change an address, hand a campaign over and take it out, archive another one, leave.

let browser: Browser;
let before: AccessRows;
beforeAll(async () => {
  before = await readAccessRows();
  browser = await startBrowser();
});
afterAll(async () => {
  await browser.close();
  await restoreAccessRows(before);
});

const found = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "scripts/found.ts", ...args],
    { env: { ...ownEnvironment, SIGNET_LOCAL: folder }, encoding: "utf8" },
  );
  return { status, told: stdout + stderr };
};
const mailed = (address: string) => expect.poll(() => newestMailTo(address), { timeout: 30_000 });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const confirm = async (page: Page, name: string) => {
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^(This changes the access of \d+ (person|people)|Nobody's access changes)\.$/).waitFor();
  await dialog.getByRole("button", { name, exact: true }).click();
};
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });

test("from its founding to the leaving of a member", { timeout: 240_000 }, async () => {
  const first = found("outsider@demo.test", "Lake district", "--zone", "America/New_York");
  expect([first.status, first.told]).toEqual([0, expect.stringContaining("is invited to administer it")]);
  const link = /https?:\/\/\S+\/invitation\/\S+/.exec(first.told)?.[0] ?? "";
  expect(found("outsider@demo.test", "Lake district").told).toContain(link);
  await mailed("outsider@demo.test").toBeDefined();
  expect(linkOf(await newestMailTo("outsider@demo.test")).fields).toMatchObject({ type: "magiclink", next: link });

  const founder = await openPage(browser, "outsider@demo.test");
  await founder.goto(link);
  await button(founder, "Join Lake district").click();
  await founder.waitForURL(`${siteUrl}/lake-district`);
  expect(found("outsider@demo.test", "Lake district").told).toContain("administers “Lake district” already");
  await button(founder, "New campaign").first().click();
  await founder.getByRole("textbox", { name: "Name", exact: true }).fill("Clear lakes");
  await founder.keyboard.press("Enter");
  await founder.getByText("Campaign created.").waitFor();

  await founder.goto("/lake-district/members");
  await button(founder, "Invite").click();
  const guests = Array.from({ length: 18 }, (_, number) => `guest${number}@lakes.test,Guest ${number},Member,,`);
  const table = [
    "email,name,role,campaign,campaign role",
    "wanda@lakes.test,Wanda Walker,Member,Clear lakes,Canvasser",
    "clerk@demo.test,,Field team,Clear lakes,Signature clerk",
    ...guests,
  ].join("\n");
  await founder
    .getByLabel("Take them from a CSV file")
    .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(table) });
  await button(founder, "See what they get").click();
  await founder.getByText("Wanda Walker", { exact: true }).waitFor();
  await expectAxeClean(founder);
  await button(founder, "Invite 20 people").click();
  await founder.getByText("20 people are invited. The e-mail is sent when its turn comes.").waitFor();
  await button(founder, "Done").click();
  const invitations = founder.getByRole("region", { name: "Open invitations" }).getByRole("listitem");
  await invitations.nth(19).waitFor();
  await mailed("guest17@lakes.test").toBeDefined();
  await expect
    .poll(() => invitations.filter({ has: founder.getByText("sent", { exact: true }) }).count(), { timeout: 30_000 })
    .toBe(20);
  await expectAxeClean(founder);

  // She has no account yet, and needs no password for this.
  const canvasser = await openPage(browser, null);
  await canvasser.goto(linkOf(await newestMailTo("wanda@lakes.test")).path);
  await button(canvasser, "Sign in").click();
  await button(canvasser, "Join Lake district").click();
  await canvasser.waitForURL(`${siteUrl}/lake-district/campaign/clear-lakes`);
  const clerk = await openPage(browser, "clerk@demo.test");
  await clerk.goto(linkOf(await newestMailTo("clerk@demo.test")).fields.next ?? "");
  await button(clerk, "Join Lake district").click();
  await clerk.waitForURL(`${siteUrl}/lake-district/campaign/clear-lakes`);

  await canvasser.goto("/lake-district/campaign/clear-lakes/dashboard");
  await button(canvasser, "Ask for access").click();
  await button(canvasser, "Asked").waitFor();
  await founder.goto("/lake-district/activity");
  await founder.getByRole("link", { name: "Activity 1 request for access" }).waitFor();
  await founder.getByText("on /lake-district/campaign/clear-lakes/dashboard").waitFor();
  await button(founder, /^Grant/).click();
  await founder.getByText(/^Gains: .*See charts/).waitFor();
  await expectAxeClean(founder);
  await founder.getByRole("dialog").getByRole("button", { name: "Grant", exact: true }).click();
  await founder.getByText("Campaign access saved.").waitFor();
  await founder.getByRole("link", { name: "Activity", exact: true }).waitFor();
  await canvasser.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor(); // by itself

  await founder.goto("/lake-district/members");
  await founder.getByRole("link", { name: "Rosa Lindqvist" }).click();
  await button(founder, "Suspend").click();
  await confirm(founder, "Suspend");
  await founder.getByText("Suspended.", { exact: true }).waitFor();
  await clerk.goto("/lake-district/campaign/clear-lakes");
  await clerk.waitForURL(`${siteUrl}/`);

  await canvasser.context().clearCookies();
  await canvasser.goto("/login/forgotten");
  await canvasser.getByLabel("E-mail address").fill("wanda@lakes.test");
  await button(canvasser, "Send a link").click();
  await canvasser.getByText("If wanda@lakes.test has an account").waitFor();
  await mailed("wanda@lakes.test").toMatchObject({ subject: "Choose a new password" });
  await canvasser.goto(linkOf(await newestMailTo("wanda@lakes.test")).path);
  await canvasser.getByLabel("New password").fill("walking round lakes");
  await button(canvasser, "Save the new password").click();
  await heading(canvasser, "Your teams").waitFor();

  await canvasser.goto("/account");
  const address = canvasser.getByRole("region", { name: "E-mail address" });
  await address.getByLabel("New e-mail address").fill("wanda@walkers.test");
  await address.getByLabel("Current password").fill("walking round lakes");
  await address.getByRole("button", { name: "Send a link to it" }).click();
  await address.getByText("If nobody else has wanda@walkers.test").waitFor();
  await canvasser.goto(linkOf(await newestMailTo("wanda@walkers.test")).path);
  await button(canvasser, "Confirm the change").click();
  await canvasser.getByText("You sign in as wanda@walkers.test.").waitFor();

  // A second team takes the campaign over.
  const second = /https?:\/\/\S+\/invitation\/\S+/.exec(found("outsider@demo.test", "Lake coast").told)?.[0] ?? "";
  await founder.goto(second);
  await button(founder, "Join Lake coast").click();
  await founder.waitForURL(`${siteUrl}/lake-coast`);
  await button(founder, "Add from another team").click();
  await founder.getByRole("combobox", { name: "Campaign" }).selectOption({ label: "Clear lakes" });
  await button(founder, "See what changes").click();
  await confirm(founder, "Add campaign");
  await founder.getByRole("link", { name: "Clear lakes" }).first().waitFor();
  await founder.goto("/lake-district/campaign/clear-lakes");
  await button(founder, "Hand over").click();
  await button(founder, "See what changes").click();
  await confirm(founder, "Hand over");
  await founder.getByText("Campaign handed over.").waitFor();
  await founder.goto("/lake-district/settings");
  await button(founder, "Take out Clear lakes").click();
  await confirm(founder, "Take out");
  await founder.getByText("Campaign taken out of the team.").waitFor();
  await canvasser.goto("/lake-district/campaign/clear-lakes");
  await canvasser.waitForURL(`${siteUrl}/lake-district/campaign/no-access`);

  await founder.goto("/lake-coast/campaign/clear-lakes");
  await button(founder, "Archive").click();
  await confirm(founder, "Archive");
  await button(founder, "Bring back").waitFor();

  await canvasser.goto("/lake-district/settings");
  await button(canvasser, "Leave the team").click();
  await confirm(canvasser, "Leave the team");
  await heading(canvasser, "No access yet").waitFor();
  await Promise.all([founder, canvasser, clerk].map((page) => page.context().close()));
});
