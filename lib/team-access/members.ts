import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { type CsvPiece, csv } from "@/lib/format/csv";
import type { Place } from "@/lib/ids";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { createAdminClient } from "@/lib/supabase/admin";
import { callSql, placeArgs } from "@/lib/supabase/call-sql";
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
  /** The last day of their membership, in the team's time zone; null without an end. */
  endsOn: z.string().nullable(),
  /** That day is over. */
  ended: z.boolean(),
  /** Their campaigns by name; `role` is null if they only have permission sets there. */
  campaigns: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      roleId: z.uuid().nullable(),
      role: z.string().nullable(),
      /** The last day of that role; null without an end. */
      endsOn: z.string().nullable(),
      /** Their extra permission sets there, by name. */
      sets: z.array(z.object({ id: z.uuid(), name: z.string() })),
    }),
  ),
});
export type Member = z.infer<typeof memberSchema>;

/** All members of a team by name, of any status. Guard with `members.view` first. */
export async function listMembers(teamId: string): Promise<Member[]> {
  return callSql("team_members", { p_team_id: teamId }, z.array(memberSchema));
}

const factsSchema = z.object({
  joinedAt: z.string().nullable(),
  lastActiveAt: z.string().nullable(),
  hasSecondFactor: z.boolean(),
});

/** When a member joined and was last active, and whether they have a second factor. Guard with `members.view` first. */
export async function readMemberFacts(teamId: string, userId: string): Promise<z.infer<typeof factsSchema>> {
  return callSql("member_facts", { p_team_id: teamId, p_user_id: userId }, factsSchema);
}

/** The filtered and sorted members as a CSV file with a header row. Guard with `members.view` first. */
export async function membersCsv(teamId: string, filter: MembersFilter): Promise<CsvPiece> {
  const members = findMembers(await listMembers(teamId), filter);
  const head = ["Name", "Email", "Role", "Status", "Ends on", "Campaigns"];
  const rows = members.map((member) => [
    member.name,
    member.email,
    member.role,
    member.status,
    member.endsOn ?? "",
    campaignsText(member),
  ]);
  return { text: csv([head, ...rows]), rowCount: rows.length };
}

const holdersSchema = z.array(
  z.object({
    userId: z.uuid(),
    name: z.string(),
    /** Their role in the team, if it includes the permission. */
    role: z.string().nullable(),
    /** Their role in the campaign, if it includes the permission. */
    campaignRole: z.string().nullable(),
    /** Whether a set that they have directly in the campaign includes it. */
    direct: z.boolean(),
    /** Names of the permission sets that include it. */
    sets: z.array(z.string()),
  }),
);
export type Holder = z.infer<typeof holdersSchema>[number];

/** The active members with a key in the team, or in a campaign they can open, by name. Guard with `roles.manage` first, or show only the names. */
export async function listHolders(place: Place, key: PermissionKey): Promise<Holder[]> {
  return callSql("permission_holders", { ...placeArgs(place), p_key: key }, holdersSchema);
}

/** The names of the signed-in user's roles, by team. */
export async function readOwnRoles({ userId }: Session): Promise<ReadonlyMap<string, string>> {
  const result = await createAdminClient().from("team_users").select("team_id, role:roles(name)").eq("user_id", userId);
  const schema = z.array(z.object({ team_id: z.string(), role: z.object({ name: z.string() }) }));
  return new Map(schema.parse(unwrap(result)).map(({ team_id, role }) => [team_id, role.name]));
}

/** A membership without access. */
const inactiveSchema = z.object({
  teamId: z.string(),
  team: z.object({ name: z.string(), timeZone: z.string(), locale: z.string() }),
  status: z.enum(["invited", "suspended"]),
  /** It had an end, which has passed. */
  hasEnded: z
    .string()
    .nullable()
    .transform((endsAt) => endsAt !== null && Date.parse(endsAt) <= Date.now()),
});
export type InactiveMembership = z.infer<typeof inactiveSchema>;

/** The signed-in user's inactive memberships. */
export async function listInactiveMemberships({ userId }: Session): Promise<InactiveMembership[]> {
  const result = await createAdminClient()
    .from("team_users")
    .select("teamId:team_id, team:teams(name, timeZone:time_zone, locale), status, hasEnded:ends_at")
    .eq("user_id", userId)
    .neq("status", "active")
    .order("team_id" satisfies Column<"team_users">);
  return z.array(inactiveSchema).parse(unwrap(result));
}
