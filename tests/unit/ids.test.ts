import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { campaignIdSchema, reservedTeamIds, teamIdSchema, voterIdSchema } from "../../lib/ids.ts";

test("reserves the names of all top-level routes for them, and no others", () => {
  const folders = readdirSync(new URL("../../app", import.meta.url), { withFileTypes: true });
  const routes = folders.filter((entry) => entry.isDirectory() && /^[a-z]/.test(entry.name)).map(({ name }) => name);
  expect(reservedTeamIds.toSorted()).toEqual(routes.toSorted());
});

test.each(["a", "A-1_b", "0", "a".repeat(63), "no-access"])("accepts the team ID %s", (id) => {
  expect(teamIdSchema.safeParse(id).success).toBe(true);
});

test.each(["", "-a", "_a", "a".repeat(64), "a b", "a,b", "a/b", "a:b", "{a}", "é", "a\n", ...reservedTeamIds])(
  "rejects the team ID %j",
  (id) => {
    expect(teamIdSchema.safeParse(id).success).toBe(false);
  },
);

test("allows a campaign ID that is a route, but not “no-access”", () => {
  expect(campaignIdSchema.safeParse("login").success).toBe(true);
  expect(campaignIdSchema.safeParse("no-access").success).toBe(false);
});

test.each(["1", "!", "~", "__proto__", "a:b", "x".repeat(64)])("accepts the voter ID %j", (id) => {
  expect(voterIdSchema.safeParse(id).success).toBe(true);
});

const texts = ["", " ", "a b", "x".repeat(65), "é", "ｖ1", "v\u200b1", "a\n", "\u007f", "\0"];
test.each([...texts, 1, null, ["v1"], { v: 1 }].map((id) => [id]))("rejects the voter ID %j", (id) => {
  expect(voterIdSchema.safeParse(id).success).toBe(false);
});
