import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { type CsvPiece, csv } from "@/lib/format/csv";
import type { Place } from "@/lib/ids";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { createAdminClient } from "@/lib/supabase/admin";
import { type Column, unwrap } from "@/lib/supabase/unwrap";
import { campaignsText } from "@/lib/team-access/campaigns-text";
import { findMembers } from "@/lib/team-access/find-members";
import type { MembersFilter } from "@/lib/team-access/members-filter";

const memberSchema = z.object({
  userId: z.uuid(),
  name: z.string(),
  email: z.string(),
  roleId: z.uuid(),
  role: z.string(),
  isAdministrator: z.boolean(),
  status: z.enum(["active", "invited", "suspended"]),
  /** Campaigns given to the member by name; `role` is null where she has permission sets alone. */
  campaigns: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      roleId: z.uuid().nullable(),
      role: z.string().nullable(),
      /** Permission sets that she holds there directly, by name. */
      sets: z.array(z.object({ id: z.uuid(), name: z.string() })),
    }),
  ),
});
export type Member = z.infer<typeof memberSchema>;

/** All members of a team by name, of any status. Guard with `members.view` first. */
export async function listMembers(teamId: string): Promise<Member[]> {
  return z.array(memberSchema).parse(unwrap(await createAdminClient().rpc("team_members", { p_team_id: teamId })));
}

/** The members that a filter lets through as a CSV file with a head row, in its order. Guard with `members.view` first. */
export async function membersCsv(teamId: string, filter: MembersFilter): Promise<CsvPiece> {
  const members = findMembers(await listMembers(teamId), filter);
  const rows = members.map((member) => [member.name, member.email, member.role, member.status, campaignsText(member)]);
  return { text: csv([["Name", "E-mail address", "Role", "Status", "Campaigns"], ...rows]), rowCount: rows.length };
}

const holdersSchema = z.array(
  z.object({
    userId: z.uuid(),
    name: z.string(),
    /** In the team. */
    role: z.string(),
    /** Names of the permission sets by which she holds it. */
    sets: z.array(z.string()),
  }),
);
export type Holder = z.infer<typeof holdersSchema>[number];

/**
 * The active members who hold a key in the whole team, or in a campaign that is open to them, by name. Guard with
 * `roles.manage` first.
 */
export async function listHolders({ team, campaign }: Place, key: PermissionKey): Promise<Holder[]> {
  const asked = { p_team_id: team, p_campaign_id: campaign ?? null, p_key: key };
  return holdersSchema.parse(unwrap(await createAdminClient().rpc("who_holds", asked)));
}

const rowsSchema = z.array(z.object({ team_id: z.string(), status: z.enum(["invited", "suspended"]) }));

/** A membership that opens nothing. The team's name is not hers to read; its id stands in her own row. */
export type InactiveMembership = { teamId: string; status: "invited" | "suspended" };

/** The signed-in user's own memberships that are not active. */
export async function listInactiveMemberships({ userId }: Session): Promise<InactiveMembership[]> {
  const result = await createAdminClient()
    .from("team_users")
    .select("team_id, status")
    .eq("user_id", userId)
    .neq("status", "active")
    .order("team_id" satisfies Column<"team_users">);
  return rowsSchema.parse(unwrap(result)).map(({ team_id, status }) => ({ teamId: team_id, status }));
}
