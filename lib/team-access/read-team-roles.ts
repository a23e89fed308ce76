import "server-only";
import { z } from "zod";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { callSql } from "@/lib/supabase/call-sql";

const rolesSchema = z.object({
  roles: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      /** Comes with Signet and can't be changed. */
      builtIn: z.boolean(),
      scope: z.enum(["inherit_team", "assigned"]),
      setIds: z.array(z.uuid()),
      /** How many members have it in the team, how many people in a campaign, and how many open invitations grant it. */
      members: z.number().int(),
      inCampaigns: z.number().int(),
      invitations: z.number().int(),
    }),
  ),
  sets: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      builtIn: z.boolean(),
      description: z.string().nullable(),
      keys: z.array(z.string()),
      /** How many roles, administrators and people in campaigns have it in this team. */
      uses: z.number().int(),
    }),
  ),
  /** The team-wide sets of administrators. */
  teamSetIds: z.array(z.uuid()),
  /** All campaigns of the team by name, with the extra sets of administrators in each. */
  campaigns: z.array(
    z.object({ id: z.string(), name: z.string(), archivedAt: z.string().nullable(), setIds: z.array(z.uuid()) }),
  ),
});
export type TeamRoles = z.infer<typeof rolesSchema>;

/**
 * The roles and permission sets of a team, built-in ones first, then by name; ids sorted. Guard with `roles.manage` first,
 * or with `members.manage` to choose a role.
 */
export async function readTeamRoles(teamId: string): Promise<TeamRoles> {
  return callSql("team_roles", { p_team_id: teamId }, rolesSchema);
}

/** The preselected role: the one with the fewest sets, so that no one becomes an administrator by accident. */
export function leastPrivilegedRole({ roles, sets }: TeamRoles, key?: PermissionKey) {
  const setsWithKey = new Set(sets.filter(({ keys }) => key && keys.includes(key)).map(({ id }) => id));
  const assigned = roles.filter(
    ({ scope, setIds }) => scope === "assigned" && (!key || setIds.some((id) => setsWithKey.has(id))),
  );
  return assigned.toSorted((a, b) => a.setIds.length - b.setIds.length)[0]?.id;
}
