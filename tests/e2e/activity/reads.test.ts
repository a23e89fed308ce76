import { beforeAll, expect, test } from "vitest";
import { openPage } from "../../support/browser.ts";
import { restAsService, siteUrl } from "../../support/demo.ts";
import { insertLine } from "../../support/entry-screen.ts";
import { expectAxeClean } from "../../support/expect-axe-clean.ts";
import { createOwnTeam } from "../../support/own-team.ts";
import { cookieOf } from "../../support/session-cookies.ts";

const own = await createOwnTeam({
  admin: { team: "Administrator" },
  staff: { team: "Office", campaign: "Campaign staff" },
  canvasser: { team: "Field team", campaign: "Canvasser" },
});
const { admin, staff, canvasser } = own.people;

beforeAll(async () => {
  await insertLine(own, { sheet: 1, line: 1, verdict: "illegible" });
});

test("searches and exports are listed for people who manage members", async () => {
  const headers = { cookie: await cookieOf(canvasser.email), "content-type": "application/json", origin: siteUrl };
  for (const lastName of ["s", "sm", "smi"]) {
    const body = JSON.stringify({ params: { lastName } });
    const response = await fetch(`${siteUrl}/api/essearch-common`, { method: "POST", headers, body });
    expect(response.status).toBe(200);
    await response.text();
  }
  const register = `${siteUrl}${own.path}/signatures/register/csv?verdict=illegible`;
  await (await fetch(register, { headers: { cookie: await cookieOf(staff.email) } })).text();
  // Logged after the answer.
  const recorded = () => restAsService(`read_log?team_id=eq.${own.team}&select=kind&order=id`, { method: "GET" });
  await expect.poll(recorded).toEqual(["search", "search", "search", "register"].map((kind) => ({ kind })));

  const page = await openPage(admin.email, { width: 375, colorScheme: "dark" });
  await page.goto(`/${own.team}/activity`);
  await page.getByRole("link", { name: "Sign-ins, exports, and searches" }).click();
  await page.getByText(`${staff.name} exported the signatures of ${own.campaignName} (1 line)`).waitFor();
  await page.getByText("Status: illegible").waitFor();
  const searched = `^${canvasser.name} searched voters: last name smi — [\\d,]+ matches, 1–25 shown$`;
  await page.getByText(new RegExp(searched)).waitFor();
  expect(await page.getByRole("listitem").filter({ hasText: "searched voters" }).count()).toBe(1);
  await page.getByText("2 more searches within a minute").click();
  await page.getByText(/^searched voters: last name s — /).waitFor();
  await expectAxeClean(page);

  await page.getByLabel("Show").selectOption("Exports");
  await page.getByLabel("Person").selectOption(admin.name);
  await page.waitForURL(/(?=.*kind=exports).*actor=/);
  await page.getByText("No entries match. Clear a filter or show all.").waitFor();
  await expectAxeClean(page);
});
