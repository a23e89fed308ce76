import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { readAccessRows, restoreAccessRows } from "../../support/access-rows.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { carryOutChanges, restAsService, signInOverApi } from "../../support/demo.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";

// What an administrator does on screens, by keyboard, and what those meet who may not. Each test leaves the demo as it was.

let browser: Browser;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());

const { userId: analyst } = await signInOverApi("analyst@demo.test");
const analystsRow = `team_users?user_id=eq.${analyst}&team_id=eq.riverside`;
const rowsSchema = z.array(z.looseObject({ id: z.string(), role_id: z.string().optional() }));
const rows = async (path: string) => rowsSchema.parse(await restAsService(path, { method: "GET" }));
const roleOf = async (path: string) => (await rows(`${path}&select=id,role_id`))[0]?.role_id;
const roleNamed = async (name: string) => (await rows(`roles?name=eq.${encodeURIComponent(name)}&select=id`))[0]?.id;

const press = async (page: Page, button: Locator, key = "Enter") => {
  await button.focus();
  await page.keyboard.press(key);
};
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const dialog = (page: Page) => page.getByRole("dialog");
const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Roles" }).getByRole("link", { name, exact: true });
// The answer is known, and the focus stands where one says yes or no.
const effects = async (page: Page) => {
  await page.getByText(/^(This changes the access of|Nobody's access changes)/).waitFor();
  return dialog(page).innerText();
};
const confirm = async (page: Page, name: string, told: string) => {
  await press(page, dialog(page).getByRole("button", { name, exact: true }));
  await page.getByText(told, { exact: true }).waitFor();
  await dialog(page).waitFor({ state: "hidden" });
};
const setRole = async (roleId: string | undefined) => {
  await restAsService(analystsRow, { method: "PATCH", body: { role_id: roleId } });
  await carryOutChanges();
};

/** Invites an address without an e-mail, on the page of members; gives the link. */
const inviteByLink = async (admin: Page, address: string) => {
  await press(admin, button(admin, "Invite"));
  await admin.getByRole("textbox", { name: "E-mail addresses" }).fill(address);
  await admin.getByRole("checkbox", { name: "E-mail the invitations" }).uncheck();
  await press(admin, button(admin, "See what they get"));
  await press(admin, button(admin, "Invite 1 person"));
  const link = await admin.getByRole("textbox", { name: "Invitation link" }).inputValue();
  await press(admin, button(admin, "Done"));
  return link;
};

test("an invitation is made, accepted once by its address alone, and the member removed again", async () => {
  const admin = await openPage(browser, "admin@demo.test");
  await admin.goto("/riverside/members");
  await press(admin, button(admin, "Invite"));
  await admin.keyboard.type("nonsense");
  await press(admin, button(admin, "See what they get"));
  await admin.getByText("Line 1: “nonsense” is no e-mail address.").waitFor();
  expect(await admin.getByRole("textbox", { name: "E-mail addresses" }).inputValue()).toBe("nonsense");
  await admin.keyboard.press("Escape");
  const link = await inviteByLink(admin, "outsider@demo.test");
  const invitations = admin.getByRole("region", { name: "Open invitations" }).getByRole("listitem");
  await invitations.filter({ hasText: "outsider@demo.test as Member, by Ada Moreno" }).waitFor();

  const other = await openPage(browser, "canvasser@demo.test");
  await other.goto(link);
  await other.getByText("the invitation works for outsider@demo.test alone").waitFor();
  expect(await button(other, /^Join/).count()).toBe(0);
  const stranger = await openPage(browser, null);
  await stranger.goto(link);
  const signIn = await stranger.getByRole("link", { name: "Sign in" }).getAttribute("href");
  expect(signIn).toBe(`/login?next=${encodeURIComponent(new URL(link).pathname)}`);

  const outsider = await openPage(browser, "outsider@demo.test");
  await outsider.goto(link);
  await press(outsider, button(outsider, "Join Riverside"));
  await outsider.getByRole("heading", { level: 1, name: "No campaign is open to you yet" }).waitFor();
  await outsider.goto(link);
  await outsider.getByRole("heading", { level: 1, name: "This invitation is not open" }).waitFor();

  await admin.reload();
  await press(admin, admin.getByRole("link", { name: "Nell Varga" }));
  await press(admin, button(admin, "Remove from the team"));
  expect(await effects(admin)).toContain("Riverside, whole team closes");
  const { userId } = await signInOverApi("outsider@demo.test");
  await press(admin, dialog(admin).getByRole("button", { name: "Remove", exact: true }));
  await admin.getByRole("heading", { level: 1, name: "Not a member of this team" }).waitFor();
  await press(admin, admin.getByRole("link", { name: "All members" }));
  await admin.getByText("6 members").waitFor();
  expect(await rows(`team_users?user_id=eq.${userId}&select=id`)).toEqual([]);
  await outsider.goto("/riverside");
  await outsider.getByRole("heading", { level: 1, name: "No access yet" }).waitFor();
  await Promise.all([admin, other, stranger, outsider].map((page) => page.context().close()));
});

test("somebody without an account creates one for the invited address, and joins", async () => {
  const address = "newcomer@people.test";
  const admin = await openPage(browser, "admin@demo.test");
  await admin.goto("/riverside/members");
  const link = await inviteByLink(admin, address);

  const newcomer = await openPage(browser, null);
  await newcomer.goto(link);
  await newcomer.getByRole("textbox", { name: "Your name" }).fill("Noor Amari");
  await newcomer.getByLabel("Password").fill("too short");
  await newcomer.keyboard.press("Enter");
  await newcomer.getByText("Password must have at least 10 characters.").waitFor();
  expect(await newcomer.getByRole("textbox", { name: "Your name" }).inputValue()).toBe("Noor Amari");
  await newcomer.getByLabel("Password").fill("a password of her own");
  await newcomer.keyboard.press("Enter");
  await press(newcomer, button(newcomer, "Join Riverside"));
  await newcomer.getByRole("heading", { level: 1, name: "No campaign is open to you yet" }).waitFor();

  await admin.goto("/riverside/members");
  await press(admin, admin.getByRole("link", { name: "Noor Amari" }));
  await admin.getByText(address).waitFor();
  await press(admin, button(admin, "Remove from the team"));
  await effects(admin);
  await press(admin, dialog(admin).getByRole("button", { name: "Remove", exact: true }));
  await admin.getByRole("heading", { level: 1, name: "Not a member of this team" }).waitFor();
  await Promise.all([admin, newcomer].map((page) => page.context().close()));
});

test("an invitation that was revoked opens nothing", async () => {
  const admin = await openPage(browser, "admin@demo.test");
  await admin.goto("/riverside/members");
  const link = await inviteByLink(admin, "outsider@demo.test");
  await press(admin, button(admin, "Revoke the invitation of outsider@demo.test"));
  await admin.getByText("Invitation revoked.").waitFor();
  const outsider = await openPage(browser, "outsider@demo.test");
  await outsider.goto(link);
  await outsider.getByText("This invitation was revoked.").waitFor();
  expect(await button(outsider, /^Join/).count()).toBe(0);
  await Promise.all([admin.context().close(), outsider.context().close()]);
});

test("a role is changed after its gains were seen, holds on her next request, and is changed back", async () => {
  const before = await roleOf(analystsRow);
  const admin = await openPage(browser, "admin@demo.test");
  const page = await openPage(browser, "analyst@demo.test");
  try {
    await admin.goto(`/riverside/members/${analyst}`);
    const role = admin.getByRole("combobox", { name: "Role in the team" });
    await role.selectOption({ label: "Office" });
    await press(admin, button(admin, "Change role"));
    const seen = await effects(admin);
    expect(seen).toContain("Priya Raman");
    expect(seen).toContain("Gains: Search voters · See members");
    expect(seen).not.toContain("Loses");
    await admin.keyboard.press("Escape");
    expect(await roleOf(analystsRow)).toBe(before);
    // A cancelled change leaves no trace in the form.
    await expect.poll(() => role.evaluate((list: HTMLSelectElement) => list.selectedOptions[0]?.text)).toBe("Member");

    await role.selectOption({ label: "Office" });
    await press(admin, button(admin, "Change role"));
    await effects(admin);
    await confirm(admin, "Change role", "Role changed.");
    expect(await roleOf(analystsRow)).toBe(await roleNamed("Office"));
    await page.goto("/riverside/members");
    await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();

    await role.selectOption({ label: "Member" });
    await press(admin, button(admin, "Change role"));
    expect(await effects(admin)).toContain("Loses: Search voters · See members");
    await confirm(admin, "Change role", "Role changed.");
    await page.goto("/riverside/members");
    await page.getByRole("heading", { level: 1, name: "You can't open the members of Riverside" }).waitFor();
  } finally {
    await setRole(before);
  }
  await Promise.all([admin.context().close(), page.context().close()]);
});

test("what somebody else changed meanwhile is told, not overwritten, and shown as it is now", async () => {
  const before = await roleOf(analystsRow);
  const fieldTeam = await roleNamed("Field team");
  const admin = await openPage(browser, "admin@demo.test");
  try {
    await admin.goto(`/riverside/members/${analyst}`);
    const role = admin.getByRole("combobox", { name: "Role in the team" });
    await role.selectOption({ label: "Office" });
    await press(admin, button(admin, "Change role"));
    await effects(admin);
    await setRole(fieldTeam);
    await press(admin, dialog(admin).getByRole("button", { name: "Change role" }));
    await admin.getByText("This was changed meanwhile, and nothing was saved.").waitFor();
    expect(await roleOf(analystsRow)).toBe(fieldTeam);
    await press(admin, button(admin, "Show how it is now"));
    await expect
      .poll(() => role.evaluate((list: HTMLSelectElement) => list.selectedOptions[0]?.text))
      .toBe("Field team");
  } finally {
    await setRole(before);
  }
  await admin.context().close();
});

test("several members are changed at once: what each loses is seen first", async () => {
  const admin = await openPage(browser, "admin@demo.test");
  await admin.goto("/riverside/members");
  await press(admin, admin.getByRole("checkbox", { name: "Select Jun Park" }), "Space");
  await press(admin, admin.getByRole("checkbox", { name: "Select Malik Osei" }), "Space");
  await press(admin, button(admin, "Campaign role"));
  await dialog(admin).getByRole("combobox", { name: "Campaign" }).selectOption({ label: "Safe streets" });
  await dialog(admin).getByRole("combobox", { name: "Role there" }).selectOption({ label: "Canvasser" });
  await press(admin, button(admin, "See what changes"));
  const seen = await effects(admin);
  expect(seen).toContain("Give 2 members the role Canvasser in Safe streets?");
  expect(seen).toContain("Safe streets opens");
  await admin.keyboard.press("Escape");
  await dialog(admin).waitFor({ state: "hidden" });
  expect(await restAsService("campaign_user_roles_team?campaign_id=eq.safe-streets", { method: "GET" })).toEqual([]);
  await admin.context().close();
});

test("a role and a set are created, filled in the matrix, refused for deletion while in use, and deleted", async () => {
  const before = await roleOf(analystsRow);
  const admin = await openPage(browser, "admin@demo.test");
  const page = await openPage(browser, "analyst@demo.test");
  try {
    await admin.goto("/riverside/roles");
    await press(admin, button(admin, "New role"));
    await admin.keyboard.press("Enter");
    await admin.getByText("Name is missing.").waitFor();
    await admin.keyboard.type("Greeter");
    await admin.keyboard.press("Enter");
    await admin.getByText("Role created.").waitFor();
    await press(admin, tab(admin, "Sets"));
    await press(admin, button(admin, "New set"));
    await admin.keyboard.type("Greeting");
    await admin.keyboard.press("Enter");
    await admin.getByText("Permission set created.").waitFor();

    await press(admin, tab(admin, "Roles"));
    await press(admin, button(admin, "Sets of Greeter"));
    await press(admin, dialog(admin).getByRole("checkbox", { name: /^Greeting/ }), "Space");
    await press(admin, button(admin, "Use these sets"));
    expect(await effects(admin)).toContain("Nobody's access changes.");
    await confirm(admin, "Save role", "Role saved.");
    await setRole(await roleNamed("Greeter"));

    await press(admin, tab(admin, "Sets"));
    await press(admin, admin.getByRole("checkbox", { name: "Greeting: See members" }), "Space");
    await press(admin, button(admin, "See what changes"));
    const seen = await effects(admin);
    expect(seen).toContain("Priya Raman");
    expect(seen).toContain("Gains: See members");
    await confirm(admin, "Save sets", "Permission sets saved.");
    await page.goto("/riverside/members");
    await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();

    await press(admin, tab(admin, "Who can …?"));
    await admin.getByRole("combobox", { name: "Permission" }).selectOption({ label: "See members" });
    await press(admin, button(admin, "Show who"));
    await admin.getByText("3 people in Riverside: See members").waitFor();
    await admin.getByRole("listitem").filter({ hasText: "Priya Ramanby Greeting · Greeter in the team" }).waitFor();
    await press(admin, admin.getByRole("link", { name: "Priya Raman" }));
    await admin.getByText("Priya Raman holds “See members” in Riverside.").waitFor();

    await admin.goto("/riverside/roles");
    await press(admin, button(admin, "Delete Greeter"));
    await admin.getByText("It is in use: 1 member.").waitFor();
    await admin.getByText("This is in use, and was not deleted.").waitFor();
    await press(admin, button(admin, "Show how it is now"));
    expect(await roleNamed("Greeter")).toBeDefined();
  } finally {
    await setRole(before);
  }
  await admin.reload();
  await press(admin, button(admin, "Delete Greeter"));
  await effects(admin);
  await confirm(admin, "Delete role", "Role deleted.");
  await press(admin, tab(admin, "Sets"));
  await press(admin, button(admin, "Copy Voter search"));
  expect(await admin.getByRole("textbox", { name: "Name" }).inputValue()).toBe("Copy of Voter search");
  await admin.keyboard.press("Enter");
  await admin.getByText("Permission set created.").waitFor();
  await expect
    .poll(() => admin.getByRole("checkbox", { name: "Copy of Voter search: Search voters" }).isChecked())
    .toBe(true);
  await press(admin, button(admin, "Delete Copy of Voter search"));
  await effects(admin);
  await confirm(admin, "Delete set", "Permission set deleted.");
  await press(admin, button(admin, "Delete Greeting"));
  await effects(admin);
  await confirm(admin, "Delete set", "Permission set deleted.");
  expect(await roleNamed("Greeter")).toBeUndefined();
  await Promise.all([admin.context().close(), page.context().close()]);
});

test("why, and asking for access: the refusal explains itself, and the request is in the activity", async () => {
  const page = await openPage(browser, "canvasser@demo.test");
  await page.goto("/riverside/members");
  await press(page, page.getByText("Why?"));
  await page
    .getByText("In the whole team, the role “Field team” has “Voter search”, which does not include it.")
    .waitFor();
  await press(page, button(page, "Ask for access"));
  await button(page, "Asked").waitFor();
  await page.reload();
  await page.getByText("The administrators of the team see it, and their answer shows here at once.").waitFor();

  const admin = await openPage(browser, "admin@demo.test");
  await admin.goto("/riverside/activity?area=requests");
  await admin.getByRole("listitem").filter({ hasText: "Malik Osei asked for “See members” in the team" }).waitFor();
  await press(admin, admin.getByRole("link", { name: "Open Malik Osei" }));
  await admin.getByText("Malik Osei does not hold “See members” in Riverside.").waitFor();
  await admin.getByRole("combobox", { name: "Permission" }).selectOption({ label: "Search voters" });
  await press(admin, button(admin, "Explain"));
  await admin.getByText("Malik Osei holds “Search voters” in Riverside.").waitFor();
  await admin.getByText("the role “Field team” has “Voter search”, which includes it.").waitFor();
  await admin.goto("/riverside/activity");
  await press(admin, button(admin, "Close the request of Malik Osei for See members"));
  await admin.getByText("Request closed.").waitFor();
  await page.getByText("without access. You can ask again.").waitFor(); // on the page that stayed open
  await expect.poll(() => admin.getByRole("link", { name: "Open Malik Osei" }).count()).toBe(0);
  await Promise.all([admin.context().close(), page.context().close()]);
});

test("a campaign is created, keeps what was typed with its error, is edited and archived, each with its line", async () => {
  const admin = await openPage(browser, "admin@demo.test");
  try {
    await admin.goto("/riverside");
    await press(admin, button(admin, "New campaign"));
    await admin.keyboard.type("Árbol 2027");
    const goal = admin.getByRole("textbox", { name: "Goal" });
    await goal.fill("many");
    await admin.keyboard.press("Enter");
    await admin.getByText("Goal is no whole number from 1 to 100,000,000.").waitFor();
    expect(await goal.inputValue()).toBe("many");
    expect(await admin.getByRole("textbox", { name: "Id" }).inputValue()).toBe("arbol-2027");
    await goal.fill("1200");
    await admin.keyboard.press("Enter");
    await admin.getByText("Campaign created.").waitFor();
    await press(admin, admin.getByRole("link", { name: "Árbol 2027" }));
    await press(admin, button(admin, "Edit"));
    await admin.getByRole("textbox", { name: "Goal" }).fill("1500");
    await admin.keyboard.press("Enter");
    await admin.getByText("Campaign saved.").waitFor();
    await press(admin, button(admin, "Archive"));
    expect(await effects(admin)).toContain("Nobody's access changes.");
    await confirm(admin, "Archive", "Campaign saved.");
    await button(admin, "Bring back").waitFor();
    await admin.goto("/riverside");
    await admin.getByRole("table", { name: "Archived campaigns" }).getByText("Árbol 2027").waitFor();

    await admin.goto("/riverside/activity?campaign=arbol-2027");
    const text = await admin.getByRole("main").innerText();
    expect(text).toContain("Ada Moreno archived the campaign “Árbol 2027”");
    expect(text).toMatch(/Ada Moreno edited the campaign “Árbol 2027”\s+goal: 1,200 →\s+becomes\s+1,500/);
    expect(text).toContain("Ada Moreno added the campaign “Árbol 2027” to the team");
    expect(text).not.toContain("Clean water”");
    const href = await admin.getByRole("link", { name: "Download CSV" }).getAttribute("href");
    const csv = await admin.evaluate(async (path) => (await fetch(path)).text(), href ?? "");
    expect(csv.split("\r\n")).toHaveLength(5); // head, three lines, end
  } finally {
    await restAsService("campaign_team?campaign_id=eq.arbol-2027", { method: "DELETE" });
    await restAsService("campaigns?id=eq.arbol-2027", { method: "DELETE" });
    await carryOutChanges();
  }
  await admin.context().close();
});

// Opens the choice of campaigns that can come into Hillside; chooses Safe streets and has its effects worked out.
const chooseSafeStreets = async (page: Page) => {
  await page.goto("/hillside");
  await press(page, button(page, "Add from another team"));
  const campaign = dialog(page).getByRole("combobox", { name: "Campaign" });
  await expect.poll(() => campaign.evaluate((list) => list === document.activeElement)).toBe(true);
  await page.keyboard.type("Safe");
  await expect
    .poll(() => campaign.evaluate((list: HTMLSelectElement) => list.selectedOptions[0]?.text))
    .toBe("Safe streets");
  await press(page, button(page, "See what changes"));
  await page.getByRole("heading", { name: "Add Safe streets to Hillside?" }).waitFor();
};
const add = (table: string, row: object) => restAsService(table, { method: "POST", body: row });
const hillsidesStreets = "campaign_team?team_id=eq.hillside&campaign_id=eq.safe-streets";
const campaignsOfHillside = (page: Page) => page.getByRole("table", { name: "Running campaigns" }).getByRole("link");

test("who manages two teams brings a campaign of one into the other, after seeing whom it opens to", async () => {
  const before = await readAccessRows();
  const { userId } = await signInOverApi("admin@demo.test");
  try {
    const role_id = await roleNamed("Administrator");
    await add("team_users", { user_id: userId, team_id: "hillside", role_id, status: "active" });
    await carryOutChanges();
    const admin = await openPage(browser, "admin@demo.test");
    await chooseSafeStreets(admin);
    const seen = await effects(admin);
    expect(seen).toContain("This changes the access of 2 people.");
    expect(seen).toContain("Hugo Ferrer");
    expect(seen).toContain("Safe streets opens");
    expect(await restAsService(hillsidesStreets, { method: "GET" })).toEqual([]);
    await confirm(admin, "Add campaign", "Campaign added to the team.");
    expect(await restAsService(hillsidesStreets, { method: "GET" })).toHaveLength(1);
    await press(admin, campaignsOfHillside(admin).filter({ hasText: "Safe streets" }));
    await admin.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(new URL(admin.url()).pathname).toBe("/hillside/campaign/safe-streets");
    const hill = await openPage(browser, "hill@demo.test");
    await hill.goto("/hillside/campaign/safe-streets");
    await hill.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await Promise.all([admin, hill].map((page) => page.context().close()));
  } finally {
    await restoreAccessRows(before);
  }
});

test("nobody brings a campaign in whose administrators would hold more than herself there", async () => {
  const before = await readAccessRows();
  const { userId } = await signInOverApi("hill@demo.test");
  try {
    const [keepers] = z
      .array(z.object({ id: z.string() }))
      .parse(await add("roles", { team_id: "riverside", name: "Keepers" }));
    const [administration] = await rows("permission_sets?name=eq.Team%20administration&select=id");
    await add("role_p_sets", { role_id: keepers?.id, permission_set_id: administration?.id });
    const inRiverside = { user_id: userId, team_id: "riverside" };
    await add("team_users", { ...inRiverside, role_id: keepers?.id, status: "active" });
    const role_id = await roleNamed("Canvasser");
    await add("campaign_user_roles_team", { ...inRiverside, campaign_id: "safe-streets", role_id });
    await carryOutChanges();
    const hill = await openPage(browser, "hill@demo.test");
    await chooseSafeStreets(hill);
    await dialog(hill).getByText("Somebody would hold permissions that you do not hold yourself.").waitFor();
    expect(await dialog(hill).getByRole("button", { name: "Add campaign" }).count()).toBe(0);
    await press(hill, button(hill, "Show how it is now"));
    await dialog(hill).waitFor({ state: "hidden" });
    await expect.poll(() => campaignsOfHillside(hill).allInnerTexts()).toEqual(["Open parks"]);
    expect(await restAsService(hillsidesStreets, { method: "GET" })).toEqual([]);
    await hill.context().close();
  } finally {
    await restoreAccessRows(before);
  }
});

test.each([
  ["staff", "/riverside/roles", "You can't open the roles of Riverside"],
  ["staff", "/riverside/activity", "You can't open the activity of Riverside"],
  ["clerk", "/riverside/roles", "You can't open the roles of Riverside"],
  ["canvasser", "/riverside/activity", "You can't open the activity of Riverside"],
  ["analyst", `/riverside/members/${analyst}`, "You can't open the members of Riverside"],
  ["hill", "/riverside/roles", "Your teams"],
  ["suspended", "/riverside/activity", "No access yet"],
])("%s at %s meets: %s", async (who, path, heading) => {
  const page = await openPage(browser, `${who}@demo.test`);
  await page.goto(path);
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
  const entries = await page.getByRole("link", { name: /^(Roles|Activity)$/ }).allInnerTexts();
  expect(entries).toEqual([]);
  await page.context().close();
});

test("with members.view alone the lists are there and nothing that changes them", async () => {
  const page = await openPage(browser, "staff@demo.test");
  await page.goto("/riverside/members");
  await page.getByRole("link", { name: "Priya Raman" }).waitFor();
  expect(await page.getByRole("checkbox").count()).toBe(0);
  expect(await button(page, "Invite").count()).toBe(0);
  await press(page, page.getByRole("link", { name: "Priya Raman" }));
  await page.getByRole("heading", { level: 1, name: "Priya Raman" }).waitFor();
  expect(await button(page, /^(Change role|Suspend|Remove from the team|See what changes)$/).count()).toBe(0);
  await page.goto("/riverside");
  expect(await button(page, "New campaign").count()).toBe(0);
  await page.goto("/riverside/campaign/clean-water");
  expect(await button(page, /^(Edit|Archive)$/).count()).toBe(0);
  await page.context().close();
});

test.each([
  ["/riverside/members", "Invite", "E-mail addresses"],
  ["/riverside/roles", "New role", "What it is"],
  ["/riverside/roles?show=administrators", "Sets of administrators in Clean water", "Use these sets"],
  ["/riverside/campaign/clean-water", "Edit", "Lines per sheet"],
  ["/riverside/settings", "Leave the team", "This is the last active administrator of the team."],
  ["/riverside", "New campaign", "First day"],
  ["/riverside/campaign/clean-water", "Archive", "Nobody's access changes."],
  [`/riverside/members/${analyst}`, "Suspend", "This changes the access of 1 person."],
])("%s: the dialog of “%s” is readable to all, and fits a phone", async (path, opener, shows) => {
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await openPage(browser, "admin@demo.test", { width: 375, colorScheme });
    await page.goto(path);
    await press(page, button(page, opener).first());
    await dialog(page).getByText(shows).first().waitFor();
    await expectAxeClean(page);
    const box = await dialog(page).boundingBox();
    expect(box && [box.x >= 0, box.x + box.width <= 375, box.y >= 0, box.y + box.height <= 800]).toEqual(
      Array(4).fill(true),
    );
    await page.keyboard.press("Escape");
    await dialog(page).waitFor({ state: "hidden" });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toContain(opener);
    await page.context().close();
  }
});
