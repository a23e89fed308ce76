import { z } from "zod";
import { uuidOf, type World } from "../../support/access-world.ts";
import { expectedSnapshot } from "../../support/permission-oracle.ts";

// What administrators keep and lose, as docs/decisions/2026-11-21-what-administrators-keep.md says it, from rows alone and
// without a look at the SQL.

/** A key of a team, or in one of its campaigns, that somebody took from the administrators while she was one. */
export type Taking = { user: string; team: string; campaign: string | null; key: string };

const text = z.string();
const rowsSchema = z.object({
  roles: z.array(z.object({ id: text, team_id: text.nullable(), scope: z.enum(["inherit_team", "assigned"]) })),
  permission_sets: z.array(z.object({ id: text, team_id: text.nullable() })),
  permission_set_keys: z.array(z.object({ permission_set_id: text, key: text })),
  team_users: z.array(
    z.object({ user_id: text, team_id: text, role_id: text, status: z.enum(["active", "invited", "suspended"]) }),
  ),
  team_p_sets: z.array(z.object({ team_id: text, permission_set_id: text })),
  role_p_sets: z.array(z.object({ role_id: text, permission_set_id: text })),
  campaign_team: z.array(z.object({ team_id: text, campaign_id: text })),
  campaign_team_sets: z.array(z.object({ team_id: text, campaign_id: text, permission_set_id: text })),
  campaign_user_roles_team: z.array(z.object({ user_id: text, team_id: text, campaign_id: text, role_id: text })),
  campaign_user_team_sets: z.array(
    z.object({ user_id: text, team_id: text, campaign_id: text, permission_set_id: text }),
  ),
});

/** The rows of a database as a world again, in which users, roles and sets have the names that they had in `origin`. */
export function worldOf(rows: unknown, origin: World, users: string[]): World {
  const names = new Map(
    [...users, ...[...origin.roles, ...origin.permission_sets].map(({ id }) => id)].map((name) => [uuidOf(name), name]),
  );
  const named: unknown = JSON.parse(JSON.stringify(rows), (_, value) =>
    typeof value === "string" ? (names.get(value) ?? value) : value,
  );
  const { permission_keys, teams, campaigns } = origin;
  return { ...rowsSchema.parse(named), permission_keys, teams, campaigns };
}

/** Whether somebody is an active administrator of a team. */
export const administers = (world: World, user: string, team: string) =>
  world.team_users.some(
    (row) =>
      row.user_id === user &&
      row.team_id === team &&
      row.status === "active" &&
      world.roles.some(({ id, scope }) => id === row.role_id && scope === "inherit_team"),
  );

const placesOf = (world: World) =>
  world.teams.flatMap(({ id: team }) =>
    [null, ...world.campaigns.map(({ id }) => id)].map((campaign) => ({ team, campaign })),
  );

function bundled(world: World, { team, campaign }: { team: string; campaign: string | null }): string[] {
  const sets = [
    ...world.team_p_sets.filter((row) => row.team_id === team),
    ...world.campaign_team_sets.filter((row) => row.team_id === team && row.campaign_id === campaign),
  ].map((row) => row.permission_set_id);
  return world.permission_set_keys.filter((row) => sets.includes(row.permission_set_id)).map(({ key }) => key);
}

/** What the bundles of administrators gave in a place, a team or a campaign in it, and give there no more. */
export function lost(before: World, after: World) {
  return placesOf(before).flatMap((place) => {
    const now = bundled(after, place);
    return [...new Set(bundled(before, place))].filter((key) => !now.includes(key)).map((key) => ({ ...place, key }));
  });
}

/** Teams in which an active administrator manages both members and roles. */
export const managedByAdministrators = (world: World, users: string[]) =>
  world.teams
    .map(({ id }) => id)
    .filter((team) =>
      users.some((user) => {
        const { permissionKeys } = expectedSnapshot(world, { user, team, campaign: null });
        const both = ["members.manage", "roles.manage"].every((key) => permissionKeys.includes(key));
        return both && administers(world, user, team);
      }),
    );

/** What of it is left after a change, and what its maker took by it. */
export function takingsAfter(takings: Taking[], before: World, after: World, actor: string): Taking[] {
  const left = takings.filter(
    ({ user, team, campaign, key }) =>
      administers(after, user, team) && !expectedSnapshot(after, { user, team, campaign }).permissionKeys.includes(key),
  );
  const taken = lost(before, after)
    .filter(({ team }) => administers(before, actor, team) && administers(after, actor, team))
    .map((one) => ({ user: actor, ...one }));
  return [...left, ...taken];
}

/** What she may give in a place because she took it: there, or in the whole team. */
export const takenThere = (takings: Taking[], { user, team, campaign }: Omit<Taking, "key">) =>
  takings
    .filter((one) => one.user === user && one.team === team && [null, campaign].includes(one.campaign))
    .map(({ key }) => key);
