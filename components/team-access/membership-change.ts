import type { AskedChange } from "@/components/team-access/change-review";
import { whom } from "@/components/team-access/member-text";
import type { AccessChange } from "@/lib/team-access/access-change";
import type { Member } from "@/lib/team-access/members";

type Membership = { roleId: string; status: Member["status"] };
type Changed = Pick<Member, "userId" | "name" | "roleId" | "status">;

/** The change that gives members another role or status, or that removes them (`null`). */
function membersChange(team: string, members: Changed[], after: Partial<Membership> | null): AccessChange {
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

/** Asks whether members are to be suspended, and says what that means. */
export function suspend(team: string, members: Changed[]): AskedChange {
  return {
    change: membersChange(team, members, { status: "suspended" }),
    title: `Suspend ${whom(members)}?`,
    confirm: "Suspend",
    danger: true,
    note: "Nothing of the team opens to somebody who is suspended. Role and campaigns are kept for when that ends.",
  };
}

/** Asks whether suspended members are to be active again. */
export function makeActive(team: string, members: Changed[]): AskedChange {
  return {
    change: membersChange(team, members, { status: "active" }),
    title: `Make ${whom(members)} active again?`,
    confirm: "Make active",
  };
}

/** Asks whether members are to be removed, and says what that means. */
export function remove(team: string, members: Changed[]): AskedChange {
  return {
    change: membersChange(team, members, null),
    title: `Remove ${whom(members)} from the team?`,
    confirm: "Remove",
    danger: true,
    note: "Role and campaigns go too, and only a new invitation brings them back. What was entered stays. To pause somebody, suspend instead.",
  };
}

/** Asks whether members are to have another role. */
export function changeRole(team: string, members: Changed[], role: { id: string; name: string }): AskedChange {
  return {
    change: membersChange(team, members, { roleId: role.id }),
    title: `Give ${whom(members)} the role ${role.name}?`,
    confirm: "Change role",
  };
}
