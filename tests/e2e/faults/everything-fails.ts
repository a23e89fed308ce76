// Each service that Signet uses answers with errors, late, or never, while people use it: messages are true and come within
// 5 seconds, nothing typed is lost, and everything works again without a restart.
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import type { Fault } from "../../../harness/fault-proxy.ts";
import { makeVoters } from "../../../scripts/demo-data/voters.ts";
import { startBrowser } from "../../support/browser.ts";
import { find, startSheet, storedLine, waitingLine } from "../../support/entry-screen.ts";
import { admin, world } from "./access.ts";

// A page waits 4 s for a part that hangs and answers within 5 s; the rest is for a slow machine.
const maxMs = 7_000;

let context: BrowserContext;

const here = "/riverside/campaign/clean-water";
const pages = {
  "the overview": here,
  "signature entry": `${here}/signatures`,
  "the voter search": `${here}/voters`,
  "the dashboard": `${here}/dashboard`,
  "the members": "/riverside/members",
};

const parts: Record<string, string> = {
  "the database": "/rest/v1",
  Auth: "/auth/v1",
  "the snapshot function": "/functions/v1/get-permissions-snapshot",
  "the voter search": "/functions/v1/search-backend",
};
const faults: Fault[] = ["down", "slow", "frozen"];

function heal() {
  world.proxy.pathFault = null;
  world.redis.thaw();
}

