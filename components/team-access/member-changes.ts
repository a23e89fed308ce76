import type { ChangeRequest } from "@/components/team-access/change-review";
import type { AccessChange } from "@/lib/team-access/access-change";
import type { Member } from "@/lib/team-access/members";

// The changes of members that screens offer, with the texts of their previews.

type Named = { id: string; name: string };
type Membership = Pick<Member, "userId" | "name" | "roleId" | "status" | "endsOn" | "ended">;

/** The badge of a membership. */
export const statusTones = { active: "success", invited: "warning", suspended: "neutral" } as const;

/** `Ada Moreno`, or `3 members`. */
export function formatMemberNames(members: Pick<Member, "name">[]): string {
  return members.length === 1 && members[0] ? members[0].name : `${members.length} members`;
}

/** Changes role, status or last day of members, or removes them (`null`). */
function changeMembers(
  team: string,
  members: Membership[],
  after: Partial<Pick<Member, "roleId" | "status" | "endsOn">> | null,
): AccessChange {
  return {
    kind: "members",
    team,
    members: members.map(({ userId, roleId, status, endsOn }) => ({
      userId,
      before: { roleId, status, ...(after && "endsOn" in after && { endsOn }) },
      after: after && { roleId, status, ...after },
    })),
  };
}

export function suspendMembers(team: string, members: Membership[]): ChangeRequest {
  return {
    change: changeMembers(team, members, { status: "suspended" }),
    title: `Suspend ${formatMemberNames(members)}?`,
    confirm: members.length === 1 ? "Suspend member" : "Suspend members",
    done: `${formatMemberNames(members)} suspended.`,
    danger: true,
    note: "They can't open anything in the team until you reactivate them. Their role and campaigns are kept.",
  };
}

export function reactivateMembers(
  team: string,
  members: (Membership & Pick<Member, "role" | "campaigns">)[],
): ChangeRequest {
  const [only, ...others] = members;
  const campaigns = only?.campaigns.map(({ name }) => name).join(", ");
  const had =
    only && others.length === 0
      ? `the ${only.role} role${campaigns && ` and access to ${campaigns}`}`
      : "the roles and campaigns they had";
  const ended = members.some(({ ended }) => ended) ? " Their end date has passed. Reactivating removes it." : "";
  return {
    change: changeMembers(team, members, { status: "active" }),
    title: `Reactivate ${formatMemberNames(members)}?`,
    confirm: "Reactivate",
    done: `${formatMemberNames(members)} reactivated.`,
    note: `They get back ${had}.${ended}`,
  };
}

export function removeMembers(team: string, members: Membership[]): ChangeRequest {
  return {
    change: changeMembers(team, members, null),
    title: `Remove ${formatMemberNames(members)} from the team?`,
    confirm: "Remove from team",
    done: `${formatMemberNames(members)} removed from the team.`,
    danger: true,
    note: "They lose their role and campaigns and need a new invitation to return. Signatures they entered are kept. To block access temporarily, suspend instead.",
  };
}

export function changeRole(team: string, members: Membership[], role: Named): ChangeRequest {
  return {
    change: changeMembers(team, members, { roleId: role.id }),
    title: `Change ${formatMemberNames(members)}${members.length === 1 ? "'s role" : "' roles"} to ${role.name}?`,
    confirm: "Change role",
    done: `${formatMemberNames(members)} now ${members.length === 1 ? "has" : "have"} the ${role.name} role.`,
  };
}

/** Sets the role of a member and the last day of their membership, which `day` writes. */
export function changeMembership(
  team: string,
  member: Membership,
  { role, endsOn }: { role: Named; endsOn: string | null },
  day: (day: string) => string,
): ChangeRequest {
  const { name, roleId } = member;
  const note = endsOn
    ? `${name} will be suspended after ${day(endsOn)}. Their role and campaigns are kept.`
    : `${name}'s access no longer ends.`;
  if (endsOn === member.endsOn) return { ...changeRole(team, [member], role), ...(endsOn && { note }) };
  const change = changeMembers(team, [member], { roleId: role.id, endsOn });
  const until = endsOn ? `until ${day(endsOn)}` : "without an end date";
  if (role.id !== roleId) {
    const { title } = changeRole(team, [member], role);
    return {
      change,
      title,
      confirm: "Save membership",
      note,
      done: `${name} now has the ${role.name} role, ${until}.`,
    };
  }
  if (endsOn === null) {
    const done = `${name} no longer has an end date.`;
    return { change, title: `Remove ${name}'s end date?`, confirm: "Save end date", done };
  }
  const title = member.endsOn === null ? `Set an end date for ${name}?` : `Change ${name}'s end date?`;
  return { change, title, confirm: "Save end date", note, done: `${name}'s access ends after ${day(endsOn)}.` };
}

/** What a member has in a campaign: a role there, its last day, and extra permission sets. */
export type CampaignAccess = { roleId: string | null; endsOn: string | null; setIds: string[] };
export const noCampaignAccess: CampaignAccess = { roleId: null, endsOn: null, setIds: [] };

export function campaignAccess(member: Pick<Member, "campaigns">, campaignId: string): CampaignAccess {
  const campaign = member.campaigns.find(({ id }) => id === campaignId);
  const { roleId = null, endsOn = null } = campaign ?? {};
  return { roleId, endsOn, setIds: campaign?.sets.map(({ id }) => id).toSorted() ?? [] };
}

/** Sets the role of members in a campaign and keeps their extra sets, or removes their access to it (`null`). */
export function changeCampaignRole(
  team: string,
  members: Pick<Member, "userId" | "name" | "campaigns">[],
  campaign: Named,
  role: Named | null,
): ChangeRequest {
  const places = members.map((member) => {
    const before = campaignAccess(member, campaign.id);
    const after = role ? { ...before, roleId: role.id } : noCampaignAccess;
    return { userId: member.userId, campaign: campaign.id, before, after };
  });
  const change: AccessChange = { kind: "campaigns", team, places };
  if (role === null) {
    const title = `Remove access to ${campaign.name} from ${formatMemberNames(members)}?`;
    const done = `${formatMemberNames(members)} removed from ${campaign.name}.`;
    return { change, title, confirm: "Remove access", danger: true, done };
  }
  return {
    change,
    title: `Assign ${role.name} in ${campaign.name} to ${formatMemberNames(members)}?`,
    confirm: "Assign role",
    done: `${formatMemberNames(members)} now ${members.length === 1 ? "has" : "have"} the ${role.name} role in ${campaign.name}.`,
  };
}
