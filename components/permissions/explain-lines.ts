import type { Format } from "@/lib/format/format-of";
import type { AccessExplanation } from "@/lib/permissions/explain";
import { isForCampaigns, permissionLabel } from "@/lib/permissions/permission-keys";

/** One rule as a sentence, and whether it grants the permission. */
export type ExplainedLine = { holds: boolean; text: string };

/** The person and place that an explanation is about. `you` when they read it themselves. */
export type Explained = { person: string; you: boolean; team: string; campaign: string | null };

type Rule = AccessExplanation["rules"][number];

/**
 * The rules that apply to this person, in order: what each grants, or what is missing. The same text appears once. For
 * someone who isn't an active member, only that, because their roles and sets grant nothing.
 */
export function explainLines(
  { rules, membership, campaignRole }: AccessExplanation,
  about: Explained,
  { list, shortDay }: Format,
): ExplainedLine[] {
  const { person, you, team } = about;
  const campaign = about.campaign ?? "the campaign";
  const is = you ? "You're" : `${person} is`;
  const isNot = you ? "You aren't" : `${person} isn't`;
  const has = you ? "You have" : `${person} has`;
  const noCampaignRole = `${has} no role in ${campaign}.`;
  const noExtraSets = `${has} no extra permission sets in ${campaign}.`;

  const setsText = (sets: { name: string }[]) => {
    const names = list(sets.map(({ name }) => `“${name}”`));
    const start = `the permission ${sets.length === 1 ? "set" : "sets"} ${names}, which`;
    return start.replaceAll("”,", ",”"); // commas go inside the quotes
  };
  const withSets = (start: string, { sets, without }: Rule) => {
    if (sets.length > 0) return `${start} ${setsText(sets)} ${sets.length === 1 ? "includes" : "include"} it.`;
    if (without.length === 0) return `${start} no permission sets.`;
    return `${start} ${setsText(without)} ${without.length === 1 ? "doesn't" : "don't"} include it.`;
  };

  const textOf = (rule: Rule): string => {
    switch (rule.source) {
      case "team_users":
        if (!membership) return `${isNot} a member of ${team}.`;
        if (rule.holds) return `${is} an active member of ${team} with the role “${membership.role}.”`;
        return `${you ? "Your" : `${person}'s`} membership in ${team} ${
          membership.endedOn === null ? `is ${membership.status}` : `ended on ${shortDay(membership.endedOn)}`
        }. Only active members have access.`;
      case "team_p_sets":
        return withSets(`As an administrator of ${team}, ${you ? "you have" : has}`, rule);
      case "role_p_sets":
        if (rule.rule === 4) return withSets(`Team-wide, the role “${membership?.role ?? ""}” has`, rule);
        return campaignRole === null
          ? noCampaignRole
          : withSets(`In ${campaign}, the role “${campaignRole}” has`, rule);
      case "campaign_user_roles_team":
        return rule.holds
          ? `${has} the role “${campaignRole}” in ${campaign}, which lets ${you ? "you" : "them"} open the campaign.`
          : noCampaignRole;
      case "campaign_user_team_sets":
        if (rule.rule === 5) {
          return rule.holds
            ? `${has} extra permission sets in ${campaign}, which let ${you ? "you" : "them"} open the campaign.`
            : noExtraSets;
        }
        if (rule.sets.length + rule.without.length === 0) return noExtraSets;
        return withSets(`In ${campaign}, ${you ? "you also have" : `${person} also has`}`, rule);
      case "campaign_team":
        if (!rule.holds) return `${campaign} isn't a campaign of ${team}.`;
        return `${you ? "As an administrator, you" : `As an administrator, ${person}`} can open every campaign of ${team}, including ${campaign}.`;
      case "campaign_team_sets":
        return withSets(`In ${campaign}, administrators have`, rule);
    }
  };
  const applying = rules.filter(({ applies }) => applies);
  const notActive = applying.filter(({ source, holds }) => source === "team_users" && !holds);
  const lines = (notActive.length > 0 ? notActive : applying).map((rule) => ({
    holds: rule.holds,
    text: textOf(rule),
  }));
  return lines.filter(({ text }, place) => lines.findIndex((line) => line.text === text) === place);
}

/** Whether they have it, in one sentence. */
export function explanationSummary(
  { granted, campaignAccess }: AccessExplanation,
  { person, you, team, campaign }: Explained,
  key: string,
): string {
  const permission = permissionLabel(key);
  const where = campaign ?? team;
  const has = you ? "You have" : `${person} has`;
  if (!granted) return `${you ? "You don't" : `${person} doesn't`} have the permission “${permission}” in ${where}.`;
  if (campaign === null && isForCampaigns(key))
    return `${has} the permission “${permission}” in every ${team} campaign ${you ? "you" : "they"} can open.`;
  if (campaignAccess !== false) return `${has} the permission “${permission}” in ${where}.`;
  return `${has} the permission “${permission}” team-wide, but ${you ? "you " : ""}can't open ${where}.`;
}
