import { expect, test } from "vitest";
import { offerChange } from "@/lib/team-access/offer-change";

const setOf = (id: string, ...keys: string[]) => ({ id, name: id, builtIn: true, description: null, keys, uses: 0 });
const roleOf = (id: string, ...setIds: string[]) => ({
  id,
  name: id,
  builtIn: true,
  scope: "assigned" as const,
  setIds,
  members: 0,
  inCampaigns: 0,
  invitations: 0,
});
const roles = {
  sets: [
    setOf("search", "voters.search"),
    setOf("view", "campaign.view"),
    setOf("list", "members.view"),
    setOf("charts", "charts.view"),
  ],
  roles: [
    roleOf("Member"),
    roleOf("Field", "search"),
    roleOf("Canvasser", "view", "search"),
    roleOf("Viewer", "view"),
    roleOf("Office", "search", "list"),
  ],
  teamSetIds: [],
  campaigns: [],
};
const member = (roleId: string, inLakes: string | null, ...extra: string[]) => ({
  userId: "u",
  name: "Ada",
  email: "a",
  roleId,
  role: roleId,
  isAdministrator: false,
  status: "active" as const,
  endsOn: null,
  ended: false,
  campaigns: [
    {
      id: "lakes",
      name: "Lakes",
      roleId: inLakes,
      role: inLakes,
      endsOn: null,
      sets: extra.map((id) => ({ id, name: id })),
    },
  ],
});
const lakes = { id: "lakes", name: "Lakes" };
type Key = "voters.search" | "members.view" | "charts.view";
const removal = (person: ReturnType<typeof member>, key: Key, there = true, campaignAccess: boolean | null = null) => {
  const question = { key, campaign: there ? lakes : null, granted: true, campaignAccess };
  const change = offerChange({ id: "north", name: "North" }, question, person, roles)?.change;
  if (change?.kind === "members") return change.members[0]?.after?.roleId;
  return change?.kind === "campaigns" ? change.places[0]?.after : undefined;
};

test.each([
  ["in the team: the largest role with the others", removal(member("Office", null), "members.view", false), "Field"],
  [
    "a role that has nothing else: none that is part of it",
    removal(member("Field", null), "voters.search", false),
    "Member",
  ],
  [
    "in a campaign: the largest role with the others",
    removal(member("Member", "Canvasser"), "voters.search"),
    { roleId: "Viewer", setIds: [] },
  ],
  [
    "an extra set: the role stays",
    removal(member("Member", "Canvasser", "charts", "view"), "charts.view"),
    { roleId: "Canvasser", setIds: ["view"] },
  ],
  [
    "what the role in the team gives everywhere: in the team",
    removal(member("Field", "Canvasser"), "voters.search"),
    "Member",
  ],
  [
    "an administrator's can't",
    removal({ ...member("Office", null), isAdministrator: true }, "members.view", false),
    undefined,
  ],
])("removes %s", (_what, sources, expected) => {
  if (typeof expected === "object") expect(sources).toMatchObject(expected);
  else expect(sources).toBe(expected);
});

test("says in which campaigns they keep what they lose team-wide", () => {
  const note = (inLakes: string) => {
    const question = { key: "voters.search" as const, campaign: null, granted: true, campaignAccess: null };
    return offerChange({ id: "north", name: "North" }, question, member("Field", inLakes), roles)?.note;
  };
  expect(note("Canvasser")).toBe(
    "Ada's team role changes from Field to Member. They can still search voters in Lakes.",
  );
  expect(note("Viewer")).toBe("Ada's team role changes from Field to Member.");
});

test("opens a campaign for what they have team-wide but can't use there", () => {
  expect(removal({ ...member("Field", null), campaigns: [] }, "voters.search", true, false)).toEqual({
    roleId: "Field",
    setIds: [],
  });
});
