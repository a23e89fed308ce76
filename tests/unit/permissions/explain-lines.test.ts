import { expect, test } from "vitest";
import { explainLines, explanationSummary } from "@/components/permissions/explain-lines";
import { formatOf } from "@/lib/format/format-of";
import type { AccessExplanation } from "@/lib/permissions/explain";

type Rule = AccessExplanation["rules"][number];
const set = (name: string) => ({ id: "00000000-0000-4000-8000-000000000001", name });
const rule = (changes: Partial<Rule>): Rule => ({
  rule: 4,
  source: "role_p_sets",
  applies: true,
  holds: false,
  sets: [],
  without: [],
  ...changes,
});
const explanation = (rules: Rule[], changes: Partial<AccessExplanation> = {}): AccessExplanation => ({
  granted: false,
  teamAccess: true,
  campaignAccess: null,
  membership: { status: "active", role: "Field team", isAdministrator: false, endedOn: null },
  campaignRole: null,
  rules,
  ...changes,
});
const jun = { person: "Jun Park", you: false, team: "Riverside", campaign: "Clean water" };
const you = { ...jun, you: true };
const member = { rule: 2, source: "team_users" } as const;
const directly = { rule: 7, source: "campaign_user_team_sets" } as const;
const suspended = { membership: { status: "suspended", role: "X", isAdministrator: false, endedOn: null } as const };
const invited = { membership: { ...suspended.membership, status: "invited" } as const };
const ended = { membership: { ...suspended.membership, endedOn: "2031-03-03" } };
const [a, b] = [set("A"), set("B")];

test.each<[rule: Partial<Rule>, expected: string[], changes?: Partial<AccessExplanation>, about?: typeof jun]>([
  [{ ...member, holds: true }, ["They're an active member of Riverside."]],
  [{ ...member, holds: true }, ["You're an active member of Riverside."], {}, you],
  [member, ["They aren't a member of Riverside."], { membership: null }],
  [member, ["Their membership in Riverside is suspended. Only active members have access."], suspended],
  [member, ["They're invited to Riverside, but haven't joined yet. Only active members have access."], invited],
  [member, ["Your membership in Riverside ended on Mar 3, 2031. Only active members have access."], ended, you],
  [{}, ["Their Field team role in Riverside doesn't include this."]],
  [{ without: [a, b] }, ["Their Field team role in Riverside doesn't include this."]],
  [
    { sets: [a], without: [b], holds: true },
    ["Their Field team role in Riverside includes this through the A permission set."],
  ],
  [
    { sets: [a, b, set("C")], holds: true },
    ["Their Field team role in Riverside includes this through the A, B, and C permission sets."],
  ],
  [{ rule: 5, source: "campaign_user_roles_team" }, ["They have no role in Clean water."]],
  [{ rule: 7 }, ["They have no role in Clean water."]],
  [{ rule: 7 }, ["Their Clerk role in Clean water doesn't include this."], { campaignRole: "Clerk" }],
  [directly, ["They have no extra permission sets in Clean water."]],
  [{ ...directly, without: [a] }, ["Their extra permission sets in Clean water don't include this."]],
  [
    { ...directly, sets: [a], holds: true },
    ["Their extra permission sets in Clean water include this through the A permission set."],
  ],
  [
    { rule: 5, source: "campaign_team", holds: true },
    ["Their Field team role in Riverside lets them open every campaign."],
  ],
  [{ applies: false, source: "team_p_sets" }, []], // a rule that doesn't apply
])("explains %o as %o", (one, expected, changes = {}, about = jun) => {
  const lines = explainLines(explanation([rule(one)], changes), about, formatOf());
  expect(lines.map(({ text }) => text)).toEqual(expected);
});

test("shows of a suspended member nothing but that", () => {
  const rules = [rule(member), rule({}), rule({ ...member, rule: 5, source: "campaign_user_roles_team" })];
  expect(explainLines(explanation(rules, suspended), jun, formatOf()).map(({ text }) => text)).toEqual([
    "Their membership in Riverside is suspended. Only active members have access.",
  ]);
});

test("shows the same text once", () => {
  const rules = [rule({ ...directly, rule: 5 }), rule(directly), rule({ rule: 7 })];
  expect(explainLines(explanation(rules), jun, formatOf()).map(({ text }) => text)).toEqual([
    "They have no extra permission sets in Clean water.",
    "They have no role in Clean water.",
  ]);
});

test.each([
  [{ granted: false }, jun, "Jun Park doesn't have the permission “See charts” in Clean water."],
  [{ granted: true, campaignAccess: true }, jun, "Jun Park has the permission “See charts” in Clean water."],
  [{ granted: false }, { ...you, campaign: null }, "You don't have the permission “See charts” in Riverside."],
  [
    { granted: true, campaignAccess: false },
    you,
    "You have the permission “See charts” team-wide, but you can't open Clean water.",
  ],
])("answers %o", (changes, about, sentence) => {
  expect(explanationSummary(explanation([], changes), about, "charts.view")).toBe(sentence);
});

test("says that a permission for campaigns is of no use in the team alone", () => {
  const summary = explanationSummary(explanation([], { granted: true }), { ...jun, campaign: null }, "signatures.view");
  expect(summary).toBe("Jun Park has the permission “See signatures” in every Riverside campaign they can open.");
});
