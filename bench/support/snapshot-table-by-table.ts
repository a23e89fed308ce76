import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";

const membershipSchema = z.object({ role_id: z.string(), roles: z.object({ scope: z.string() }) });
const permissionSetsSchema = z.array(z.object({ permission_set_id: z.string() }));
const keysSchema = z.array(z.object({ key: z.string() }));
const campaignsSchema = z.array(z.object({ campaign_id: z.string() }));
const rolesSchema = z.array(z.object({ campaign_id: z.string(), role_id: z.string() }));
const setsSchema = z.array(z.object({ campaign_id: z.string(), permission_set_id: z.string() }));

type Query = PromiseLike<{ data: unknown; error: Error | null }>; // sent when it is awaited

/**
 * Applies the rules of contract 4.1 as a client of the tables would, with one request per table. “At once” sends requests
 * together if none depends on another. Only correct while no table returns more than 1,000 rows.
 */
export async function readTableByTable(
  supabase: SupabaseClient,
  { user, team, campaign }: { user: string; team: string; campaign: string },
  order: "one after another" | "at once",
) {
  const readAll = (...queries: (Query | null)[]) =>
    order === "at once" ? Promise.all(queries.map(readRows)) : readInSequence(queries);
  const from = (table: string, columns: string) => supabase.from(table).select(columns);
  const ofUser = (table: string, columns: string) => from(table, columns).eq("user_id", user).eq("team_id", team);
  const ofTeam = (table: string, columns: string) => from(table, columns).eq("team_id", team);
  const ofRole = (role: string) => from("role_p_sets", "permission_set_id").eq("role_id", role);

  // Rules 2 and 3.
  const memberships = await readRows(ofUser("team_users", "role_id, roles(scope)").eq("status", "active"));
  const [membership] = z.array(membershipSchema).parse(memberships);
  if (!membership) return { teamAccess: false, campaignAccess: false, permissionKeys: [] };
  const isTeamAdmin = membership.roles.scope === "inherit_team";

  // The tables of rules 4, 5 and 7.
  const [teamSets, roles, sets, campaigns, campaignSets] = await readAll(
    isTeamAdmin ? ofTeam("team_p_sets", "permission_set_id") : ofRole(membership.role_id),
    ofUser("campaign_user_roles_team", "campaign_id, role_id"),
    ofUser("campaign_user_team_sets", "campaign_id, permission_set_id"),
    isTeamAdmin ? ofTeam("campaign_team", "campaign_id") : null,
    isTeamAdmin ? ofTeam("campaign_team_sets", "permission_set_id").eq("campaign_id", campaign) : null,
  );
  const campaignRoles = rolesSchema.parse(roles);
  const extraSets = setsSchema.parse(sets);
  const allowed = [...campaignRoles, ...extraSets, ...campaignsSchema.parse(campaigns)];

  // Rule 7 for a member.
  const isThisCampaign = (row: { campaign_id: string }) => row.campaign_id === campaign;
  const campaignRole = isTeamAdmin ? undefined : campaignRoles.find(isThisCampaign);
  const roleSets = permissionSetsSchema.parse(await readRows(campaignRole ? ofRole(campaignRole.role_id) : null));
  const permissionSets = [
    ...permissionSetsSchema.parse(teamSets),
    ...permissionSetsSchema.parse(campaignSets),
    ...roleSets,
    ...(isTeamAdmin ? [] : extraSets.filter(isThisCampaign)),
  ];

  const ids = [...new Set(permissionSets.map((set) => set.permission_set_id))];
  const keys = keysSchema.parse(await readRows(from("permission_set_keys", "key").in("permission_set_id", ids)));
  return {
    teamAccess: true,
    campaignAccess: allowed.some(isThisCampaign), // rule 6
    permissionKeys: [...new Set(keys.map(({ key }) => key))].sort(), // rule 8
  };
}

async function readInSequence(queries: (Query | null)[]) {
  const results: unknown[] = [];
  for (const query of queries) results.push(await readRows(query));
  return results;
}

async function readRows(query: Query | null): Promise<unknown> {
  if (!query) return [];
  const { data, error } = await query;
  if (error) throw error;
  return data;
}
