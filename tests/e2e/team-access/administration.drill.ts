import type { Locator, Page } from "playwright-core";
import { expect, test } from "vitest";
import { openPage } from "../../support/browser.ts";
import { processPermissionChanges, restAsService, rowsOf } from "../../support/demo.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { createOwnTeam, signUp } from "../../support/own-team.ts";

// What an administrator does on screens by keyboard, and the effect on other people.

const own = await createOwnTeam({
  admin: { team: "Administrator" },
  analyst: { team: "Member", campaign: "Analyst" },
  clerk: { team: "Field team", campaign: "Signature clerk" },
  canvasser: { team: "Field team", campaign: "Canvasser" },
  newest: { team: "Member" },
});
const { admin, analyst, clerk, canvasser, newest } = own.people;
const [team, campaign] = [own.name, own.campaignName];
const outsider = await signUp(`outsider-${own.team}@people.test`, "Nell Varga");

const open = async ({ email }: { email: string } = admin, path = "") => {
  const page = await openPage(email);
  await page.goto(`/${own.team}${path}`);
  return page;
};
const press = async (page: Page, button: Locator, key = "Enter") => {
  await button.focus();
  await page.keyboard.press(key);
};
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const dialog = (page: Page) => page.getByRole("dialog");
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const selected = (list: Locator) => list.evaluate((select: HTMLSelectElement) => select.selectedOptions[0]?.text);

