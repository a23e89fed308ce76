import type { Format } from "@/lib/format/format-of";
import type { AccessExplanation } from "@/lib/permissions/explain";

/** One rule of the contract in words, and whether it gives what was asked for. */
export type ExplainedLine = { rule: number; holds: boolean; text: string };

/** Whom and where an explanation is about. `you` when she reads it herself. */
export type Explained = { person: string; you: boolean; team: string; campaign: string | null };

/** The rules that are for this person, in order: what each gives, or what it lacks. */
export function explainLines(
  { rules, membership, campaignRole }: AccessExplanation,
  about: Explained,
  { list }: Format,
): ExplainedLine[] {
  const { person, you, team } = about;
  const campaign = about.campaign ?? "the campaign";
  const is = you ? "You are" : `${person} is`;
  const has = you ? "You have" : `${person} has`;
  const role = membership ? `“${membership.role}”` : "";

  const quoted = (sets: { name: string }[]) => list(sets.map(({ name }) => `“${name}”`));
  const bundle = (whose: string, { sets, without }: AccessExplanation["rules"][number]) => {
    if (sets.length > 0) return `${whose} ${quoted(sets)}, which ${sets.length === 1 ? "includes" : "include"} it.`;
    if (without.length === 0) return `${whose} no permission sets.`;
    return `${whose} ${quoted(without)}, which ${without.length === 1 ? "does" : "do"} not include it.`;
  };

  const text = (rule: AccessExplanation["rules"][number]): string => {
    switch (rule.source) {
      case "team_users":
        if (!membership) return `${is} not a member of ${team}.`;
        if (rule.holds) return `${is} an active member of ${team}, with the role ${role}.`;
        return `${you ? "Your" : `${person}’s`} membership of ${team} is ${membership.status}: only an active one opens anything.`;
      case "team_p_sets":
        return bundle(`As an administrator of ${team}, ${you ? "you have" : `${person} has`}`, rule);
      case "role_p_sets":
        if (rule.rule === 4) return bundle(`In the whole team, the role ${role} has`, rule);
        if (campaignRole === null) return `${has} no role in ${campaign}, which could include it.`;
        return bundle(`In ${campaign}, the role “${campaignRole}” has`, rule);
      case "campaign_user_roles_team":
        return rule.holds
          ? `${has} the role “${campaignRole}” in ${campaign}, which opens it.`
          : `${has} no role in ${campaign}.`;
      case "campaign_user_team_sets":
        if (rule.rule === 5) {
          return rule.holds
            ? `${has} permission sets of ${you ? "your" : "their"} own in ${campaign}, which opens it.`
            : `${has} no permission sets of ${you ? "your" : "their"} own in ${campaign}.`;
        }
        if (rule.sets.length + rule.without.length === 0)
          return `${has} no permission set given directly in ${campaign}.`;
        return bundle(`Given directly in ${campaign}:`, rule);
      case "campaign_team":
        return rule.holds
          ? `As an administrator, ${you ? "you reach" : `${person} reaches`} each campaign of ${team}; ${campaign} is one.`
          : `${campaign} is no campaign of ${team}.`;
      case "campaign_team_sets":
        return bundle(`In ${campaign}, an administrator has`, rule);
    }
  };
  return rules
    .filter(({ applies }) => applies)
    .map((rule) => ({ rule: rule.rule, holds: rule.holds, text: text(rule) }));
}

/** The answer in one sentence. */
export function explainAnswer(
  { held, campaignAccess }: AccessExplanation,
  { person, you, team, campaign }: Explained,
  words: string,
): string {
  const where = campaign ?? team;
  if (!held) return `${you ? "You do" : `${person} does`} not hold “${words}” in ${where}.`;
  if (campaignAccess === false) {
    return `${you ? "You hold" : `${person} holds`} “${words}” in the whole team, but ${where} is not open to ${you ? "you" : person}.`;
  }
  return `${you ? "You hold" : `${person} holds`} “${words}” in ${where}.`;
}
