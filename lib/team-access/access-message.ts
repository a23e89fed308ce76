import type { AccessChange } from "@/lib/team-access/access-change";

const messages: Record<Exclude<AccessChange["kind"], "members">, string> = {
  "edit-team": "Team saved.",
  "leave-team": "You have left the team.",
  campaigns: "Campaign access saved.",
  "create-campaign": "Campaign created.",
  "edit-campaign": "Campaign saved.",
  "attach-campaign": "Campaign added to the team.",
  "detach-campaign": "Campaign taken out of the team.",
  "hand-over-campaign": "Campaign handed over.",
  "role-sets": "Role saved.",
  "set-keys": "Permission sets saved.",
  "team-sets": "Permissions of administrators saved.",
  "campaign-sets": "Permissions of administrators saved.",
  "create-role": "Role created.",
  "rename-role": "Role renamed.",
  "delete-role": "Role deleted.",
  "create-set": "Permission set created.",
  "edit-set": "Permission set saved.",
  "delete-set": "Permission set deleted.",
};

/** What a change has done, in words. */
export function accessMessage(change: AccessChange): string {
  if (change.kind !== "members") return messages[change.kind];
  const [only, ...others] = change.members;
  if (!only || others.length > 0) return `${change.members.length} members changed.`;
  if (only.after === null) return "Removed from the team.";
  if (only.after.roleId !== only.before.roleId) return "Role changed.";
  return only.after.status === "active" ? "Active again." : "Suspended.";
}
