import { expect, test } from "vitest";
import { chooseRequestGrant } from "@/lib/team-access/choose-request-grant";

const setOf = (id: string, ...keys: string[]) => ({ id, name: id, builtIn: true, description: null, keys, uses: 0 });
const roleOf = (id: string, setIds: string[], scope: "assigned" | "inherit_team" = "assigned") => ({
  ...{ id, name: id, builtIn: true, scope, setIds },
  ...{ members: 0, inCampaigns: 0, invitations: 0 },
});
const roles = {
  sets: [
    setOf("search", "voters.search"),
    setOf("view", "campaign.view"),
    setOf("charts", "charts.view", "charts.edit"),
    setOf("reading", "charts.view"),
    setOf("list", "members.view"),
  ],
  roles: [
    roleOf("Administrator", ["list"], "inherit_team"),
    roleOf("Everything", ["search", "view", "charts", "list"]),
    roleOf("Canvasser", ["view", "search"]),
    roleOf("Viewer", ["view", "reading"]),
    roleOf("Field", ["search"]),
    roleOf("Member", []),
  ],
};
const member = {
  ...{ userId: "u", name: "Ada", email: "a", roleId: "Field", role: "Field" },
  ...{ isAdministrator: false, status: "active" as const },
  campaigns: [
    { id: "lakes", name: "Lakes", roleId: "Canvasser", role: "Canvasser", sets: [{ id: "view", name: "view" }] },
  ],
};
const lakes = { id: "lakes", name: "Lakes" };
const parks = { id: "parks", name: "Parks" };
const choose = (campaign: typeof lakes | null, key: string, of = member, from = roles) => {
  const chosen = chooseRequestGrant("north", { campaign, key }, of, from);
  if (chosen === null) return null;
  const { grants, change } = chosen;
  if (change.kind === "members") return [grants, change.members];
  return [grants, change.kind === "campaigns" && change.places];
};
const few = { ...roles, roles: roles.roles.filter(({ id }) => id !== "Everything") };
const none = { roleId: null, setIds: [] };
const canvasser = { roleId: "Canvasser", setIds: ["view"] };
const field = { roleId: "Field", status: "active" };

test.each([
  [
    "in a campaign that is new to them: the smallest role that has the key",
    choose(parks, "charts.view"),
    ["the role Viewer", { userId: "u", campaign: "parks", before: none, after: { ...none, roleId: "Viewer" } }],
  ],
  [
    "where they have a role: the smallest that has the key and all of theirs",
    choose(lakes, "charts.view"),
    [
      "the role Everything",
      { userId: "u", campaign: "lakes", before: canvasser, after: { ...canvasser, roleId: "Everything" } },
    ],
  ],
  [
    "where no role has both: the smallest set beside theirs",
    choose(lakes, "charts.view", member, few),
    [
      "the permission set reading",
      { userId: "u", campaign: "lakes", before: canvasser, after: { ...canvasser, setIds: ["reading", "view"] } },
    ],
  ],
  [
    "in the team: a role that has all of their present one",
    choose(null, "members.view"),
    ["the role Everything", { userId: "u", before: field, after: { ...field, roleId: "Everything" } }],
  ],
])("%s", (_what, chosen, [grants, change]) => {
  expect(chosen).toEqual([grants, [change]]);
});

test("never one that administers, and nothing for who does, or for a key in no set or in none that the team can have", () => {
  expect(choose(null, "roles.manage")).toBe(null);
  expect(choose(lakes, "signatures.enter")).toBe(null);
  expect(choose(lakes, "charts.view", { ...member, isAdministrator: true })).toBe(null);
  expect(choose(null, "members.view", member, few)).toBe(null);
});
