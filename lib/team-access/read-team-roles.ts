import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const rolesSchema = z.object({
  roles: z.array(
    z.object({
      id: z.uuid(),
      name: z.string(),
      /** Comes with Signet: cannot be changed. */
      builtIn: z.boolean(),
      scope: z.enum(["inherit_team", "assigned"]),
      setIds: z.array(z.uuid()),
      /** Members who hold it in the team, people who hold it in a campaign, open invitations to it. */
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
      /** Roles, bundles of administrators, and people in campaigns that hold it in this team. */
      uses: z.number().int(),
    }),
  ),
  /** What administrators hold in the whole team. */
  teamSetIds: z.array(z.uuid()),
  /** All campaigns of the team by name, with what administrators hold in each beside that. */
  campaigns: z.array(
    z.object({ id: z.string(), name: z.string(), archivedAt: z.string().nullable(), setIds: z.array(z.uuid()) }),
  ),
});
export type TeamRoles = z.infer<typeof rolesSchema>;

/**
 * The roles and permission sets that a team can use, built-in ones first, then by name, and what they bundle; ids sorted.
 * Guard with `roles.manage`, or for the choice of a role with `members.manage`, first.
 */
export async function readTeamRoles(teamId: string): Promise<TeamRoles> {
  return rolesSchema.parse(unwrap(await createAdminClient().rpc("team_roles", { p_team_id: teamId })));
}
