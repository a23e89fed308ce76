import { isDue, type World } from "./access-world.ts";

/** A user and a place. */
export type Question = { user: string; team: string | null; campaign: string | null };

/** The contract's PermissionsSnapshot (2.1). */
export type Snapshot = { teamAccess: boolean; campaignAccess?: boolean; permissionKeys: string[] };

/**
 * The snapshot. This implements the contract (3 and 4.1, rules 1 to 8) independently of the SQL. A campaign needs its team.
 * Ended access counts as suspended or removed.
 */
export function expectedSnapshot(world: World, { user, team, campaign }: Question): Snapshot {
  const activeRows = world.team_users.filter((row) => row.user_id === user && row.status === "active" && !isDue(row));

  // Rule 1.
  if (team === null) return { teamAccess: activeRows.length > 0, permissionKeys: [] };

  // Rule 2. Only active rows grant access (section 3), so without one the later rules give nothing.
  const membership = activeRows.find((row) => row.team_id === team);
  if (membership === undefined) {
    return { teamAccess: false, ...(campaign === null ? {} : { campaignAccess: false }), permissionKeys: [] };
  }

  // Rule 3.
  const isTeamAdmin = world.roles.some((role) => role.id === membership.role_id && role.scope === "inherit_team");

  // Rule 4.
  const setsOfRole = (role: string) => world.role_p_sets.filter((row) => row.role_id === role);
  const teamSets = isTeamAdmin
    ? world.team_p_sets.filter((row) => row.team_id === team)
    : setsOfRole(membership.role_id);
  const teamKeys = keysOf(world, teamSets);
  if (campaign === null) return { teamAccess: true, permissionKeys: sorted(teamKeys) };

  // Rule 5.
  const rolesHeld = world.campaign_user_roles_team.filter(
    (row) => row.user_id === user && row.team_id === team && !isDue(row),
  );
  const setsHeld = world.campaign_user_team_sets.filter((row) => row.user_id === user && row.team_id === team);
  const ofTeam = isTeamAdmin ? world.campaign_team.filter((row) => row.team_id === team) : [];
  const allowedCampaigns = [...rolesHeld, ...setsHeld, ...ofTeam].map((row) => row.campaign_id);

  // Rule 7.
  const here = (row: { campaign_id: string }) => row.campaign_id === campaign;
  const campaignSets = isTeamAdmin
    ? world.campaign_team_sets.filter((row) => row.team_id === team && here(row))
    : [...rolesHeld.filter(here).flatMap((row) => setsOfRole(row.role_id)), ...setsHeld.filter(here)];

  return {
    teamAccess: true,
    campaignAccess: allowedCampaigns.includes(campaign), // rule 6
    permissionKeys: sorted([...teamKeys, ...keysOf(world, campaignSets)]), // rule 8
  };
}

function keysOf(world: World, rows: { permission_set_id: string }[]): string[] {
  const sets = new Set(rows.map((row) => row.permission_set_id));
  return world.permission_set_keys.filter((row) => sets.has(row.permission_set_id)).map((row) => row.key);
}

// Keys are ASCII, where the order of code units is that of code points.
function sorted(keys: string[]): string[] {
  return [...new Set(keys)].sort();
}
