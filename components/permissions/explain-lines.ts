import type { Format } from "@/lib/format/format-of";
import { capitalized } from "@/lib/format/text";
import type { AccessExplanation } from "@/lib/permissions/explain";
import { isForCampaigns, permissionAct } from "@/lib/permissions/permission-keys";

/** The person and place that an explanation is about. `you` when they read it themselves. */
export type Explained = { person: string; you: boolean; team: string; campaign: string | null };

/** Why they can: each role, or extra permission sets, that include the permission. Why they can't: one sentence. */
export function explainLines(
  { rules, membership, campaignRole, granted, campaignAccess }: AccessExplanation,
  { you, team, campaign }: Explained,
  { list, shortDay }: Format,
): string[] {
  const they = you ? "You" : "They";
  const their = you ? "your" : "their";
  if (!membership) return [`${they} aren't a member of ${team}.`];
  const { role, status, isAdministrator, endedOn } = membership;
  if (endedOn !== null) return [capitalized(`${their} membership in ${team} ended on ${shortDay(endedOn)}.`)];
  if (status === "invited") return [`${they}'re invited to ${team}, but haven't joined yet.`];
  if (status === "suspended") return [capitalized(`${their} membership in ${team} is suspended.`)];
  if (campaignAccess === false) return [`${they} have no role in ${campaign}.`];

  const granting = rules.filter(({ rule, applies }) => applies && (rule === 4 || rule === 7));
  if (granted)
    return granting
      .filter(({ holds }) => holds)
      .map(({ rule, source, sets }) => {
        const names = `(permission ${sets.length === 1 ? "set" : "sets"} ${list(sets.map(({ name }) => name))})`;
        if (source === "campaign_user_team_sets")
          return capitalized(`${their} extra permissions in ${campaign} include it ${names}.`);
        const name = rule === 4 ? `${role} role` : `${isAdministrator ? role : campaignRole} role in ${campaign}`;
        return capitalized(`${their} ${name} includes it ${names}.`);
      });
  const lacking = [
    `${their} ${role} role`,
    !isAdministrator && campaignRole !== null && `${their} ${campaignRole} role in ${campaign}`,
    granting.some(({ source, without }) => source === "campaign_user_team_sets" && without.length > 0) &&
      `any of ${their} extra permission sets in ${campaign}`,
  ].filter((name) => name !== false);
  return [
    lacking.length === 1
      ? capitalized(`${lacking.join()} doesn't include this.`)
      : `Neither ${lacking.join(" nor ")} includes this.`,
  ];
}

/** Whether they can, in one sentence. */
export function explanationSummary(
  { granted, campaignAccess }: AccessExplanation,
  { person, you, team, campaign }: Explained,
  key: string,
): string {
  const everywhere = granted && campaign === null && isForCampaigns(key);
  const where = everywhere ? `in every ${team} campaign ${you ? "you" : "they"} can open` : `in ${campaign ?? team}`;
  return `${you ? "You" : person} ${granted && campaignAccess !== false ? "can" : "can't"} ${permissionAct(key)} ${where}.`;
}
