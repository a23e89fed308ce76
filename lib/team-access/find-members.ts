import { matchesWords, plainText } from "@/lib/format/text";
import { campaignsText } from "@/lib/team-access/campaigns-text";
import type { Member } from "@/lib/team-access/members";
import { type MembersFilter, memberOrders } from "@/lib/team-access/members-filter";

/** The members that match a filter, in its order, then by name. */
export function findMembers(
  members: Member[],
  { words = "", role, campaignRole, status, campaign, sort = "name" }: MembersFilter,
): Member[] {
  const matches = members.filter(
    (member) =>
      (role === undefined || member.roleId === role) &&
      (campaignRole === undefined || member.campaigns.some(({ roleId }) => roleId === campaignRole)) &&
      (status === undefined || member.status === status) &&
      (campaign === undefined || member.isAdministrator || member.campaigns.some(({ id }) => id === campaign)) &&
      matchesWords(searchText(member), words),
  );
  const descending = sort.startsWith("-");
  const by = memberOrders.find((order) => sort.endsWith(order)) ?? "name";
  return matches
    .map((member) => ({ member, of: plainText(member[by]), name: plainText(member.name) }))
    .sort(
      (a, b) =>
        (descending ? -1 : 1) * compare(a.of, b.of) ||
        compare(a.name, b.name) ||
        compare(a.member.userId, b.member.userId),
    )
    .map(({ member }) => member);
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Everything the list shows of a member. */
const searchText = (member: Member) =>
  [member.name, member.email, member.role, member.status, campaignsText(member)].join(" ");
