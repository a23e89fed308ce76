import { describe, expect, it } from "vitest";
import { explainAnswer, explainLines } from "@/components/permissions/explain-lines";
import { formatOf } from "@/lib/format/format-of";
import type { AccessExplanation } from "@/lib/permissions/explain-access";

type Rule = AccessExplanation["rules"][number];
const set = (name: string) => ({ id: "00000000-0000-4000-8000-000000000001", name });
const rule = (over: Partial<Rule>): Rule => ({
  rule: 4,
  source: "role_p_sets",
  applies: true,
  holds: false,
  sets: [],
  without: [],
  ...over,
});
const explanation = (rules: Rule[], over: Partial<AccessExplanation> = {}): AccessExplanation => ({
  held: false,
  teamAccess: true,
  campaignAccess: null,
  membership: { status: "active", role: "Field team", isAdministrator: false },
  campaignRole: null,
  rules,
  ...over,
});
const jun = { person: "Jun Park", you: false, team: "Riverside", campaign: "Clean water" };
const you = { ...jun, you: true };
const texts = (rules: Rule[], over?: Partial<AccessExplanation>, about = jun) =>
  explainLines(explanation(rules, over), about, formatOf()).map(({ text }) => text);

describe("explainLines", () => {
  it.each<[string, Rule, string]>([
    [
      "active",
      rule({ rule: 2, source: "team_users", holds: true }),
      "Jun Park is an active member of Riverside, with the role “Field team”.",
    ],
    ["a role without sets", rule({}), "In the whole team, the role “Field team” has no permission sets."],
    [
      "sets that lack it",
      rule({ without: [set("A"), set("B")] }),
      "In the whole team, the role “Field team” has “A” and “B”, which do not include it.",
    ],
    [
      "a set that has it",
      rule({ sets: [set("A")], without: [set("B")], holds: true }),
      "In the whole team, the role “Field team” has “A”, which includes it.",
    ],
    [
      "no role in the campaign",
      rule({ rule: 5, source: "campaign_user_roles_team" }),
      "Jun Park has no role in Clean water.",
    ],
    ["no role there to include it", rule({ rule: 7 }), "Jun Park has no role in Clean water, which could include it."],
    [
      "nothing given directly",
      rule({ rule: 7, source: "campaign_user_team_sets" }),
      "Jun Park has no permission set given directly in Clean water.",
    ],
    [
      "given directly",
      rule({ rule: 7, source: "campaign_user_team_sets", sets: [set("A")], holds: true }),
      "Given directly in Clean water: “A”, which includes it.",
    ],
    [
      "a campaign of the team",
      rule({ rule: 5, source: "campaign_team", holds: true }),
      "As an administrator, Jun Park reaches each campaign of Riverside; Clean water is one.",
    ],
  ])("%s", (_case, one, text) => {
    expect(texts([one])).toEqual([text]);
  });

  it("speaks to the reader of herself", () => {
    expect(texts([rule({ rule: 2, source: "team_users", holds: true })], {}, you)).toEqual([
      "You are an active member of Riverside, with the role “Field team”.",
    ]);
  });

  it("says what is wrong with the membership", () => {
    const member = rule({ rule: 2, source: "team_users" });
    expect(texts([member], { membership: null })).toEqual(["Jun Park is not a member of Riverside."]);
    expect(texts([member], { membership: { status: "suspended", role: "X", isAdministrator: false } })).toEqual([
      "Jun Park’s membership of Riverside is suspended: only an active one opens anything.",
    ]);
  });

  it("leaves out rules that are for others", () => {
    expect(texts([rule({ applies: false, source: "team_p_sets" })])).toEqual([]);
  });
});

describe("explainAnswer", () => {
  it.each([
    [{ held: false }, jun, "Jun Park does not hold “See charts” in Clean water."],
    [{ held: true, campaignAccess: true }, jun, "Jun Park holds “See charts” in Clean water."],
    [{ held: false }, { ...you, campaign: null }, "You do not hold “See charts” in Riverside."],
    [
      { held: true, campaignAccess: false },
      you,
      "You hold “See charts” in the whole team, but Clean water is not open to you.",
    ],
  ])("%o", (over, about, sentence) => {
    expect(explainAnswer(explanation([], over), about, "See charts")).toBe(sentence);
  });
});
