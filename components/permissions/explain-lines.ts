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
  const { you, team } = about;
  const campaign = about.campaign ?? "the campaign";
  const they = you ? "You" : "They";
  const their = you ? "Your" : "Their";

  const roleText = (role: string, place: string, { sets }: Rule) =>
    sets.length === 0
      ? `${their} ${role} role in ${place} doesn't include this.`
      : `${their} ${role} role in ${place} includes this through ${setsText(sets)}.`;
  const setsText = (sets: { name: string }[]) =>
    `the ${list(sets.map(({ name }) => name))} permission ${sets.length === 1 ? "set" : "sets"}`;

  const textOf = (rule: Rule): string => {
    switch (rule.source) {
      case "team_users":
        if (rule.holds) return `${they}'re an active member of ${team}.`;
        if (!membership) return `${they} aren't a member of ${team}.`;
        return `${
          membership.endedOn !== null
            ? `${their} membership in ${team} ended on ${shortDay(membership.endedOn)}`
            : membership.status === "invited"
              ? `${they}'re invited to ${team}, but haven't joined yet`
              : `${their} membership in ${team} is suspended`
        }. Only active members have access.`;
      case "team_p_sets":
        return roleText(membership?.role ?? "", team, rule);
      case "campaign_team_sets":
        return roleText(membership?.role ?? "", campaign, rule);
      case "role_p_sets":
        if (rule.rule === 4) return roleText(membership?.role ?? "", team, rule);
        return campaignRole === null ? `${they} have no role in ${campaign}.` : roleText(campaignRole, campaign, rule);
      case "campaign_user_roles_team":
        return rule.holds
          ? `${their} ${campaignRole} role in ${campaign} lets ${you ? "you" : "them"} open it.`
          : `${they} have no role in ${campaign}.`;
      case "campaign_user_team_sets":
        if (rule.rule === 5 ? !rule.holds : rule.sets.length + rule.without.length === 0)
          return `${they} have no extra permission sets in ${campaign}.`;
        if (rule.rule === 5)
          return `${their} extra permission sets in ${campaign} let ${you ? "you" : "them"} open it.`;
        return rule.sets.length === 0
          ? `${their} extra permission sets in ${campaign} don't include this.`
          : `${their} extra permission sets in ${campaign} include this through ${setsText(rule.sets)}.`;
      case "campaign_team":
        if (!rule.holds) return `${campaign} isn't a campaign of ${team}.`;
        return `${their} ${membership?.role ?? ""} role in ${team} lets ${you ? "you" : "them"} open every campaign.`;
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
