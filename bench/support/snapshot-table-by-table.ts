import type { SupabaseClient } from "@supabase/supabase-js";
import { z } from "zod";

const membershipSchema = z.object({ role_id: z.string(), roles: z.object({ scope: z.string() }) });
const bundlesSchema = z.array(z.object({ permission_set_id: z.string() }));
const keysSchema = z.array(z.object({ key: z.string() }));
const campaignsSchema = z.array(z.object({ campaign_id: z.string() }));
const rolesSchema = z.array(z.object({ campaign_id: z.string(), role_id: z.string() }));
const setsSchema = z.array(z.object({ campaign_id: z.string(), permission_set_id: z.string() }));

type Query = PromiseLike<{ data: unknown; error: Error | null }>; // sent when it is awaited

/**
 * Applies the rules of contract 4.1 as a client of the tables would: one request per table, one after another, or at once
 * where they don't depend on each other. Only correct while no table returns more than 1,000 rows.
 */
export async function readTableByTable(
  supabase: SupabaseClient,
  { user, team, campaign }: { user: string; team: string; campaign: string },
  order: "one after another" | "at once",
) {
  const readAll = (...queries: (Query | null)[]) =>
    order === "at once" ? Promise.all(queries.map(rows)) : oneAfterAnother(queries);
  const from = (table: string, columns: string) => supabase.from(table).select(columns);
  const ofUser = (table: string, columns: string) => from(table, columns).eq("user_id", user).eq("team_id", team);
  const ofTeam = (table: string, columns: string) => from(table, columns).eq("team_id", team);
  const ofRole = (role: string) => from("role_p_sets", "permission_set_id").eq("role_id", role);

  // Rules 2 and 3.
  const found = await rows(ofUser("team_users", "role_id, roles(scope)").eq("status", "active"));
  const [membership] = z.array(membershipSchema).parse(found);
  if (!membership) return { teamAccess: false, campaignAccess: false, permissionKeys: [] };
  const isTeamAdmin = membership.roles.scope === "inherit_team";

  // The tables of rules 4, 5 and 7.
  const [teamBundles, roles, sets, campaigns, campaignBundles] = await readAll(
    isTeamAdmin ? ofTeam("team_p_sets", "permission_set_id") : ofRole(membership.role_id),
    ofUser("campaign_user_roles_team", "campaign_id, role_id"),
    ofUser("campaign_user_team_sets", "campaign_id, permission_set_id"),
    isTeamAdmin ? ofTeam("campaign_team", "campaign_id") : null,
    isTeamAdmin ? ofTeam("campaign_team_sets", "permission_set_id").eq("campaign_id", campaign) : null,
  );
  const rolesHeld = rolesSchema.parse(roles);
  const setsHeld = setsSchema.parse(sets);
  const allowed = [...rolesHeld, ...setsHeld, ...campaignsSchema.parse(campaigns)];

  // Rule 7 for a member.
  const here = (row: { campaign_id: string }) => row.campaign_id === campaign;
  const roleHere = isTeamAdmin ? undefined : rolesHeld.find(here);
  const roleBundles = bundlesSchema.parse(await rows(roleHere ? ofRole(roleHere.role_id) : null));
  const bundles = [
    ...bundlesSchema.parse(teamBundles),
    ...bundlesSchema.parse(campaignBundles),
    ...roleBundles,
    ...(isTeamAdmin ? [] : setsHeld.filter(here)),
  ];

  const ids = [...new Set(bundles.map((bundle) => bundle.permission_set_id))];
  const keys = keysSchema.parse(await rows(from("permission_set_keys", "key").in("permission_set_id", ids)));
  return {
    teamAccess: true,
    campaignAccess: allowed.some(here), // rule 6
    permissionKeys: [...new Set(keys.map(({ key }) => key))].sort(), // rule 8
  };
}

async function oneAfterAnother(queries: (Query | null)[]) {
  const answers: unknown[] = [];
  for (const query of queries) answers.push(await rows(query));
  return answers;
}

async function rows(query: Query | null): Promise<unknown> {
  if (!query) return [];
  const { data, error } = await query;
  if (error) throw error;
  return data;
}
