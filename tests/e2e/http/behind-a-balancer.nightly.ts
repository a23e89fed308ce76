import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readMemberForm } from "../../../harness/member-form.ts";
import { type Instances, startTwoInstances } from "../../../harness/two-instances.ts";
import { startBalancer } from "../../support/balancer.ts";
import { openPage, submitSignIn } from "../../support/browser.ts";

// Two instances of one build at one address, each of which gets every second request of a person.

let balancer: Awaited<ReturnType<typeof startBalancer>>;
let world: Instances;

beforeAll(async () => {
  balancer = await startBalancer();
  world = await startTwoInstances({ siteUrl: balancer.url });
  balancer.targets = [world.url(0), world.url(1)];
}, 120_000);
afterAll(async () => {
  balancer?.close();
  await world?.stop();
}, 30_000);

describe.each([
  ["keeps Host", false],
  ["sets X-Forwarded-Host", true],
])("that %s", (_what, forwardsHost) => {
  beforeEach(() => {
    balancer.forwardsHost = forwardsHost;
    balancer.requestCounts = {};
  });

  test("a person signs in, opens pages, sends forms and signs out", async () => {
    const page = await openPage(null);
    await page.goto(`${balancer.url}/riverside/roles`);
    await submitSignIn(page, "admin@demo.test");
    await page.getByRole("heading", { level: 1, name: "Roles" }).waitFor();
    expect(page.url()).toBe(`${balancer.url}/riverside/roles`);
    for (const [link, heading] of [
      ["Members", "Members"],
      ["Activity", "Activity"],
    ] as const) {
      await page.getByRole("link", { name: link, exact: true }).first().click();
      await page.getByRole("heading", { level: 1, name: heading }).waitFor();
    }
    await page.goto(`${balancer.url}/account`);
    const themeOfPage = async () => {
      const html = await (await page.request.get(`${balancer.url}/login`)).text();
      return /<html[^>]* data-theme="(\w+)"/.exec(html)?.[1];
    };
    for (const theme of ["Dark", "Light", "Dark", "Light"]) {
      await page.getByRole("radio", { name: theme }).check();
      await expect.poll(themeOfPage).toBe(theme.toLowerCase());
    }
    await page.goto(`${balancer.url}/riverside`);
    await page.getByRole("button", { name: /^Account/ }).click();
    await page.getByRole("menuitem", { name: "Sign out" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    expect(
      Math.min(...balancer.targets.map((address) => balancer.requestCounts[new URL(address).host] ?? 0)),
    ).toBeGreaterThan(5);
  });

  test("a revoke applies from the next request on, on any instance", async () => {
    const [admin, canvasser] = await Promise.all(
      ["admin@demo.test", "canvasser@demo.test"].map((email) => world.stack.signIn(email)),
    );
    if (!admin || !canvasser) throw new Error("No one is signed in.");
    const address = `${balancer.url}/riverside/members/${canvasser.userId}`;
    const change = async (status: "active" | "suspended") => {
      const html = await (await fetch(address, { headers: { cookie: admin.cookie } })).text();
      const headers = { cookie: admin.cookie, origin: balancer.url, "sec-fetch-site": "same-origin" };
      const body = readMemberForm(html, canvasser.userId)(status);
      const result = await (await fetch(address, { method: "POST", headers, body })).text();
      expect(result).toContain(status === "active" ? "Reactivated." : "Suspended.");
    };
    const read = async () => {
      const path = `${balancer.url}/riverside/campaign/clean-water`;
      return (await fetch(path, { headers: { cookie: canvasser.cookie }, redirect: "manual" })).status;
    };
    for (let round = 0; round < 4; round++) {
      expect([await read(), await read(), await read()]).toEqual([200, 200, 200]);
      await change("suspended");
      expect([await read(), await read()]).toEqual([307, 307]);
      await change("active");
    }
  });

  test("connections are kept longer than balancers keep them", async () => {
    const { headers } = await fetch(`${world.url(0)}/login`);
    expect(headers.get("keep-alive")).toBe("timeout=75");
  });
});
