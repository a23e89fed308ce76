import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { z } from "zod";
import { type AccessRows, readAccessRows, restoreAccessRows } from "../../support/access-rows.ts";
import { openPage, startBrowser } from "../../support/browser.ts";
import { carryOutChanges, publishableKey, restAsService, supabaseUrl } from "../../support/demo.ts";

// What is set for a team and its campaigns, leaving, and many members, on screens. Each test leaves the demo as it was.

let browser: Browser;
let before: AccessRows;
beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  before = await readAccessRows();
});
afterEach(() => restoreAccessRows(before));

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const dialog = (page: Page) => page.getByRole("dialog");
const confirm = async (page: Page, name: string, told: RegExp) => {
  await dialog(page).getByText(told).waitFor();
  await dialog(page).getByRole("button", { name, exact: true }).click();
};

test("zone and locale show as they are chosen, hold on the next page, and stand in the activity", async () => {
  const admin = await openPage(browser, "admin@demo.test");
  await admin.goto("/riverside/settings");
  const main = admin.getByRole("main");
  await admin.getByRole("combobox", { name: "Numbers and dates as in" }).selectOption({ label: "German (Germany)" });
  await main.getByText("12.500").waitFor();
  await admin.getByRole("combobox", { name: "Time zone" }).selectOption("Europe/Berlin");
  await admin.getByRole("textbox", { name: "Lines per sheet of new campaigns" }).fill("0");
  await button(admin, "Save").click();
  await admin.getByText("Lines per sheet of new campaigns is at least 1.").waitFor();
  await admin.getByRole("textbox", { name: "Lines per sheet of new campaigns" }).fill("15");
  await admin.keyboard.press("Enter");
  await admin.getByText("Team saved.").waitFor();
  await admin.goto("/riverside/activity?area=team");
  await main.getByText(/^Times are in Europe\/Berlin/).waitFor();
  const text = await main.innerText();
  expect(text).toMatch(/Ada Moreno edited the team/);
  expect(text).toMatch(/numbers and dates: en-US →\s+becomes\s+de-DE/);
  expect(text).toMatch(/lines per sheet of new campaigns: 20 →\s+becomes\s+15/);

  const clerk = await openPage(browser, "clerk@demo.test");
  await clerk.goto("/riverside/settings");
  await clerk.getByText("Days and times are in Europe/Berlin").waitFor();
  expect(await button(clerk, "Save").count()).toBe(0);
  await Promise.all([admin, clerk].map((page) => page.context().close()));
});

test("what was changed and not saved is asked about before it is left", async () => {
  const admin = await openPage(browser, "admin@demo.test");
  const away = admin.getByRole("link", { name: "Activity", exact: true });
  const asked = dialog(admin).and(admin.getByRole("dialog", { name: "Leave without saving?" }));
  await admin.goto("/riverside/settings");
  const name = admin.getByRole("textbox", { name: "Name", exact: true });
  await name.fill("Riverbank");
  await away.click();
  await asked.getByRole("button", { name: "Stay", exact: true }).click();
  expect(await name.inputValue()).toBe("Riverbank");
  await away.click();
  await asked.getByRole("button", { name: "Discard and leave" }).click();
  await admin.getByRole("heading", { level: 1, name: "Activity" }).waitFor();

  await admin.goto("/riverside/members?words=canvasser");
  await admin.getByRole("link", { name: "Malik Osei" }).click();
  await admin.getByRole("combobox", { name: "Role in the team" }).selectOption({ index: 1 });
  await admin.getByRole("combobox", { name: "Add a campaign" }).selectOption({ index: 1 });
  await admin.evaluate(() => history.pushState(null, "", "?why=charts.view")); // the same page
  for (let back = 0; back < 2; back++) {
    await admin.evaluate(() => history.back());
    await asked.getByRole("button", { name: "Discard and leave" }).click();
    await asked.waitFor({ state: "hidden" });
  }
  await admin.getByRole("heading", { level: 1, name: "Members" }).waitFor();
  await admin.context().close();
});

test("a member sees what she loses, leaves, and is at the start; the last administrator stays", async () => {
  const canvasser = await openPage(browser, "canvasser@demo.test");
  await canvasser.goto("/riverside/settings");
  await button(canvasser, "Leave the team").click();
  await dialog(canvasser).getByText("Clean water closes").waitFor();
  await button(canvasser, "Cancel").click();
  await button(canvasser, "Leave the team").click();
  await confirm(canvasser, "Leave the team", /^This changes the access of 1 person\.$/);
  await canvasser.getByRole("heading", { level: 1, name: "No access yet" }).waitFor();
  expect(new URL(canvasser.url()).pathname).toBe("/");

  const admin = await openPage(browser, "admin@demo.test");
  await admin.goto("/riverside/settings");
  await button(admin, "Leave the team").click();
  await dialog(admin).getByText("This is the last active administrator of the team.").waitFor();
  await Promise.all([canvasser, admin].map((page) => page.context().close()));
});

