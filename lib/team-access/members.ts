import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import type { Place } from "@/lib/ids";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { createAdminClient } from "@/lib/supabase/admin";
import { type Column, unwrap } from "@/lib/supabase/unwrap";

const memberSchema = z.object({
  userId: z.uuid(),
  name: z.string(),
  email: z.string(),
  roleId: z.uuid(),
  role: z.string(),
  isAdministrator: z.boolean(),
  status: z.enum(["active", "invited", "suspended"]),
  /** Their campaigns by name; `role` is null if they only have permission sets there. */
  campaigns: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      roleId: z.uuid().nullable(),
      role: z.string().nullable(),
      /** Their extra permission sets there, by name. */
      sets: z.array(z.object({ id: z.uuid(), name: z.string() })),
    }),
  ),
});
export type Member = z.infer<typeof memberSchema>;

/** All members of a team by name, of any status. Guard with `members.view` first. */
export async function listMembers(teamId: string): Promise<Member[]> {
  return z.array(memberSchema).parse(unwrap(await createAdminClient().rpc("team_members", { p_team_id: teamId })));
}

const holdersSchema = z.array(
  z.object({
    userId: z.uuid(),
    name: z.string(),
    /** In the team. */
    role: z.string(),
    /** Names of the permission sets that include it. */
    sets: z.array(z.string()),
  }),
);
export type Holder = z.infer<typeof holdersSchema>[number];

/** The active members with a key in the team, or in a campaign they can open, by name. Guard with `roles.manage` first. */
export async function listHolders({ team, campaign }: Place, key: PermissionKey): Promise<Holder[]> {
  const asked = { p_team_id: team, p_campaign_id: campaign ?? null, p_key: key };
  return holdersSchema.parse(unwrap(await createAdminClient().rpc("permission_holders", asked)));
}

const rowsSchema = z.array(z.object({ team_id: z.string(), status: z.enum(["invited", "suspended"]) }));

/** A membership without access. They may know the team's id, but not its name. */
export type InactiveMembership = { teamId: string; status: "invited" | "suspended" };

/** The signed-in user's inactive memberships. */
export async function listInactiveMemberships({ userId }: Session): Promise<InactiveMembership[]> {
  const result = await createAdminClient()
    .from("team_users")
    .select("team_id, status")
    .eq("user_id", userId)
    .neq("status", "active")
    .order("team_id" satisfies Column<"team_users">);
  return rowsSchema.parse(unwrap(result)).map(({ team_id, status }) => ({ teamId: team_id, status }));
}
