import type { Member } from "@/lib/team-access/list-members";

/** How a membership is marked. */
export const statusTones = { active: "done", invited: "waiting", suspended: "neutral" } as const;

/** The campaigns of a member in a line: with her role there, or with how many sets she was given. */
export function campaignsText({ isAdministrator, campaigns }: Pick<Member, "isAdministrator" | "campaigns">): string {
  if (isAdministrator) return "All campaigns";
  return campaigns
    .map(({ name, role, sets }) => {
      const given = [
        ...(role ? [role] : []),
        ...(sets.length > 0 ? [sets.length === 1 ? "1 set" : `${sets.length} sets`] : []),
      ];
      return given.length > 0 ? `${name} (${given.join(", ")})` : name;
    })
    .join(", ");
}

/** All that the list shows of a member, to search in. */
export function searchText(member: Member): string {
  return [member.name, member.email, member.role, member.status, campaignsText(member)].join(" ");
}

/** `Ada Moreno`, or `3 members`. */
export function whom(members: Pick<Member, "name">[]): string {
  return members.length === 1 && members[0] ? members[0].name : `${members.length} members`;
}
