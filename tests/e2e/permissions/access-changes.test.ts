import type { Page } from "playwright-core";
import { afterAll, describe, expect, test } from "vitest";
import { openPage } from "../../support/browser.ts";
import { processPermissionChanges, restAsService } from "../../support/demo.ts";
import { connectToRedis, epochOf } from "../../support/epochs.ts";
import { createOwnTeam } from "../../support/own-team.ts";

// A tab that stays open all day must stop showing what was revoked in the morning.

const redis = connectToRedis();
const own = await createOwnTeam({
  jun: { team: "Office", campaign: "Campaign staff" },
  malik: { team: "Field team", campaign: "Canvasser" },
});
const { jun, malik } = own.people;
afterAll(async () => {
  redis.disconnect();
});

const headed = (page: Page, name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
const refused = (page: Page) => headed(page, "You can't open this campaign");

/** Opens a page in a marked document: leaving the document loses the mark. */
async function openMarked(email: string, path: string, heading: string, { clock = false } = {}) {
  const page = await openPage(email);
  if (clock) await page.clock.install();
  await page.goto(path);
  await headed(page, heading);
  await page.evaluate(() => Object.assign(window, { stays: true }));
  return page;
}
const isMarked = (page: Page) => page.evaluate(() => "stays" in window);
const lookAtTheTabAgain = (page: Page) => page.evaluate(() => window.dispatchEvent(new Event("focus")));

/** Removes a user's role in the campaign during a run. */
async function whileRevoked(userId: string, run: () => Promise<void>) {
  const path = `campaign_user_roles_team?user_id=eq.${userId}`;
  const [removed] = (await restAsService(path, { method: "DELETE" })) as unknown[];
  await processPermissionChanges();
  try {
    await run();
  } finally {
    await restAsService("campaign_user_roles_team", { method: "POST", body: removed });
    await processPermissionChanges();
  }
}

describe("an open page", () => {
  test("that is focused again is replaced if its permission was revoked, and unchanged otherwise", async () => {
    const page = await openMarked(jun.email, own.path, "Overview", { clock: true });
    const seen = { checks: 0, pages: 0 };
    page.on("request", (request) => {
      if (request.url().includes("/api/permissions/fingerprint")) seen.checks += 1;
      if (request.url().includes("_rsc=")) seen.pages += 1;
    });
    await page.clock.runFor(6_000);
    const answered = page.waitForResponse(/fingerprint/).then((response) => response.finished());
    await lookAtTheTabAgain(page);
    await answered;
    await lookAtTheTabAgain(page);
    await lookAtTheTabAgain(page);
    expect(seen).toEqual({ checks: 1, pages: 0 });

    await whileRevoked(jun.id, async () => {
      await page.clock.runFor(6_000);
      await lookAtTheTabAgain(page);
      await refused(page);
      expect(await isMarked(page)).toBe(true);
      expect(seen).toMatchObject({ checks: 2 });
    });
  });

  test("that is not used notices a revoke within about a minute", async () => {
    const page = await openMarked(jun.email, own.path, "Overview", { clock: true });
    await whileRevoked(jun.id, async () => {
      await page.clock.runFor(67_000);
      await refused(page);
    });
  });

  test("whose session has ended is covered by the sign-in", async () => {
    const page = await openMarked(jun.email, `/${own.team}`, "Campaigns", { clock: true });
    await page.context().clearCookies();
    await page.clock.runFor(6_000);
    await lookAtTheTabAgain(page);
    await page.getByRole("dialog", { name: "Your session has ended" }).waitFor();
    const backgrounds = await page.evaluate(() => [
      getComputedStyle(document.querySelector("dialog:modal") ?? document.body, "::backdrop").backgroundColor,
      getComputedStyle(document.body).backgroundColor,
    ]);
    expect(backgrounds[0]).toBe(backgrounds[1]);
  });
});

test("Back to a page from before the revoke shows it only until the answer arrives", async () => {
  const page = await openMarked(jun.email, own.path, "Overview");
  await page.getByRole("navigation").getByRole("link", { name: "Members" }).click();
  await headed(page, "Members");
  await whileRevoked(jun.id, async () => {
    await page.goBack();
    await refused(page);
    expect(await isMarked(page)).toBe(true);
  });
});

describe("refreshing permissions", () => {
  test("the button applies a revoke to the next request, and says whether anything changed", async () => {
    const page = await openPage(malik.email);
    const press = () => page.getByRole("button", { name: "Check again" }).click();
    await page.goto(`/${own.team}/members`);

    const before = await epochOf(redis, malik.id);
    await press();
    await page.getByText("Nothing has changed.").waitFor();
    expect(await epochOf(redis, malik.id)).not.toBe(before);

    const path = `campaign_user_roles_team?user_id=eq.${malik.id}`;
    const [row] = (await restAsService(path, { method: "DELETE" })) as unknown[];
    await press();
    await page.getByText("Your permissions have changed").waitFor();
    await page.goto(own.path);
    await refused(page);
    expect(new URL(page.url()).pathname).toBe(`/${own.team}/campaign/no-access`);
    await restAsService("campaign_user_roles_team", { method: "POST", body: row });
    await press();
    await page.getByText("Your permissions have changed").waitFor();
    await page.goto(own.path);
    await headed(page, "Overview");
    await processPermissionChanges(); // a pending note would renew the epoch in the next test
  });

  test("a hard reload in a real browser renews the epoch; a click doesn't", async () => {
    const page = await openPage(malik.email);
    await page.goto(`/${own.team}`);
    const before = await epochOf(redis, malik.id);
    await page
      .getByRole("main")
      .getByRole("link", { name: /^Campaign \w/ })
      .click();
    await headed(page, "Voters");
    expect(await epochOf(redis, malik.id)).toBe(before);
    await page.reload();
    await headed(page, "Voters");
    expect(await epochOf(redis, malik.id)).not.toBe(before);
  });
});
