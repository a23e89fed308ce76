import { spawnSync } from "node:child_process";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { ownEnvironment } from "../../../harness/own-environment.ts";
import { openPage } from "../../support/browser.ts";
import { folder, newestEmailTo, siteUrl } from "../../support/demo.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { linkOf } from "../../support/mail-link.ts";
import { signUp } from "../../support/own-team.ts";

// The whole life of a team, without SQL: create it, invite twenty people by a table, let two in, ask for and grant access,
// suspend, hand over and remove a campaign, leave.

const { email: founderEmail } = await signUp("founder@lakes.test", "Fay Founder");
const { email: clerkEmail } = await signUp("clerk@lakes.test", "Rosa Clerk");

const run = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "scripts/found.ts", founderEmail, ...args],
    { env: { ...ownEnvironment, SIGNET_LOCAL: folder }, encoding: "utf8" },
  );
  const printed = stdout + stderr;
  return { status, printed, link: /https?:\/\/\S+\/invitation\/\S+/.exec(printed)?.[0] ?? "" };
};
const mailed = (address: string) => expect.poll(() => newestEmailTo(address), { timeout: 30_000 });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const confirm = async (page: Page, name: string) => {
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/^(Access changes( for \d+ people)?:|No one's access changes( until then)?\.)$/).waitFor();
  await dialog.getByRole("button", { name, exact: true }).click();
};

test("a team works from its first administrator until a member leaves", { timeout: 240_000 }, async () => {
  const first = run("Lake district", "--zone", "America/New_York");
  expect([first.status, first.printed]).toEqual([0, expect.stringContaining("is invited as its administrator")]);
  await mailed(founderEmail).toBeDefined();
  expect(linkOf(await newestEmailTo(founderEmail)).fields).toMatchObject({ type: "magiclink", next: first.link });

  const founder = await openPage(founderEmail);
  await founder.goto(first.link);
  await button(founder, "Join Lake district").click();
  await founder.waitForURL(`${siteUrl}/lake-district`);
  expect(run("Lake district").printed).toContain("is already an administrator of “Lake district”");
  await button(founder, "New campaign").first().click();
  await founder.getByRole("textbox", { name: "Name", exact: true }).fill("Clear lakes");
  await founder.keyboard.press("Enter");
  await founder.getByText("Clear lakes created.").waitFor();

  await founder.goto("/lake-district/members");
  await button(founder, "Invite").click();
  const guests = Array.from({ length: 18 }, (_, number) => `guest${number}@lakes.test,Guest ${number},Member,,`);
  const table = [
    "email,name,role,campaign,campaign role",
    "wanda@lakes.test,Wanda Walker,Member,Clear lakes,Canvasser",
    `${clerkEmail},,Field team,Clear lakes,Signature clerk`,
    ...guests,
  ].join("\n");
  await founder
    .getByLabel("Import from a CSV file")
    .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(table) });
  await button(founder, "Preview access").click();
  await founder.getByText("Wanda Walker", { exact: true }).first().waitFor();
  await expectAxeClean(founder);
  await button(founder, "Invite 20 people").click();
  await founder.getByText("20 invitations created. Emails are being sent.").waitFor();
  await button(founder, "Done").click();
  const invitations = founder.getByRole("region", { name: "Open invitations" }).getByRole("listitem");
  const sent = invitations.filter({ has: founder.getByText("sent", { exact: true }) });
  await expect.poll(() => sent.count(), { timeout: 30_000 }).toBe(20);
  await expectAxeClean(founder);

  // This person has no account and no password.
  const canvasser = await openPage(null);
  const invitation = await newestEmailTo("wanda@lakes.test");
  expect(invitation?.html).toContain(
    "invited you to join Lake district on Signet as Member, with access to Clear lakes (Canvasser).",
  );
  await canvasser.goto(linkOf(invitation).path);
  await button(canvasser, "Open invitation").click();
  await canvasser.getByRole("textbox", { name: "Your name" }).waitFor();
  expect(await canvasser.getByRole("textbox", { name: "Your name" }).inputValue()).toBe("Wanda Walker");
  await canvasser.getByLabel("Password (optional)").fill("a-password-of-choice");
  await button(canvasser, "Join Lake district").click();
  await canvasser.waitForURL(`${siteUrl}/lake-district/campaign/clear-lakes`);
  const clerk = await openPage(clerkEmail);
  await clerk.goto(linkOf(await newestEmailTo(clerkEmail)).fields.next ?? "");
  await button(clerk, "Join Lake district").click();
  await clerk.waitForURL(`${siteUrl}/lake-district/campaign/clear-lakes`);

  await canvasser.goto("/lake-district/campaign/clear-lakes/dashboard");
  await button(canvasser, "Request access").click();
  await button(canvasser, "Access requested").waitFor();
  await founder.goto("/lake-district/activity");
  await founder.getByRole("link", { name: "Activity 1 access request" }).waitFor();
  await founder.getByText("from the Dashboard page").waitFor();
  await button(founder, /^Grant/).click();
  await founder.getByText(/^Gains: .*See charts/).waitFor();
  await expectAxeClean(founder);
  await founder.getByRole("dialog").getByRole("button", { name: "Grant access", exact: true }).click();
  await founder.getByText(/ now has the .+ in .+\.$/).waitFor();
  await founder.getByRole("link", { name: "Activity", exact: true }).waitFor();
  await canvasser.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor(); // without a reload

  await founder.goto("/lake-district/members");
  await founder.getByRole("link", { name: "Rosa Clerk" }).click();
  await button(founder, "Suspend").click();
  await confirm(founder, "Suspend member");
  await founder.getByText("Rosa Clerk suspended.").waitFor();
  await clerk.goto("/lake-district/campaign/clear-lakes");
  await clerk.waitForURL(`${siteUrl}/`);

  // A second team takes over the campaign.
  await founder.goto(run("Lake coast").link);
  await button(founder, "Join Lake coast").click();
  await founder.waitForURL(`${siteUrl}/lake-coast`);
  await button(founder, "Add a campaign from another team").click();
  await founder.getByRole("combobox", { name: "Campaign" }).selectOption({ label: "Clear lakes" });
  await button(founder, "Preview changes").click();
  await confirm(founder, "Add campaign");
  await founder.getByRole("link", { name: "Clear lakes" }).first().waitFor();
  await founder.goto("/lake-district/campaign/clear-lakes/settings");
  await button(founder, "Hand over campaign").click();
  await button(founder, "Preview changes").click();
  await confirm(founder, "Hand over campaign");
  await founder.getByText("Campaign handed over.").waitFor();
  await founder.goto("/lake-district/settings");
  await button(founder, "Remove Clear lakes").click();
  await founder.getByRole("dialog").getByText("signatures entered by").waitFor();
  await confirm(founder, "Remove campaign");
  await founder.getByText("Campaign removed from the team.").waitFor();
  await canvasser.goto("/lake-district/campaign/clear-lakes");
  await canvasser.waitForURL(`${siteUrl}/lake-district/campaign/no-access`);

  await canvasser.goto("/lake-district/settings");
  await button(canvasser, "Leave team").click();
  await confirm(canvasser, "Leave team");
  await canvasser
    .getByRole("heading", { level: 1, name: /^(You're not on a team yet|You no longer have access)$/ })
    .waitFor();
});
