import { expect, test } from "vitest";
import { findMembers } from "@/lib/team-access/find-members";
import type { Member } from "@/lib/team-access/members";
import { type MembersFilter, membersFilterSchema } from "@/lib/team-access/members-filter";

const [admin, field, plain] = ["10", "20", "30"].map((end) => `00000000-0000-4000-8000-0000000000${end}`);
const member = (userId: string, name: string, more: Partial<Member>): Member => ({
  userId,
  name,
  email: `${userId}@demo.test`,
  roleId: plain ?? "",
  role: "Member",
  isAdministrator: false,
  status: "active",
  endsOn: null,
  ended: false,
  campaigns: [],
  ...more,
});
const campaign = (id: string, name: string, role: string | null) => ({
  id,
  name,
  roleId: role && (field ?? null),
  role,
  endsOn: null,
  sets: [],
});
const members = [
  member("toby", "Toby Hale", { status: "suspended", campaigns: [campaign("safe-streets", "Safe streets", null)] }),
  member("jose", "José Núñez", {
    roleId: field ?? "",
    role: "Field team",
    status: "invited",
    campaigns: [campaign("clean-water", "Clean water", "Canvasser")],
  }),
  member("ada", "ada Moreno", { roleId: admin ?? "", role: "Administrator", isAdministrator: true }),
  member("zoe", "Zoë Ames", {}),
];

test.each<[string, MembersFilter, string[]]>([
  ["nothing: everyone, by name, whatever the case and accents", {}, ["ada", "jose", "toby", "zoe"]],
  ["a part of a name, in any case", { words: "aDA" }, ["ada"]],
  ["a name without its accents", { words: "jose nunez" }, ["jose"]],
  ["an email", { words: "toby@" }, ["toby"]],
  ["a role's name", { words: "administrator" }, ["ada"]],
  ["a campaign, and the role in it, in any order", { words: "canvasser clean" }, ["jose"]],
  ["a text in several rows", { words: "demo.test" }, ["ada", "jose", "toby", "zoe"]],
  ["characters without a meaning", { words: "(.*)" }, []],
  ["a role", { role: field }, ["jose"]],
  ["a role in any campaign", { campaignRole: field }, ["jose"]],
  ["a status", { status: "suspended" }, ["toby"]],
  ["a campaign, which administrators can open too", { campaign: "clean-water" }, ["ada", "jose"]],
  ["several filters", { words: "o", status: "invited", campaign: "clean-water" }, ["jose"]],
  ["names, descending", { sort: "-name" }, ["zoe", "toby", "jose", "ada"]],
  ["roles, then names", { sort: "role" }, ["ada", "jose", "toby", "zoe"]],
  ["roles descending, then names", { sort: "-role" }, ["toby", "zoe", "jose", "ada"]],
  ["status", { sort: "status" }, ["ada", "zoe", "jose", "toby"]],
])("finds by %s", (_what, filter, expected) => {
  expect(findMembers(members, filter).map(({ userId }) => userId)).toEqual(expected);
});

test("ignores invalid values in an address", () => {
  const params = { words: "  ada ", role: "unknown", status: "gone", campaign: "a/b", sort: "age", page: "0" };
  expect(membersFilterSchema.parse(params)).toEqual({ words: "ada" });
  expect(membersFilterSchema.parse({ sort: "-role", page: "3", words: ["a", "b"] })).toEqual({
    sort: "-role",
    page: 3,
  });
});
