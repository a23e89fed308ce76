import { expect, test } from "vitest";
import { findMembers } from "@/lib/team-access/find-members";
import type { Member } from "@/lib/team-access/members";
import { type MembersFilter, membersFilterSchema } from "@/lib/team-access/members-filter";

const [admin, field, plain] = ["10", "20", "30"].map((end) => `00000000-0000-4000-8000-0000000000${end}`);
const member = (userId: string, name: string, more: Partial<Member>): Member => ({
  ...{ userId, name, email: `${userId}@demo.test`, roleId: plain ?? "", role: "Member" },
  ...{ isAdministrator: false, status: "active", campaigns: [], ...more },
});
const campaign = (id: string, name: string, role: string | null) => ({ id, name, roleId: null, role, sets: [] });
const members = [
  member("toby", "Toby Hale", { status: "suspended", campaigns: [campaign("safe-streets", "Safe streets", null)] }),
  member("jose", "José Núñez", {
    ...{ roleId: field ?? "", role: "Field team", status: "invited" },
    campaigns: [campaign("clean-water", "Clean water", "Canvasser")],
  }),
  member("ada", "ada Moreno", { roleId: admin ?? "", role: "Administrator", isAdministrator: true }),
  member("zoe", "Zoë Ames", {}),
];

test.each<[string, MembersFilter, string[]]>([
  ["nothing: all, by name, whatever its case and accents", {}, ["ada", "jose", "toby", "zoe"]],
  ["a part of a name, in any case", { words: "aDA" }, ["ada"]],
  ["a name without its accents", { words: "jose nunez" }, ["jose"]],
  ["an e-mail address", { words: "toby@" }, ["toby"]],
  ["a role in words", { words: "administrator" }, ["ada"]],
  ["a campaign, and the role in it, in any order", { words: "canvasser clean" }, ["jose"]],
  ["what stands in several rows", { words: "demo.test" }, ["ada", "jose", "toby", "zoe"]],
  ["signs that mean nothing", { words: "(.*)" }, []],
  ["a role", { role: field }, ["jose"]],
  ["a status", { status: "suspended" }, ["toby"]],
  ["a campaign, which opens to administrators too", { campaign: "clean-water" }, ["ada", "jose"]],
  ["all of it at once", { words: "o", status: "invited", campaign: "clean-water" }, ["jose"]],
  ["the end of the names", { sort: "-name" }, ["zoe", "toby", "jose", "ada"]],
  ["roles, each by name", { sort: "role" }, ["ada", "jose", "toby", "zoe"]],
  ["roles from the end, each by name", { sort: "-role" }, ["toby", "zoe", "jose", "ada"]],
  ["status", { sort: "status" }, ["ada", "zoe", "jose", "toby"]],
])("finds by %s", (_what, filter, expected) => {
  expect(findMembers(members, filter).map(({ userId }) => userId)).toEqual(expected);
});

test("in an address nonsense counts as missing", () => {
  const asked = { words: "  ada ", role: "nobody", status: "gone", campaign: "a/b", sort: "age", page: "0" };
  expect(membersFilterSchema.parse(asked)).toEqual({ words: "ada" });
  expect(membersFilterSchema.parse({ sort: "-role", page: "3", words: ["a", "b"] })).toEqual({
    sort: "-role",
    page: 3,
  });
});
