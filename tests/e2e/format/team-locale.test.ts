import { beforeAll, expect, test } from "vitest";
import { openPage } from "../../support/browser.ts";
import { processPermissionChanges, restAsService, syncSigners } from "../../support/demo.ts";
import { insertLine } from "../../support/entry-screen.ts";
import { createOwnTeam } from "../../support/own-team.ts";

const own = await createOwnTeam({ admin: { team: "Administrator" } }, { goal: 35_000 });

beforeAll(async () => {
  const days = { starts_on: "2026-09-01", ends_on: "2027-09-01" };
  await restAsService(`campaigns?id=eq.${own.campaign}`, { method: "PATCH", body: days });
  await insertLine(own, { sheet: 1, line: 1, verdict: "accepted", voter_id: "V-1" });
  await syncSigners();
});

// React logs an error if the texts of the server and the browser differ.
test.each([
  [
    "en-US",
    "35,000",
    /[A-Z][a-z]{2} \d{1,2}, \d{4} to /,
    /last updated [A-Z][a-z]{2} \d{1,2}, \d{4}, \d{1,2}:\d\d [AP]M$/,
  ],
  ["de-DE", "35.000", /\d\d\.\d\d\.\d{4} to /, /last updated \d\d\.\d\d\.\d{4}, \d\d:\d\d$/],
])("a team with locale %s sees %s, from the server and in the browser", async (locale, goal, day, built) => {
  await restAsService(`teams?id=eq.${own.team}`, { method: "PATCH", body: { locale } });
  await processPermissionChanges();
  const page = await openPage(own.people.admin.email);
  const problems: string[] = [];
  page.on("pageerror", ({ message }) => problems.push(message));
  page.on("console", (line) => line.type() === "error" && problems.push(line.text()));

  await page.goto(`/${own.team}`);
  await page.getByRole("cell", { name: ` of ${goal} · ` }).waitFor();
  await page.goto(own.path);
  const head = page.getByRole("region", { name: "Progress" });
  expect(await head.textContent()).toContain(` of ${goal} · `);
  expect(await head.textContent()).toMatch(day);
  const check = page.getByRole("region", { name: "Duplicate check" });
  expect(await check.locator("p").first().textContent()).toMatch(built);
  await page.goto(`${own.path}/signatures`);
  await page.locator("header").getByText(` of ${goal} · `).waitFor();
  expect(problems).toEqual([]);
});
