import { spawnSync } from "node:child_process";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { z } from "zod";
import { openPage, startBrowser } from "../../support/browser.ts";
import { supabaseUrl } from "../../support/demo.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { linkOf } from "../../support/mail-link.ts";
import { ownEnvironment } from "../../support/own-environment.ts";

// From nothing to a team at work, without SQL: found, invite twenty by a table, accept two, ask, grant.

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const { folder, siteUrl } = inject("signet");
const found = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", "scripts/found.ts", ...args],
    { env: { ...ownEnvironment, SIGNET_LOCAL: folder }, encoding: "utf8" },
  );
  return { status, told: stdout + stderr };
};
const mailsSchema = z.array(z.object({ to: z.string(), subject: z.string(), html: z.string(), sentAt: z.string() }));
const mailTo = async (address: string) => {
  const response = await fetch(`${supabaseUrl}/mail`, { headers: { accept: "application/json" } });
  return mailsSchema.parse(await response.json()).find(({ to }) => to === address);
};
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

test("a team is founded, invites twenty, lets two in where they work, and grants what one asks for", async () => {
  const first = found("outsider@demo.test", "Lake district", "--zone", "America/New_York");
  expect([first.status, first.told]).toEqual([0, expect.stringContaining("is invited to administer it")]);
  const link = /https?:\/\/\S+\/invitation\/\S+/.exec(first.told)?.[0] ?? "";
  expect(found("outsider@demo.test", "Lake district").told).toContain(link);
  await expect.poll(() => mailTo("outsider@demo.test"), { timeout: 20_000 }).toBeDefined();
  expect(linkOf(await mailTo("outsider@demo.test")).fields).toMatchObject({ type: "magiclink", next: link });

  const founder = await openPage(browser, "outsider@demo.test");
  await founder.goto(link);
  await button(founder, "Join Lake district").click();
  await founder.waitForURL(`${siteUrl}/lake-district`);
  expect(found("outsider@demo.test", "Lake district").told).toContain("administers “Lake district” already");
  await button(founder, "New campaign").first().click();
  await founder.keyboard.type("Clear lakes");
  await founder.keyboard.press("Enter");
  await founder.getByText("Campaign created.").waitFor();

  await founder.goto("/lake-district/members");
  await button(founder, "Invite").click();
  const guests = Array.from({ length: 18 }, (_, number) => `guest${number}@lakes.test,Guest ${number},Member,,`);
  const table = [
    "email,name,role,campaign,campaign role",
    "canvasser@demo.test,,Member,Clear lakes,Canvasser",
    "clerk@demo.test,,Field team,Clear lakes,Signature clerk",
    ...guests,
  ].join("\n");
  await founder
    .getByLabel("Take them from a CSV file")
    .setInputFiles({ name: "people.csv", mimeType: "text/csv", buffer: Buffer.from(table) });
  await button(founder, "See what they get").click();
  await founder.getByText("canvasser@demo.test", { exact: true }).waitFor();
  await expectAxeClean(founder);
  await button(founder, "Invite 20 people").click();
  await founder.getByText("20 people are invited. The e-mail is sent when its turn comes.").waitFor();
  await button(founder, "Done").click();
  const invitations = founder.getByRole("region", { name: "Open invitations" }).getByRole("listitem");
  expect(await invitations.count()).toBe(20);
  await expect.poll(() => mailTo("guest17@lakes.test"), { timeout: 30_000 }).toBeDefined();
  await expect
    .poll(() => invitations.filter({ has: founder.getByText("sent", { exact: true }) }).count(), { timeout: 30_000 })
    .toBe(20);
  await expectAxeClean(founder);

  const canvasser = await openPage(browser, "canvasser@demo.test");
  await canvasser.goto(linkOf(await mailTo("canvasser@demo.test")).fields.next ?? "");
  await button(canvasser, "Join Lake district").click();
  await canvasser.waitForURL(`${siteUrl}/lake-district/campaign/clear-lakes`);
  const clerk = await openPage(browser, "clerk@demo.test");
  await clerk.goto(linkOf(await mailTo("clerk@demo.test")).fields.next ?? "");
  await button(clerk, "Join Lake district").click();
  await clerk.waitForURL(`${siteUrl}/lake-district/campaign/clear-lakes`);

  await canvasser.goto("/lake-district/campaign/clear-lakes/dashboard");
  await button(canvasser, "Ask for access").click();
  await button(canvasser, "Asked").waitFor();
  await founder.goto("/lake-district/activity");
  await founder.getByRole("link", { name: "Activity 1 request for access" }).waitFor();
  await founder.getByText("on /lake-district/campaign/clear-lakes/dashboard").waitFor();
  await button(founder, /^Grant/).click();
  await founder.getByText("Gains: See charts").waitFor();
  await expectAxeClean(founder);
  await founder.getByRole("dialog").getByRole("button", { name: "Grant", exact: true }).click();
  await founder.getByText("Campaign access saved.").waitFor();
  await founder.getByRole("link", { name: "Activity", exact: true }).waitFor();
  await canvasser.getByRole("heading", { level: 1, name: "Dashboard" }).waitFor(); // by itself
  await Promise.all([founder, canvasser, clerk].map((page) => page.context().close()));
});
