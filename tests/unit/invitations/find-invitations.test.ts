import { expect, test } from "vitest";
import { findInvitations } from "@/lib/invitations/find-invitations";

const office = {
  id: "1",
  email: "ada@people.test",
  name: "Ada Moreno",
  roleId: "office",
  role: "Office",
  campaigns: [],
};
const lakes = { id: "lakes", name: "Clear lakes", roleId: "clerk", role: "Clerk" };
const clerk = { id: "2", email: "jun@people.test", name: null, roleId: "member", role: "Member", campaigns: [lakes] };

test.each([
  [{}, ["1", "2"]],
  [{ words: "moreno" }, ["1"]],
  [{ words: "jun" }, ["2"]],
  [{ words: "clerk lakes" }, ["2"]],
  [{ role: "office" }, ["1"]],
  [{ campaignRole: "clerk" }, ["2"]],
  [{ campaign: "lakes" }, ["2"]],
  [{ status: "invited" as const }, ["1", "2"]],
  [{ status: "active" as const }, []],
])("open invitations found by %o", (filter, expected) => {
  expect(findInvitations([office, clerk], filter).map(({ id }) => id)).toEqual(expected);
});
