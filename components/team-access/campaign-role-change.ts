import type { AskedChange } from "@/components/team-access/change-review";
import { whom } from "@/components/team-access/member-text";
import type { Member } from "@/lib/team-access/members";

type Named = { id: string; name: string };
/** A role in a campaign; null takes people out of it. */
export type ChosenCampaignRole = { campaign: Named; role: Named | null };

/** What a member has been given in a campaign by name. */
export function accessIn(
  member: Pick<Member, "campaigns">,
  campaignId: string,
): { roleId: string | null; setIds: string[] } {
  const given = member.campaigns.find(({ id }) => id === campaignId);
  return { roleId: given?.roleId ?? null, setIds: given?.sets.map(({ id }) => id).toSorted() ?? [] };
}

/** Asks whether members are to have a role in a campaign, beside the sets that they have there, or nothing in it any more. */
export function campaignRoleChange(
  team: string,
  members: Pick<Member, "userId" | "name" | "campaigns">[],
  { campaign, role }: ChosenCampaignRole,
): AskedChange {
  return {
    change: {
      kind: "campaigns",
      team,
      places: members.map((member) => {
        const before = accessIn(member, campaign.id);
        const after = role ? { roleId: role.id, setIds: before.setIds } : { roleId: null, setIds: [] };
        return { userId: member.userId, campaign: campaign.id, before, after };
      }),
    },
    ...(role
      ? { title: `Give ${whom(members)} the role ${role.name} in ${campaign.name}?`, confirm: "Give role" }
      : { title: `Take ${whom(members)} out of ${campaign.name}?`, confirm: "Take out", danger: true }),
  };
}
