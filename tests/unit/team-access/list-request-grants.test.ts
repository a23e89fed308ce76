import { expect, test } from "vitest";
import { listRequestGrants, placesToGrantIn } from "@/lib/team-access/list-request-grants";

const setOf = (id: string, ...keys: string[]) => ({ id, name: id, builtIn: true, description: null, keys, uses: 0 });
const roleOf = (id: string, setIds: string[], scope: "assigned" | "inherit_team" = "assigned") => ({
  id,
  name: id,
  builtIn: true,
  scope,
  setIds,
  members: 0,
  inCampaigns: 0,
  invitations: 0,
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
  userId: "u",
  name: "Ada",
  email: "a",
  roleId: "Field",
  role: "Field",
  isAdministrator: false,
  status: "active" as const,
  endsOn: null,
  ended: false,
  campaigns: [
    {
      id: "lakes",
      name: "Lakes",
      roleId: "Canvasser",
      role: "Canvasser",
      endsOn: null,
      sets: [{ id: "view", name: "view" }],
    },
  ],
};
const lakes = { id: "lakes", name: "Lakes" };
const parks = { id: "parks", name: "Parks" };
const choose = (campaign: typeof lakes | null, key: string, subject = member, from = roles) => {
  const [chosen] = listRequestGrants("north", { campaign, key }, subject, from);
  if (!chosen) return null;
  const { grants, change } = chosen;
  if (change.kind === "members") return [grants, change.members];
  return [grants, change.kind === "campaigns" && change.places];
};
const few = { ...roles, roles: roles.roles.filter(({ id }) => id !== "Everything") };
const withCharts = { ...roles, roles: [...roles.roles, roleOf("Charting", ["view", "search", "reading"])] };
const none = { roleId: null, setIds: [] };
const canvasser = { roleId: "Canvasser", setIds: ["view"] };
const field = { roleId: "Field", status: "active" };

test.each([
  [
    "where a role adds no more than a permission set: the role",
    choose(parks, "voters.search"),
    ["the Field role", { userId: "u", campaign: "parks", before: none, after: { ...none, roleId: "Field" } }],
  ],
  [
    "where they have a role that lacks nothing else: a role with the permission and everything they have",
    choose(lakes, "charts.view", member, withCharts),
    [
      "the Charting role",
      { userId: "u", campaign: "lakes", before: canvasser, after: { ...canvasser, roleId: "Charting" } },
    ],
  ],
  [
    "where each role adds more: the smallest extra permission set",
    choose(lakes, "charts.view"),
    [
      "the reading permission set",
      { userId: "u", campaign: "lakes", before: canvasser, after: { ...canvasser, setIds: ["reading", "view"] } },
    ],
  ],
  [
    "in the team: a role that includes their current one",
    choose(null, "members.view"),
    ["the Everything role", { userId: "u", before: field, after: { ...field, roleId: "Everything" } }],
  ],
])("%s", (_what, chosen, [grants, change]) => {
  expect(chosen).toEqual([grants, [change]]);
});

test("grants no administrator role, and nothing to administrators or for a permission that no set offers", () => {
  expect(choose(null, "roles.manage")).toBe(null);
  expect(choose(lakes, "signatures.enter")).toBe(null);
  expect(choose(lakes, "charts.view", { ...member, isAdministrator: true })).toBe(null);
  expect(choose(null, "members.view", member, few)).toBe(null);
});

test("lists all roles and the set that grant it, least first, and only those that the person could grant", () => {
  const list = (...ownKeys: string[]) => {
    const grants = listRequestGrants("north", { campaign: parks, key: "campaign.view" }, member, roles, ownKeys);
    return grants.map(({ grants }) => grants);
  };
  expect(list("campaign.view", "voters.search", "charts.view")).toEqual([
    "the view permission set",
    "the Canvasser role",
    "the Viewer role",
  ]);
  expect(list("campaign.view", "charts.view")).toEqual(["the view permission set", "the Viewer role"]);
  expect(list("campaign.view")).toEqual(["the view permission set"]);
  expect(list("voters.search")).toEqual([]);
});

test("says which is the smallest, and that it keeps what they have", () => {
  const notes = (campaign: typeof lakes, key: string, from = roles) =>
    listRequestGrants("north", { campaign, key }, member, from).map(({ note }) => note);
  expect(notes(parks, "campaign.view").slice(1, 3)).toEqual([
    "Canvasser is the smallest role that adds “See the campaign overview.”",
    "Viewer adds “See the campaign overview.”",
  ]);
  expect(notes(lakes, "charts.view")).toEqual([
    "reading is the smallest permission set that adds “See charts.”",
    "Everything is the smallest role that adds “See charts” and keeps everything Ada has now.",
  ]);
  expect(notes(lakes, "charts.view", few)).toEqual(["reading is the smallest permission set that adds “See charts.”"]);
});

test("the overview in a team is granted in any running campaign, another request where it was made", () => {
  const place = { permissionKeys: [], canEdit: false, archivedAt: null };
  const old = { ...place, id: "old", name: "Old", archivedAt: "2026-01-01T00:00:00Z" };
  const campaigns = [{ ...place, ...lakes }, { ...place, ...parks }, old];
  const region = { timeZone: "UTC", locale: "en-US", secondFactorFrom: null };
  const team = { id: "north", name: "North", permissionKeys: [], campaigns, ...region };
  const namesOf = (campaign: typeof lakes | null, key: string) =>
    placesToGrantIn({ campaign, key }, team).map(({ name }) => name);
  expect(namesOf(null, "campaign.view")).toEqual(["Lakes", "Parks"]);
  expect(namesOf(lakes, "campaign.view")).toEqual(["Lakes"]);
  expect(namesOf(null, "members.view")).toEqual(["North"]);
});
