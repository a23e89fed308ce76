import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { campaignIdSchema, reservedTeamIds, teamIdSchema, voterIdSchema } from "../../lib/ids.ts";

test("each top-level route is a name that no team may have, and no other name is", () => {
  const folders = readdirSync(new URL("../../app", import.meta.url), { withFileTypes: true });
  const routes = folders.filter((entry) => entry.isDirectory() && /^[a-z]/.test(entry.name)).map(({ name }) => name);
  expect(reservedTeamIds.toSorted()).toEqual(routes.toSorted());
});

test.each(["a", "A-1_b", "0", "a".repeat(63), "no-access"])("%s can be a team", (id) => {
  expect(teamIdSchema.safeParse(id).success).toBe(true);
});

test.each(["", "-a", "_a", "a".repeat(64), "a b", "a,b", "a/b", "a:b", "{a}", "é", "a\n", ...reservedTeamIds])(
  "%j cannot be a team",
  (id) => {
    expect(teamIdSchema.safeParse(id).success).toBe(false);
  },
);

test("a campaign may be named as a route, and not as the page that refuses campaigns", () => {
  expect(campaignIdSchema.safeParse("login").success).toBe(true);
  expect(campaignIdSchema.safeParse("no-access").success).toBe(false);
});

test.each(["1", "!", "~", "__proto__", "a:b", "x".repeat(64)])("%j can be a voter", (id) => {
  expect(voterIdSchema.safeParse(id).success).toBe(true);
});

const noVoters = [
  "",
  " ",
  "a b",
  "x".repeat(65),
  "é",
  "ｖ1",
  "v\u200b1",
  "a\n",
  "\u007f",
  "\0",
  1,
  null,
  ["v1"],
  { v: 1 },
];
test.each(noVoters.map((id) => [id]))("%j cannot be a voter", (id) => {
  expect(voterIdSchema.safeParse(id).success).toBe(false);
});
