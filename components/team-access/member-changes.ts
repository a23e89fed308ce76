import type { AskedChange } from "@/components/team-access/change-review";
import type { AccessChange } from "@/lib/team-access/access-change";
import type { Member } from "@/lib/team-access/members";

// The changes of members that screens offer, with the texts of their previews.

type Named = { id: string; name: string };
type Membership = Pick<Member, "userId" | "name" | "roleId" | "status">;

/** The badge of a membership. */
export const statusTones = { active: "done", invited: "waiting", suspended: "neutral" } as const;

/** `Ada Moreno`, or `3 members`. */
export function namesOf(members: Pick<Member, "name">[]): string {
  return members.length === 1 && members[0] ? members[0].name : `${members.length} members`;
}

/** Changes the role or status of members, or removes them (`null`). */
function changeMembers(
  team: string,
  members: Membership[],
  after: Partial<Pick<Member, "roleId" | "status">> | null,
): AccessChange {
  return {
    kind: "members",
    team,
    members: members.map(({ userId, roleId, status }) => ({
      userId,
      before: { roleId, status },
      after: after && { roleId, status, ...after },
    })),
  };
}

export function suspendMembers(team: string, members: Membership[]): AskedChange {
  return {
    change: changeMembers(team, members, { status: "suspended" }),
    title: `Suspend ${namesOf(members)}?`,
    confirm: "Suspend",
    danger: true,
    note: "Suspended members can't open anything in the team. Their role and campaigns are kept.",
  };
}

export function reactivateMembers(team: string, members: Membership[]): AskedChange {
  return {
    change: changeMembers(team, members, { status: "active" }),
    title: `Reactivate ${namesOf(members)}?`,
    confirm: "Reactivate",
  };
}

export function removeMembers(team: string, members: Membership[]): AskedChange {
  return {
    change: changeMembers(team, members, null),
    title: `Remove ${namesOf(members)} from the team?`,
    confirm: "Remove",
    danger: true,
    note: "They lose their role and campaigns and need a new invitation to return. Signatures they entered are kept. To block access temporarily, suspend instead.",
  };
}

export function changeRole(team: string, members: Membership[], role: Named): AskedChange {
  return {
    change: changeMembers(team, members, { roleId: role.id }),
    title: `Change the role of ${namesOf(members)} to ${role.name}?`,
    confirm: "Change role",
  };
}

/** What a member has in a campaign: a role there, and extra permission sets. */
export type CampaignAccess = { roleId: string | null; setIds: string[] };
export const noCampaignAccess: CampaignAccess = { roleId: null, setIds: [] };

export function campaignAccess(member: Pick<Member, "campaigns">, campaignId: string): CampaignAccess {
  const found = member.campaigns.find(({ id }) => id === campaignId);
  return { roleId: found?.roleId ?? null, setIds: found?.sets.map(({ id }) => id).toSorted() ?? [] };
}

/** Sets the role of members in a campaign and keeps their extra sets, or removes their access to it (`null`). */
export function changeCampaignRole(
  team: string,
  members: Pick<Member, "userId" | "name" | "campaigns">[],
  campaign: Named,
  role: Named | null,
): AskedChange {
  const places = members.map((member) => {
    const before = campaignAccess(member, campaign.id);
    const after = role ? { ...before, roleId: role.id } : noCampaignAccess;
    return { userId: member.userId, campaign: campaign.id, before, after };
  });
  const change: AccessChange = { kind: "campaigns", team, places };
  if (role === null) {
    const title = `Remove access to ${campaign.name} from ${namesOf(members)}?`;
    return { change, title, confirm: "Remove access", danger: true };
  }
  return { change, title: `Assign ${role.name} in ${campaign.name} to ${namesOf(members)}?`, confirm: "Assign role" };
}