/** The preview of a change. */
const effects = async (page: Page) => {
  await page.getByText(/^(Access changes|No one's access changes)/).waitFor();
  return dialog(page).innerText();
};
const confirm = async (page: Page, name: string, message: string) => {
  await effects(page);
  await press(page, dialog(page).getByRole("button", { name, exact: true }));
  await page.getByText(message, { exact: true }).waitFor();
  await dialog(page).waitFor({ state: "hidden" });
};

const ofAnalyst = `team_users?user_id=eq.${analyst.id}&team_id=eq.${own.team}`;
const roleOfAnalyst = async () => (await rowsOf(`${ofAnalyst}&select=role_id`))[0]?.role_id;
const roleNamed = async (name: string) =>
  (await rowsOf(`roles?name=eq.${name}&or=(team_id.is.null,team_id.eq.${own.team})&select=id`))[0]?.id;
const setRole = async (name: string) => {
  await restAsService(ofAnalyst, { method: "PATCH", body: { role_id: await roleNamed(name) } });
  await processPermissionChanges();
};

test("an invitation link works only for its address, with or without an account, and a member is removed", async () => {
  const page = await open(admin, "/members");
  /** Invites an address without an email; returns the link. */
  const invite = async (address: string) => {
    await press(page, button(page, "Invite"));
    await page.getByRole("textbox", { name: "Email addresses" }).fill(address);
    await page.getByRole("checkbox", { name: "Send invitations by email" }).uncheck();
    await press(page, button(page, "Preview access"));
    await press(page, button(page, "Invite 1 person"));
    const link = await page.getByRole("textbox", { name: "Invitation link" }).inputValue();
    await press(page, button(page, "Done"));
    return link;
  };
  const link = await invite(outsider.email);
  const invitations = page.getByRole("region", { name: "Open invitations" }).getByRole("listitem");
  await invitations.filter({ hasText: new RegExp(`${outsider.email}.*Member.*Invited by ${admin.name}`) }).waitFor();
  const other = await openPage(canvasser.email);
  await other.goto(link);
  await other.getByText(`this invitation is for ${outsider.email}`).waitFor();
  await button(other, "Sign out and continue").waitFor();
  expect(await button(other, /^Join/).count()).toBe(0);
  const joins = await openPage(outsider.email);
  await joins.goto(link);
  await press(joins, button(joins, `Join ${team}`));
  await heading(joins, "No campaigns yet");

  const address = `newcomer-${own.team}@people.test`;
  const newcomer = await openPage(null);
  await newcomer.goto(await invite(address));
  await newcomer.getByRole("textbox", { name: "Your name" }).fill("Noor Amari");
  await newcomer.getByLabel(/^Password/).fill("too short");
  await newcomer.keyboard.press("Enter");
  await newcomer.getByText("Password must have at least 10 characters.").waitFor();
  expect(await newcomer.getByRole("textbox", { name: "Your name" }).inputValue()).toBe("Noor Amari");
  await newcomer.getByLabel(/^Password/).fill("a-password-of-choice");
  await newcomer.keyboard.press("Enter");
  await press(newcomer, button(newcomer, `Join ${team}`));
  await heading(newcomer, "No campaigns yet");

  const revoked = await invite(`guest-${own.team}@people.test`);
  await press(page, button(page, /^Revoke invitation for guest/));
  await press(page, dialog(page).getByRole("button", { name: "Revoke invitation" }));
  await page.getByText("Invitation revoked.").waitFor();
  await newcomer.goto(revoked);
  await newcomer.getByText(/^The invitation to .* was revoked$/).waitFor();

  await page.reload();
  await press(page, page.getByRole("link", { name: "Nell Varga" }));
  await press(page, button(page, "Remove from team"));
  expect(await effects(page)).toContain(`Loses access to ${team}`);
  await press(page, dialog(page).getByRole("button", { name: "Remove from team", exact: true }));
  await page.waitForURL(`**/${own.team}/members`);
  await page.getByText("Nell Varga removed from the team.").waitFor();
  await joins.goto(`/${own.team}`);
  await heading(joins, "You no longer have access");
});

test("a role is changed after a preview, applies to the next request, and never overwrites a newer one", async () => {
  const page = await open(admin, `/members/${analyst.id}`);
  const role = page.getByRole("combobox", { name: "Team role" });
  const choose = async (label: string) => {
    await role.selectOption({ label });
    await press(page, button(page, "Save membership"));
    return effects(page);
  };
  const seen = await choose("Office");
  expect(seen).toContain(analyst.name);
  expect(seen).toContain("Gains: Search voters · See members");
  expect(seen).not.toContain("Loses");
  await page.keyboard.press("Escape");
  expect(await roleOfAnalyst()).toBe(await roleNamed("Member"));
  await expect.poll(() => selected(role)).toBe("Member"); // a canceled change resets the form

  await choose("Office");
  await confirm(page, "Change role", `${analyst.name} now has the Office role.`);
  const theirs = await open(analyst, "/members");
  await heading(theirs, "Members");

  expect(await choose("Member")).toContain("Loses: Search voters · See members");
  await setRole("Field%20team");
  await press(page, dialog(page).getByRole("button", { name: "Change role" }));
  await page.getByText("Someone else changed this, so nothing was saved.").waitFor();
  await press(page, button(page, "Reload"));
  await expect.poll(() => selected(role)).toBe("Field team");
  await theirs.reload();
  await heading(theirs, `You can't open Members in ${team}`);
  await setRole("Member");
});

test("a role and a set are created, filled in the matrix, kept while in use, and deleted", async () => {
  const page = await open(admin, "/roles");
  const tab = (name: string) =>
    page.getByRole("navigation", { name: "Roles" }).getByRole("link", { name, exact: true });
  await press(page, button(page, "New role"));
  await page.locator("input:focus").waitFor();
  await page.keyboard.press("Enter");
  await page.getByText("Enter a name.").waitFor();
  await page.locator("input:focus").waitFor();
  await page.keyboard.type("Greeter");
  await page.keyboard.press("Enter");
  await page.getByText("Greeter created.").waitFor();
  await dialog(page).waitFor({ state: "hidden" });
  await press(page, tab("Permission sets"));
  await press(page, button(page, "New permission set"));
  await page.locator("input:focus").waitFor();
  await page.keyboard.type("Greeting");
  await page.keyboard.press("Enter");
  await page.getByText("Greeting created.").waitFor();

  await press(page, tab("Roles"));
  await press(page, button(page, "Edit permission sets for Greeter"));
  await press(page, dialog(page).getByRole("checkbox", { name: /^Greeting/ }), "Space");
  await press(page, dialog(page).getByRole("button", { name: "Preview changes", exact: true }));
  await confirm(page, "Change permission sets", "Greeter saved.");
  await setRole("Greeter");

  await press(page, tab("Permission sets"));
  await press(page, page.getByRole("checkbox", { name: "Greeting: See members" }), "Space");
  await press(page, button(page, "Preview changes"));
  expect(await effects(page)).toContain("Gains: See members");
  await confirm(page, "Change permission set", "Greeting saved.");
  await heading(await open(analyst, "/members"), "Members");

  await press(page, tab("Who can do what"));
  await page.getByRole("combobox", { name: "Permission" }).selectOption({ label: "See members" });
  await press(page, button(page, "Show people"));
  await page.getByText("2 people have the permission “See members” team-wide.").waitFor();
  await page
    .getByRole("listitem")
    .filter({ hasText: `${analyst.name}Greeter role in ${team}, through the Greeting permission set` })
    .waitFor();
  await press(page, page.getByRole("link", { name: analyst.name }));
  await page.getByText(`${analyst.name} has the permission “See members” in ${team}.`).waitFor();

  await page.goto(`/${own.team}/roles`);
  await press(page, button(page, "Delete Greeter"));
  await page.getByText("1 member has this role. Give them another role, then delete Greeter.").waitFor();
  await press(page, button(page, "Cancel"));
  await setRole("Member");
  await page.reload();
  await press(page, button(page, "Delete Greeter"));
  await confirm(page, "Delete role", "Greeter deleted.");
  await press(page, tab("Permission sets"));
  await press(page, button(page, "Delete Greeting"));
  await confirm(page, "Delete permission set", "Greeting deleted.");
  expect(await roleNamed("Greeter")).toBeUndefined();
});

test("a campaign is created after a corrected error, edited and archived, each with an entry in the activity", async () => {
  const page = await open();
  const id = `arbol-${own.team}`;
  await press(page, button(page, "New campaign"));
  await page.locator("input:focus").waitFor();
  await page.keyboard.type(`Árbol ${own.team}`);
  const goal = page.getByRole("textbox", { name: "Goal" });
  await goal.fill("many");
  await page.keyboard.press("Enter");
  await page.getByText("Enter a whole number from 1 to 100,000,000.").waitFor();
  expect(await goal.inputValue()).toBe("many");
  expect(await page.getByRole("textbox", { name: "Web address" }).inputValue()).toBe(id);
  await goal.fill("1200");
  await page.keyboard.press("Enter");
  await page.getByText(`Árbol ${own.team} created.`).waitFor();
  await page.waitForURL(`/${own.team}/campaign/${id}`);
  await press(page, page.getByRole("link", { name: "Campaign settings" }));
  await page.getByRole("textbox", { name: "Goal" }).fill("1,500");
  await page.keyboard.press("Enter");
  await page.getByText(`Árbol ${own.team} saved.`).waitFor();
  await press(page, button(page, "Archive campaign"));
  await confirm(page, "Archive campaign", `Árbol ${own.team} archived.`);
  await button(page, "Restore campaign").waitFor();
  await page.goto(`/${own.team}/campaign/${id}/signatures`);
  await page.getByText("This campaign is archived, so you can't enter lines.").waitFor();
  await page.goto(`/${own.team}`);
  await page.getByRole("table", { name: "Archived campaigns" }).getByText(`Árbol ${own.team}`).waitFor();

  await page.goto(`/${own.team}/activity?campaign=${id}`);
  const text = await page.getByRole("main").innerText();
  expect(text).toContain(`${admin.name} archived the campaign Árbol ${own.team}`);
  expect(text).toMatch(/changed the campaign Árbol .*\s+goal: 1,200 →\s+changed to\s+1,500/);
  expect(await page.getByRole("main").getByRole("listitem").filter({ hasText: campaign }).count()).toBe(0);
  const href = await page.getByRole("link", { name: "Download CSV" }).getAttribute("href");
  const csv = await page.evaluate(async (path) => (await fetch(path)).text(), href ?? "");
  expect(csv.split("\r\n")).toHaveLength(5); // head, three lines, end
});

test("time zone and locale are previewed, apply to the next page, and are in the activity", async () => {
  const page = await open(admin, "/settings");
  const main = page.getByRole("main");
  const locale = page.getByRole("combobox", { name: "Number and date format" });
  await locale.selectOption({ label: "German (Germany)" });
  await main.getByText("12.500").waitFor();
  await page.getByRole("combobox", { name: "Time zone" }).selectOption("Europe/Berlin");
  await button(page, "Save").click();
  await page.getByText("Team settings saved.").waitFor();
  await page.goto(`/${own.team}/activity?area=team`);
  await main.getByText(/^Times are in Central European Time/).waitFor();
  expect(await main.innerText()).toMatch(
    /numbers and dates: English \(United States\) →\s+changed to\s+German \(Germany\)/,
  );
  const theirs = await open(clerk, "/settings");
  await theirs.getByText("Dates and times are shown in Central European Time").waitFor();
  expect(await button(theirs, "Save").count()).toBe(0);
});

test("leaving unsaved changes asks first, by a link and by Back", async () => {
  const page = await open(admin, "/settings");
  const link = page.getByRole("link", { name: "Activity", exact: true });
  const leaveDialog = page.getByRole("dialog", { name: "Leave without saving?" });
  const name = page.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("Riverbank");
  await link.click();
  await leaveDialog.getByRole("button", { name: "Stay", exact: true }).click();
  expect(await name.inputValue()).toBe("Riverbank");
  await link.click();
  await leaveDialog.getByRole("button", { name: "Discard and leave" }).click();
  await heading(page, "Activity");

  await page.goto(`/${own.team}/members?words=newest`);
  await page.getByRole("link", { name: newest.name }).click();
  await page.getByRole("combobox", { name: "Team role" }).selectOption({ index: 1 });
  await page.getByRole("combobox", { name: "Add a campaign" }).selectOption({ index: 1 });
  await page
    .getByRole("link", { name: /Show why$/ })
    .first()
    .click(); // the same page
  await page.waitForURL(/\?why=/);
  for (let back = 0; back < 2; back++) {
    await page.evaluate(() => history.back());
    await leaveDialog.getByRole("button", { name: "Discard and leave" }).click();
    await leaveDialog.waitFor({ state: "hidden" });
  }
  await heading(page, "Members");
});

test.each([
  ["/members", "Invite", "Email addresses"],
  ["/roles", "New role", "Type"],
  ["/roles?show=administrators", `Edit permission sets for administrators: ${campaign}`, "Preview changes"],
  ["/settings", "Leave team", "The team needs at least one active administrator without an end date."],
  ["", "New campaign", "First day"],
  [`/campaign/${own.campaign}/settings`, "Archive campaign", "No one's access changes."],
  [`/members/${analyst.id}`, "Suspend", "Access changes:"],
])("%s: the dialog of “%s” is readable, fits a phone, and returns the focus", async (path, opener, shows) => {
  const page = await open(admin, path);
  await page.setViewportSize({ width: 375, height: 800 });
  await press(page, button(page, opener).first());
  await dialog(page).getByText(shows).first().waitFor();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    await expectAxeClean(page);
  }
  const box = await dialog(page).boundingBox();
  expect(box && [box.x >= 0, box.x + box.width <= 375, box.y >= 0, box.y + box.height <= 800]).toEqual(
    Array(4).fill(true),
  );
  await page.keyboard.press("Escape");
  await dialog(page).waitFor({ state: "hidden" });
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(opener);
});

test("many members are paged; filter, order and page are restored by Back, and the filter applies to the file", {
  timeout: 120_000,
}, async () => {
  const [member] = await rowsOf(`roles?name=eq.Member&team_id=is.null&select=id`);
  const walkers = await Promise.all(
    Array.from({ length: 53 }, async (_, place) => {
      const name = `walker-${String(place).padStart(2, "0")}`;
      return signUp(`${name}-${own.team}@people.test`, name);
    }),
  );
  await restAsService("team_users", {
    method: "POST",
    body: walkers.map(({ id }) => ({ user_id: id, team_id: own.team, role_id: member?.id, status: "suspended" })),
  });
  const page = await open(admin, "/members");
  await page.getByText(/^1–50 of 5\d members$/).waitFor();
  await page.getByRole("searchbox", { name: "Search" }).fill("WALKER");
  await page.getByText(/^1–50 of 53 of 5\d members$/).waitFor();
  await page.getByRole("link", { name: "Member", exact: true }).click();
  await page.getByRole("link", { name: "walker-52" }).waitFor();
  // The header stays while scrolling.
  await page.evaluate(() => window.scrollTo(0, 900));
  expect((await page.getByRole("columnheader", { name: "Member" }).boundingBox())?.y).toBe(48);
  await page.getByRole("link", { name: "Next" }).click();
  const last = page.getByText(/^51–53 of 53 of 5\d members$/);
  await last.waitFor();
  await page.getByRole("link", { name: "walker-01" }).click();
  await heading(page, "walker-01");
  await page.goBack();
  await last.waitFor();
  expect(await page.getByRole("searchbox", { name: "Search" }).inputValue()).toBe("WALKER");
  expect(await page.getByRole("columnheader", { name: "Member" }).getAttribute("aria-sort")).toBe("descending");

  // Members selected on all pages are changed at once, after a preview.
  await page.getByRole("checkbox", { name: "Select all on this page" }).click();
  await button(page, "Select all 53").click();
  await page.getByText("53 selected").waitFor();
  await press(page, button(page, "Change campaign role"));
  await dialog(page).getByRole("combobox", { name: "Campaign" }).selectOption({ label: campaign });
  await dialog(page).getByRole("combobox", { name: "Role" }).selectOption({ label: "Canvasser" });
  await press(page, button(page, "Preview changes"));
  expect(await effects(page)).toContain(`Assign Canvasser in ${campaign} to 53 members?`);
  await page.keyboard.press("Escape");
  const href = await page.getByRole("link", { name: "Download CSV" }).getAttribute("href");
  const csv = await page.evaluate(async (path) => (await fetch(path)).text(), href ?? "");
  expect(csv.trimEnd().split("\r\n")).toHaveLength(54);
});
