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
const choose = (campaign: typeof lakes | null, key: string, of = member) =>
  chooseRequestGrant("north", { campaign, key }, of, roles);

test("in a campaign that is new to her: the smallest role that has the key", () => {
  expect(choose({ id: "parks", name: "Parks" }, "charts.view")).toEqual({
    gives: "the role Viewer",
    change: {
      kind: "campaigns",
      team: "north",
      places: [
        {
          userId: "u",
          campaign: "parks",
          before: { roleId: null, setIds: [] },
          after: { roleId: "Viewer", setIds: [] },
        },
      ],
    },
  });
});

test("where she has a role: the smallest that has the key and all of hers", () => {
  expect(choose(lakes, "charts.view")).toMatchObject({
    gives: "the role Everything",
    change: {
      places: [
        { before: { roleId: "Canvasser", setIds: ["view"] }, after: { roleId: "Everything", setIds: ["view"] } },
      ],
    },
  });
});

test("where no role has both: the smallest set beside hers", () => {
  const few = { ...roles, roles: roles.roles.filter(({ id }) => id !== "Everything") };
  expect(chooseRequestGrant("north", { campaign: lakes, key: "charts.view" }, member, few)).toMatchObject({
    gives: "the permission set reading",
    change: { places: [{ after: { roleId: "Canvasser", setIds: ["reading", "view"] } }] },
  });
  expect(chooseRequestGrant("north", { campaign: null, key: "members.view" }, member, few)).toBe(null);
});

test("in the team: a role that has all of her present one", () => {
  expect(choose(null, "members.view")).toEqual({
    gives: "the role Everything",
    change: {
      kind: "members",
      team: "north",
      members: [
        {
          userId: "u",
          before: { roleId: "Field", status: "active" },
          after: { roleId: "Everything", status: "active" },
        },
      ],
    },
  });
});

test("never one that administers, and nothing for who does, or for a key in no set", () => {
  expect(choose(null, "roles.manage")).toBe(null);
  expect(choose(lakes, "signatures.enter")).toBe(null);
  expect(choose(lakes, "charts.view", { ...member, isAdministrator: true })).toBe(null);
});
