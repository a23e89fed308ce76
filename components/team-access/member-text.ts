import type { Member } from "@/lib/team-access/members";

/** How a membership is marked. */
export const statusTones = { active: "done", invited: "waiting", suspended: "neutral" } as const;

/** `Ada Moreno`, or `3 members`. */
export function whom(members: Pick<Member, "name">[]): string {
  return members.length === 1 && members[0] ? members[0].name : `${members.length} members`;
}
