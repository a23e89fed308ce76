import { describe, expect, inject, test } from "vitest";
import { cookieHeader } from "../../scripts/local-stack/session-cookies.ts";
import { signInOverApi } from "../support/demo.ts";
import { sessionCookies } from "../support/session-cookies.ts";

// Each demo person and each page, asked for without a browser: what her keys open, and nothing else.

const { siteUrl } = inject("signet");

const everything = [
  "campaign.view",
  "voters.search",
  "signatures.view",
  "signatures.enter",
  "signatures.remove",
  "charts.view",
  "charts.edit",
  "members.view",
  "members.manage",
  "roles.manage",
];
// The keys in the team, and those that clean-water adds; null for who is no active member of Riverside.
const people: Record<string, { team: string[]; campaign: string[]; allCampaigns?: boolean } | null> = {
  admin: { team: everything, campaign: [], allCampaigns: true },
  staff: {
    team: ["voters.search", "members.view"],
    campaign: ["campaign.view", "voters.search", "signatures.view", "charts.view"],
  },
  clerk: {
    team: ["voters.search"],
    campaign: ["campaign.view", "voters.search", "signatures.view", "signatures.enter"],
  },
  canvasser: { team: ["voters.search"], campaign: ["campaign.view", "voters.search"] },
  analyst: { team: [], campaign: ["campaign.view", "signatures.view", "charts.view", "charts.edit"] },
  suspended: null,
  outsider: null,
  hill: null,
};

const { userId: admin } = await signInOverApi("admin@demo.test");
const teamPages = {
  "/riverside": null,
  "/riverside/voters": "voters.search",
  "/riverside/members": "members.view",
  [`/riverside/members/${admin}`]: "members.view",
  "/riverside/roles": "roles.manage",
  "/riverside/activity": "members.manage",
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

const outcomeOf = async (response: Response) => {
  if (response.status === 307) return new URL(response.headers.get("location") ?? "", siteUrl).pathname;
  expect(response.status).toBe(200);
  return (await response.text()).includes("You can&#x27;t open") ? "is refused" : "opens";
};

describe("each page", () => {
  test.each(Object.keys(people))("as %s", async (name) => {
    const headers = { cookie: cookieHeader(await sessionCookies(`${name}@demo.test`)) };
    const seen: Record<string, string> = {};
    for (const path of Object.keys(expected(name))) {
      seen[path] = await outcomeOf(await fetch(`${siteUrl}${path}`, { headers, redirect: "manual" }));
    }
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
      const cookie = name ? cookieHeader(await sessionCookies(`${name}@demo.test`)) : "";
      const response = await fetch(`${siteUrl}/riverside/activity/csv`, { headers: { cookie } });
      statuses[name ?? "nobody"] = response.status;
      if (response.status !== 200) expect(Object.keys(await response.json())).toEqual(["error"]);
    }
    const refused = Object.fromEntries(Object.keys(people).map((name) => [name, 403]));
    expect(statuses).toEqual({ ...refused, nobody: 401, admin: 200 });
  });
});
