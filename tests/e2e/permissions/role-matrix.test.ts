import { describe, expect, test } from "vitest";
import { signInOverApi, siteUrl } from "../../support/demo.ts";
import { demoKeys as people } from "../../support/demo-keys.ts";
import { pageOutcome } from "../../support/page-outcome.ts";
import { cookieOf } from "../../support/session-cookies.ts";

// Each demo person and each page, asked for without a browser: what her keys open, and nothing else.

const { userId: admin } = await signInOverApi("admin@demo.test");
const teamPages = {
  "/riverside": null,
  "/riverside/voters": "voters.search",
  "/riverside/dashboard": "charts.view",
  "/riverside/dashboard/charts/new": "charts.edit",
  "/riverside/members": "members.view",
  [`/riverside/members/${admin}`]: "members.view",
  "/riverside/roles": "roles.manage",
  "/riverside/activity": "members.manage",
  "/riverside/activity/reads": "members.manage",
  "/riverside/settings": null,
};
const campaignPages = {
  "": "campaign.view",
  "/voters": "voters.search",
  "/signatures": "signatures.view",
  "/dashboard": "charts.view",
  "/dashboard/charts/new": "charts.edit",
};

const expected = (name: string) => {
  const person = people[name];
  const outcome = (keys: string[], key: string | null) => (key === null || keys.includes(key) ? "opens" : "is refused");
  const team = Object.entries(teamPages).map(([path, key]) => [path, person ? outcome(person.team, key) : "/"]);
  const campaigns = ["clean-water", "safe-streets"].flatMap((campaign) =>
    Object.entries(campaignPages).map(([path, key]) => {
      const reached = campaign === "clean-water" || person?.allCampaigns;
      const keys = [...(person?.team ?? []), ...(person?.campaign ?? [])];
      const opened = reached ? outcome(keys, key) : "/riverside/campaign/no-access";
      return [`/riverside/campaign/${campaign}${path}`, person ? opened : "/"];
    }),
  );
  return Object.fromEntries([...team, ...campaigns]);
};

describe("each page", () => {
  test.each(Object.keys(people))("as %s", async (name) => {
    const cookie = await cookieOf(name);
    const seen: Record<string, string> = {};
    for (const path of Object.keys(expected(name))) seen[path] = await pageOutcome(path, cookie);
    expect(seen).toEqual(expected(name));
  });

  test("as nobody: to sign in, and back", async () => {
    for (const path of Object.keys(expected("admin"))) {
      const response = await fetch(`${siteUrl}${path}`, { redirect: "manual" });
      expect([path, response.status]).toEqual([path, 307]);
      expect(response.headers.get("location")).toBe(`/login?next=${encodeURIComponent(path)}`);
    }
  });

  test("the activity's file: 401, 403, and for who manages members the file", async () => {
    const statuses: Record<string, number> = {};
    for (const name of [null, ...Object.keys(people)]) {
      const headers = { cookie: await cookieOf(name) };
      const response = await fetch(`${siteUrl}/riverside/activity/csv`, { headers });
      statuses[name ?? "nobody"] = response.status;
      if (response.status !== 200) expect(Object.keys(await response.json())).toEqual(["error"]);
    }
    const refused = Object.fromEntries(Object.keys(people).map((name) => [name, 403]));
    expect(statuses).toEqual({ ...refused, nobody: 401, admin: 200 });
  });
});