test("a campaign is set up, handed over, and then taken out of the team that ran it", async () => {
  const admin = await openPage(browser, "admin@demo.test");
  await admin.goto("/riverside/campaign/open-parks");
  await button(admin, "Edit").click();
  await admin.getByRole("textbox", { name: "Lines per sheet" }).fill("25");
  await admin.keyboard.press("Enter");
  await admin.getByText("Campaign saved.").waitFor();
  await button(admin, "Hand over").click();
  await button(admin, "See what changes").click();
  await confirm(admin, "Hand over", /^Nobody's access changes\.$/);
  await admin.getByText("Campaign handed over.").waitFor();
  await button(admin, "Edit").waitFor({ state: "hidden" });

  await admin.goto("/riverside/settings");
  await admin.getByRole("listitem").filter({ hasText: "run by Hillside" }).waitFor();
  await button(admin, "Take out Open parks").click();
  await dialog(admin).getByText("its lines and charts are kept").waitFor();
  await dialog(admin).getByText("Open parks closes").waitFor();
  await confirm(admin, "Take out", /^This changes the access of 1 person\.$/);
  await admin.getByText("Campaign taken out of the team.").waitFor();
  await button(admin, "Take out Open parks").waitFor({ state: "hidden" });
  await admin.goto("/riverside/campaign/open-parks");
  await admin.waitForURL("**/riverside/campaign/no-access");
  await admin.context().close();
});

test("many members come page by page; filter, order and page are there again on Back, and in the file", async () => {
  const [member] = before.roles?.filter(({ name }) => name === "Member") ?? [];
  const walkers = await Promise.all(
    Array.from({ length: 55 }, (_, place) => signUp(`walker-${String(place).padStart(2, "0")}`)),
  );
  await restAsService("team_users", {
    method: "POST",
    body: walkers.map((user_id) => ({ user_id, team_id: "riverside", role_id: member?.id, status: "suspended" })),
  });
  await carryOutChanges();
  const admin = await openPage(browser, "admin@demo.test");
  await admin.goto("/riverside/members");
  await admin.getByText("1 to 50 of 61 members").waitFor();
  await admin.getByRole("searchbox", { name: "Find" }).fill("WALKER");
  await admin.getByText("1 to 50 of 55 of 61 members").waitFor();
  await admin.getByRole("link", { name: "Member", exact: true }).click();
  await admin.getByRole("link", { name: "walker-54" }).waitFor();
  // The head stays while one scrolls.
  await admin.evaluate(() => window.scrollTo(0, 900));
  expect((await admin.getByRole("columnheader", { name: "Member" }).boundingBox())?.y).toBe(48);
  await admin.getByRole("link", { name: "Next" }).click();
  await admin.getByText("51 to 55 of 55 of 61 members").waitFor();
  await admin.getByRole("link", { name: "walker-03" }).click();
  await admin.getByRole("heading", { level: 1, name: "walker-03" }).waitFor();
  await admin.goBack();
  await admin.getByText("51 to 55 of 55 of 61 members").waitFor();
  expect(await admin.getByRole("searchbox", { name: "Find" }).inputValue()).toBe("WALKER");
  expect(await admin.getByRole("columnheader", { name: "Member" }).getAttribute("aria-sort")).toBe("descending");
  await admin.getByRole("checkbox", { name: "Select all on this page" }).click();
  await button(admin, "Select all 55").click();
  await admin.getByText("55 selected").waitFor();
  const href = await admin.getByRole("link", { name: "Download CSV" }).getAttribute("href");
  const csv = await admin.evaluate(async (path) => (await fetch(path)).text(), href ?? "");
  expect(csv.trimEnd().split("\r\n")).toHaveLength(56);
  await admin.context().close();
});

async function signUp(name: string) {
  const response = await fetch(`${supabaseUrl}/auth/v1/signup`, {
    method: "POST",
    headers: { apikey: publishableKey, "content-type": "application/json" },
    body: JSON.stringify({ email: `${name}@people.test`, password: "a password of hers", data: { name } }),
  });
  const { user } = z.object({ user: z.object({ id: z.uuid() }) }).parse(await response.json());
  return user.id;
}
