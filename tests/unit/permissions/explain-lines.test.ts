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
const inCampaign = { rule: 7 } as const;
const clerk = { campaignRole: "Clerk" };
const directly = { rule: 7, source: "campaign_user_team_sets" } as const;
const suspended = { membership: { status: "suspended", role: "X", isAdministrator: false, endedOn: null } as const };
const invited = { membership: { ...suspended.membership, status: "invited" } as const };
const ended = { membership: { ...suspended.membership, endedOn: "2031-03-03" } };
const administrator = {
  membership: { status: "active", role: "Administrator", isAdministrator: true, endedOn: null } as const,
};
const [a, b] = [set("A"), set("B")];

test.each<[rules: Partial<Rule>[], expected: string[], changes?: Partial<AccessExplanation>, about?: typeof jun]>([
  [[], ["They aren't a member of Riverside."], { membership: null }],
  [[{}], ["Their membership in Riverside is suspended."], suspended],
  [[{}], ["They're invited to Riverside, but haven't joined yet."], invited],
  [[{}], ["Your membership in Riverside ended on Mar 3, 2031."], ended, you],
  [[{ sets: [a], holds: true }], ["They have no role in Clean water."], { granted: true, campaignAccess: false }],
  [[{}, inCampaign], ["Their Field team role doesn't include this."]],
  [[{}, inCampaign], ["Neither your Field team role nor your Clerk role in Clean water includes this."], clerk, you],
  [
    [{}, { ...directly, without: [a] }],
    ["Neither their Field team role nor any of their extra permission sets in Clean water includes this."],
  ],
  [
    [{ sets: [a], without: [b], holds: true }],
    ["Their Field team role includes it (permission set A)."],
    { granted: true },
  ],
  [
    [{}, { ...inCampaign, sets: [a, b], holds: true }, { ...directly, sets: [a], holds: true }],
    [
      "Their Clerk role in Clean water includes it (permission sets A and B).",
      "Their extra permissions in Clean water include it (permission set A).",
    ],
    { granted: true, ...clerk },
  ],
  [
    [
      { applies: false, sets: [b], holds: true },
      { rule: 7, source: "campaign_team_sets", sets: [a], holds: true },
    ],
    ["Their Administrator role in Clean water includes it (permission set A)."],
    { granted: true, ...clerk, ...administrator },
  ],
  [[{}], ["Their Administrator role doesn't include this."], { ...clerk, ...administrator }],
])("explains %o as %o", (rules, expected, changes = {}, about = jun) => {
  expect(explainLines(explanation(rules.map(rule), changes), about, formatOf())).toEqual(expected);
});

test.each([
  [{ granted: false }, jun, "Jun Park can't see charts in Clean water."],
  [{ granted: true, campaignAccess: true }, jun, "Jun Park can see charts in Clean water."],
  [{ granted: false }, { ...you, campaign: null }, "You can't see charts in Riverside."],
  [{ granted: true, campaignAccess: false }, you, "You can't see charts in Clean water."],
])("answers %o", (changes, about, sentence) => {
  expect(explanationSummary(explanation([], changes), about, "charts.view")).toBe(sentence);
});

test.each([
  [true, "Jun Park can enter signatures in every Riverside campaign they can open."],
  [false, "Jun Park can't enter signatures in Riverside."],
])("says that a permission for campaigns is of no use in the team alone (%s)", (granted, sentence) => {
  expect(explanationSummary(explanation([], { granted }), { ...jun, campaign: null }, "signatures.enter")).toBe(
    sentence,
  );
});
