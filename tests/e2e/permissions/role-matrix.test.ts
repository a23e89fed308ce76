import { describe, expect, test } from "vitest";
import { signInOverApi, siteUrl } from "../../support/demo.ts";
import { demoKeys as people } from "../../support/demo-keys.ts";
import { pageOutcome } from "../../support/page-outcome.ts";
import { cookieOf } from "../../support/session-cookies.ts";

// Each page for each demo person, without a browser: their keys open pages, and nothing else.

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
  "/report": "campaign.view",
  "/voters": "voters.search",
  "/signatures": "signatures.view",
  "/signatures/register": "signatures.view",
  "/signatures/sheets": "signatures.view",
  "/dashboard": "charts.view",
  "/dashboard/charts/new": "charts.edit",
  "/settings": "members.manage",
};

// Each person with the places to check. The rest is covered by get-permissions-snapshot.test.ts.
const seen: Record<string, ("team" | "clean-water" | "safe-streets")[]> = {
  admin: ["team", "clean-water", "safe-streets"],
  staff: ["team", "clean-water"],
  clerk: ["team", "clean-water"],
  analyst: ["team", "clean-water"],
  canvasser: ["clean-water", "safe-streets"],
  suspended: ["team", "clean-water"],
};

function expected(name: string) {
  const person = people[name];
  const outcome = (keys: string[], key: string | null) => (key === null || keys.includes(key) ? "opens" : "is refused");
  const places = seen[name]?.flatMap((place) => {
    if (place === "team")
      return Object.entries(teamPages).map(([path, key]) => [path, person ? outcome(person.team, key) : "/"]);
    const reached = place === "clean-water" || person?.allCampaigns;
    const keys = [...(person?.team ?? []), ...(person?.campaign ?? [])];
    return Object.entries(campaignPages).map(([path, key]) => {
      const isReader = path === "/signatures" && keys.includes("signatures.view") && !keys.includes("signatures.enter");
      const inside = isReader ? `/riverside/campaign/${place}/signatures/sheets` : outcome(keys, key);
      const opened = reached ? inside : "/riverside/campaign/no-access";
      return [`/riverside/campaign/${place}${path}`, person ? opened : "/"];
    });
  });
  return Object.fromEntries(places ?? []);
}

describe("each page", () => {
  test.each(Object.keys(seen))("as %s", async (name) => {
    const cookie = await cookieOf(name);
    const paths = Object.keys(expected(name));
    const outcomes = await Promise.all(paths.map(async (path) => [path, await pageOutcome(path, cookie)]));
    expect(Object.fromEntries(outcomes)).toEqual(expected(name));
  });

  test("without a session, each page redirects to sign in and back", async () => {
    for (const path of Object.keys(expected("staff"))) {
      const response = await fetch(`${siteUrl}${path}`, { redirect: "manual" });
      expect([path, response.status]).toEqual([path, 307]);
      expect(response.headers.get("location")).toBe(`/login?next=${encodeURIComponent(path)}`);
    }
  });
});
