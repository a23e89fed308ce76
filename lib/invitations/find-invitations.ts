import { matchesWords } from "@/lib/format/text";
import type { OpenInvitation } from "@/lib/invitations/invitations";
import type { MembersFilter } from "@/lib/team-access/members-filter";

/** The open invitations that match a filter of members. */
export function findInvitations<
  Invitation extends Pick<OpenInvitation, "email" | "name" | "roleId" | "role" | "campaigns">,
>(
  invitations: Invitation[],
  { words = "", role, campaignRole, status = "invited", campaign }: MembersFilter,
): Invitation[] {
  return invitations.filter(
    ({ email, name, roleId, role: roleName, campaigns }) =>
      status === "invited" &&
      (role === undefined || role === roleId) &&
      (campaignRole === undefined || campaigns.some((candidate) => candidate.roleId === campaignRole)) &&
      (campaign === undefined || campaigns.some(({ id }) => id === campaign)) &&
      matchesWords([email, name, roleName, ...campaigns.flatMap((entry) => [entry.name, entry.role])].join(" "), words),
  );
}