// Internals that pages must not show.
const internal = /127\.0\.0\.1|ECONN|fetch failed|sb_secret|postgres|PGRST|node_modules|\bat \S+ \(/i;

type Visit = { heading: string; path: string; text: string; took: number };

/** Opens a page and waits for its heading. */
async function visit(path: string): Promise<Visit> {
  const page = await context.newPage();
  try {
    const begin = performance.now();
    await page.goto(path, { waitUntil: "commit", timeout: 2 * maxMs });
    const heading = (
      await page
        .locator("h1")
        .first()
        .innerText({ timeout: 2 * maxMs })
    ).trim();
    const took = performance.now() - begin;
    return { heading, path: new URL(page.url()).pathname, text: await page.locator("body").innerText(), took };
  } finally {
    await page.close();
  }
}

const failed = "This page couldn't load";

async function expectHonest(path: string) {
  const seen = await visit(path);
  expect(seen.path).toBe(path); // neither signed out nor redirected
  expect(seen.text).not.toMatch(internal);
  if (seen.heading === failed) expect(seen.text).toMatch(/Try again in a moment/);
  expect(seen.took, seen.heading).toBeLessThan(maxMs);
  return seen;
}

/** The public health status, at most 5 s old. */
async function health() {
  const { status }: { status: unknown } = await (await fetch(`${world.url(0)}/api/health`)).json();
  return status;
}
const untilNew = { timeout: 5_000 + maxMs };

async function expectWell() {
  for (const path of Object.values(pages)) {
    await expect.poll(async () => (await visit(path)).heading, { timeout: 30_000 }).not.toBe(failed);
  }
}

describe("everything fails in turn", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startBrowser();
    context = await browser.newContext({ baseURL: world.url(0), reducedMotion: "reduce" });
    const [name = "", value = ""] = admin.cookie.split("=", 2);
    await context.addCookies([{ name, value, url: world.url(0) }]);
    for (const path of Object.values(pages)) await visit(path); // warm
  }, 300_000);
  afterAll(() => browser?.close());

  afterEach(heal);

  describe.each(Object.entries(parts))("while %s is", (part, path) => {
    test.each(faults)(
      "%s",
      async (fault) => {
        world.proxy.pathFault = { path, fault };
        for (const [name, page] of Object.entries(pages)) {
          const { heading, took } = await expectHonest(page);
          process.stdout.write(`${part} ${fault}, ${name}: ${heading} after ${took.toFixed(0)} ms\n`);
        }
        heal();
        await expectWell();
      },
      120_000,
    );
  });

  describe("while Redis is", () => {
    test.each<[string, () => unknown, () => unknown]>([
      ["frozen", () => world.redis.freeze(), () => world.redis.thaw()],
      ["down", () => world.redis.stop(), () => world.redis.start()],
    ])(
      "%s",
      async (fault, cause, end) => {
        await expect.poll(health, untilNew).toBe("ok");
        await cause();
        for (const [name, page] of Object.entries(pages)) {
          const { heading, took } = await expectHonest(page);
          expect(heading).not.toBe(failed); // no page needs it
          process.stdout.write(`Redis ${fault}, ${name}: ${heading} after ${took.toFixed(0)} ms\n`);
        }
        await expect.poll(health, untilNew).toBe("degraded");
        await end();
        await expect.poll(health, untilNew).toBe("ok");
        await expectWell();
      },
      120_000,
    );
  });

  describe("what was typed", () => {
    let page: Page;
    const open = async (path: string) => {
      page = await context.newPage();
      await page.goto(path);
    };
    afterEach(() => page?.close());

    test("lines are saved while the database is down or frozen, and sent afterwards", async () => {
      const lastPath = "sheets?select=number&campaign_id=eq.clean-water&order=number.desc&limit=1";
      const [last] = z.tuple([z.object({ number: z.int() })]).parse(await world.stack.rest(lastPath));
      const sheet = last.number + 1; // one far from the others is questioned
      await open(pages["signature entry"]);
      await startSheet(page, sheet);
      const entered: string[] = [];
      for (const [index, fault] of (["down", "frozen"] as const).entries()) {
        const [voter] = makeVoters(20_000).slice(900 + index);
        if (!voter) throw new Error("There are too few voters.");
        await find(page, voter);
        world.proxy.pathFault = { path: "/rest/v1", fault };
        await page.keyboard.press("Enter");
        entered.push(voter.voterId);
        await waitingLine(page, entered.length, "valid").waitFor({ timeout: maxMs });
        heal();
        await storedLine(page, entered.length, "valid").waitFor({ timeout: 30_000 });
      }
      const where = `lines?select=voter_id&sheet=eq.${sheet}&campaign_id=eq.clean-water&order=line`;
      expect(await world.stack.rest(where)).toEqual(entered.map((id) => ({ voter_id: id })));
    });

    test.each(faults.filter((fault) => fault !== "slow"))(
      "a search keeps its text while the voter search is %s",
      async (fault) => {
        await open(pages["the voter search"]);
        world.proxy.pathFault = { path: "/functions/v1/search-backend", fault };
        await page.locator("[data-field=box]").fill("garcia");
        // The search can take 10 seconds; its progress shows at once.
        await page
          .getByText(/Searching|^The voter search .*Try again/)
          .first()
          .waitFor({ timeout: maxMs });
        await page.getByText(/^The voter search .*Try again/).waitFor({ timeout: 12_000 });
        heal();
        await page.getByRole("button", { name: "Try again" }).click();
        await page.getByRole("row").filter({ hasText: "Garcia" }).first().waitFor();
      },
    );

    test.each(faults.filter((fault) => fault !== "slow"))(
      "a form keeps its fields while the database is %s",
      async (fault) => {
        await open("/riverside/settings");
        const name = page.getByLabel("Name");
        const save = page.getByRole("button", { name: "Save" });
        await name.fill("Riverside again");
        world.proxy.pathFault = { path: "/rest/v1", fault };
        const begin = performance.now();
        await save.click();
        await page
          .getByRole("alert")
          .filter({ hasText: "Try again in a moment" })
          .waitFor({ timeout: 2 * maxMs });
        expect(performance.now() - begin).toBeLessThan(maxMs);
        expect(await name.inputValue()).toBe("Riverside again");
        heal();
        await save.click();
        const read = () => world.stack.rest("teams?select=name&id=eq.riverside");
        await expect.poll(read).toEqual([{ name: "Riverside again" }]);
        await world.stack.rest("teams?id=eq.riverside", "PATCH", { name: "Riverside" });
      },
    );
  });
});
