import type { World } from "../../support/access-world.ts";
import { expectedSnapshot } from "../../support/permission-oracle.ts";

// What administrators hold, as docs/decisions/2026-11-23-one-door.md says it, from rows alone and without a look at the SQL.

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

/** What the bundles of administrators give in a place: a team, or a campaign in it. */
export function bundled(world: World, { team, campaign }: { team: string; campaign: string | null }): string[] {
  const sets = [
    ...world.team_p_sets.filter((row) => row.team_id === team),
    ...world.campaign_team_sets.filter((row) => row.team_id === team && row.campaign_id === campaign),
  ].map((row) => row.permission_set_id);
  return world.permission_set_keys.filter((row) => sets.includes(row.permission_set_id)).map(({ key }) => key);
}

/** The teams and campaigns in which the bundles give administrators something else than before. */
export const rebundled = (before: World, after: World) =>
  placesOf(before).filter((place) => {
    const [then, now] = [before, after].map((world) => [...new Set(bundled(world, place))].sort().join());
    return then !== now;
  });

/** Whether somebody has a role of administrators in a team, active or not. */
export const hasAdministratorRole = (world: World, user: string, team: string) =>
  world.team_users.some(
    (row) =>
      row.user_id === user &&
      row.team_id === team &&
      world.roles.some(({ id, scope }) => id === row.role_id && scope === "inherit_team"),
  );

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
