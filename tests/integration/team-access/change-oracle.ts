// The answer to a change of access, from rows alone, by contract 4.1 and 10 and
// docs/decisions/2026-11-23-close-rest-to-users.md.
import { uuidOf, type World } from "../../support/access-world.ts";
import { expectedSnapshot } from "../../support/permission-oracle.ts";
import { expectedSources, type Source } from "../../support/sources-oracle.ts";

/** When a change could grant something: now, once all are active, and once no role overrides sources. */
export const timings: Record<string, (row: Source) => boolean> = {
  "in force": ({ effect }) => effect === "in force",
  "if active": ({ effect }) => effect === "in force" || effect === "not active",
  personal: ({ isPersonal }) => isPersonal,
};

export type Held = [campaign: string | null, key: string | null];
export type Excess = Record<"state" | "principal_id", string> &
  Record<"campaign_id" | "key", string | null> & { opens: boolean };

// A row without a key opens its place; a row of a role without sets or a set without keys grants nothing.
const grants = ({ rule, key }: Source) => key !== null || rule === 2 || rule === 5;

/** What the actor has in a team. */
export const expectedHeld = (sources: Source[], actor: string, team: string) =>
  sources
    .filter((row) => row.user === actor && row.team === team && row.effect === "in force" && grants(row))
    .map(({ campaign, key }): Held => [campaign, key]);

/** What exceeds the actor's access: keys that they lack where others have something, and campaigns that they can't open. */
export function expectedExcess(sources: Source[], held: Held[], team: string): Excess[] {
  const has = (campaign: string | null, key: string | null) =>
    held.some((row) => row[0] === campaign && row[1] === key);
  return Object.entries(timings).flatMap(([state, counts]) => {
    const rows = sources.filter((row) => row.team === team && counts(row) && grants(row));
    return [...new Set(rows.map(({ user }) => user))].flatMap((principal_id) => {
      const rowsOfUser = rows.filter(({ user }) => user === principal_id);
      return [null, ...new Set(rowsOfUser.flatMap(({ campaign }) => campaign ?? []))].flatMap((campaign_id) => {
        const rowsOfPlace = rowsOfUser.filter(({ campaign }) => campaign === campaign_id);
        const reached = rowsOfPlace.some(({ key }) => key === null);
        const effectiveRows = reached
          ? rowsOfUser.filter((row) => rowsOfPlace.includes(row) || (row.campaign === null && row.key))
          : rowsOfPlace;
        const closed = campaign_id !== null && !has(campaign_id, null);
        return effectiveRows.flatMap(({ key }): Excess[] => {
          const row = { state, principal_id, campaign_id, key };
          const lacks = key !== null && !has(null, key) && !has(campaign_id, key);
          return [
            ...(lacks ? [{ ...row, opens: false }] : []),
            ...(reached && (lacks || closed) ? [{ ...row, opens: true }] : []),
          ];
        });
      });
    });
  });
}

type Access = { roleId: string | null; setIds: string[] };
type SetChange = { before: string[]; after: string[] };
/** The kinds of random changes, with true `before`s and the names of users, roles and sets in a world. */
export type RandomChange = { team: string } & (
  | {
      kind: "members";
      members: [
        {
          userId: string;
          before: { roleId: string; status: string };
          after: { roleId: string; status: World["team_users"][number]["status"] } | null;
        },
      ];
    }
  | { kind: "campaigns"; places: [{ userId: string; campaign: string; before: Access; after: Access }] }
  | ({ kind: "role-sets"; roleId: string } & SetChange)
  | { kind: "set-keys"; sets: [{ setId: string } & SetChange] }
  | ({ kind: "team-sets" } & SetChange)
  | ({ kind: "campaign-sets"; campaign: string } & SetChange)
  | { kind: "attach-campaign"; campaign: string }
);

/** A change, or rows, with ids instead of a world's names. */
export function sent(world: World, named: object): object {
  const names = [
    ...world.team_users.map((row) => row.user_id),
    ...[...world.roles, ...world.permission_sets].map(({ id }) => id),
  ];
  const ids = new Map<unknown, string>(names.map((name) => [name, uuidOf(name)]));
  return Object(JSON.parse(JSON.stringify(named), (_, value: unknown) => ids.get(value) ?? value));
}

/** Changes that need members.manage; the others need roles.manage. */
export const memberChangeKinds = ["members", "campaigns", "attach-campaign"];
/** Changes of sets, or of the sets of a place: administrators decide what these grant to administrators. */
export const setChangeKinds = ["team-sets", "campaign-sets", "set-keys"];

/** The refusal of change_access for a change without stale `before`s, or the world after the change. */
export function expectedOutcome(world: World, actor: string, change: RandomChange): World | string {
  const { team, kind } = change;
  const sources = expectedSources(world);
  const held = expectedHeld(sources, uuidOf(actor), team);
  const inTeam = held.filter(([campaign]) => campaign === null).map(([, key]) => key);
  const canView = inTeam.includes("members.view") || inTeam.includes("roles.manage");
  if (!canView || !inTeam.includes(memberChangeKinds.includes(kind) ? "members.manage" : "roles.manage"))
    return "not-allowed";

  const reaches = (campaign: string) => held.some((row) => row[0] === campaign && row[1] === null);
  const after = changed(world, actor, change, reaches);
  if (typeof after === "string") return after;

  const sourcesAfter = expectedSources(after);
  const remaining = requiredManagers(after, sourcesAfter, team);
  const lost = requiredManagers(world, sources, team).find((manager) => !remaining.includes(manager));
  if (lost !== undefined) return lost.includes(".") ? "no-manager-left" : lost;
  const compared = ({ source }: Source) =>
    !(administers(world, actor, team) && setChangeKinds.includes(kind)) ||
    !["team_p_sets", "campaign_team_sets"].includes(source);
  const excess = (grantSources: Source[]) =>
    expectedExcess(grantSources.filter(compared), held, team).map((row) => JSON.stringify(row));
  const excessBefore = excess(sources);
  if (kind !== "attach-campaign" && excess(sourcesAfter).some((row) => !excessBefore.includes(row)))
    return "more-than-own";
  if (!administers(world, actor, team) && changedSets(world, after).some((place) => place.team === team)) {
    return "administrators-only";
  }
  return after;
}

/** Whether a user is an active administrator of a team. */
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

/** The keys that the sets of a place, a team or a campaign in it, grant to administrators. */
export function keysOfPlace(world: World, { team, campaign }: { team: string; campaign: string | null }): string[] {
  const sets = [
    ...world.team_p_sets.filter((row) => row.team_id === team),
    ...world.campaign_team_sets.filter((row) => row.team_id === team && row.campaign_id === campaign),
  ].map((row) => row.permission_set_id);
  return world.permission_set_keys.filter((row) => sets.includes(row.permission_set_id)).map(({ key }) => key);
}

/** The teams and campaigns whose sets grant administrators different keys than before. */
const changedSets = (before: World, after: World) =>
  placesOf(before).filter((place) => {
    const [then, now] = [before, after].map((world) => [...new Set(keysOfPlace(world, place))].sort().join());
    return then !== now;
  });

/** Whether a user has an administrator role in a team, active or not. */
export const hasAdministratorRole = (world: World, user: string, team: string) =>
  world.team_users.some(
    (row) =>
      row.user_id === user &&
      row.team_id === team &&
      world.roles.some(({ id, scope }) => id === row.role_id && scope === "inherit_team"),
  );

/** Teams in which an active administrator manages both members and roles. */
const managedByAdministrators = (world: World, users: string[]) =>
  world.teams
    .map(({ id }) => id)
    .filter((team) =>
      users.some((user) => {
        const { permissionKeys } = expectedSnapshot(world, { user, team, campaign: null });
        const both = ["members.manage", "roles.manage"].every((key) => permissionKeys.includes(key));
        return both && administers(world, user, team);
      }),
    );

// What a team must keep: its managers, by key, and the refusals of changes that would remove its administrators. Those whose
// access ends don't count.
function requiredManagers(world: World, sources: Source[], team: string): string[] {
  const permanent = world.team_users.filter((row) => row.team_id === team && row.ends_at == null);
  const users = [...new Set(permanent.map((row) => row.user_id))];
  const held = sources.filter(
    (row) =>
      row.team === team &&
      row.campaign === null &&
      row.effect === "in force" &&
      users.some((user) => uuidOf(user) === row.user),
  );
  return [
    ...(users.some((user) => administers(world, user, team)) ? ["last-administrator"] : []),
    ...(managedByAdministrators(world, users).includes(team) ? ["administrators-stripped"] : []),
    ...["members.manage", "roles.manage"].filter((key) => held.some((row) => row.key === key)),
  ];
}

/** The world after a change, or the refusal of one that changes nothing or that rows forbid. */
function changed(
  world: World,
  actor: string,
  change: RandomChange,
  reaches: (campaign: string) => boolean,
): World | string {
  const { team } = change;
  const inTeam = (row: { team_id: string | null }) => row.team_id === team;
  const usable = (items: World["roles"] | World["permission_sets"], id: string) =>
    items.some((item) => item.id === id && (item.team_id === null || item.team_id === team));
  const setsUsable = (sets: string[]) => sets.every((id) => usable(world.permission_sets, id));
  const same = ({ before, after }: SetChange) => [...before].sort().join() === [...after].sort().join();
  switch (change.kind) {
    case "members": {
      const [{ userId, before, after }] = change.members;
      if (userId === actor) return "own-membership";
      if (JSON.stringify(before) === JSON.stringify(after)) return "unchanged";
      if (after?.status === "invited" && before.status !== "invited") return "stale";
      if (after && !usable(world.roles, after.roleId)) return "gone";
      const isTheirs = (row: { user_id: string; team_id: string }) => inTeam(row) && row.user_id === userId;
      if (after) {
        const { roleId: role_id, status } = after;
        const team_users = world.team_users.map((row) => (isTheirs(row) ? { ...row, role_id, status } : row));
        return { ...world, team_users };
      }
      return {
        ...world,
        team_users: world.team_users.filter((row) => !isTheirs(row)),
        campaign_user_roles_team: world.campaign_user_roles_team.filter((row) => !isTheirs(row)),
        campaign_user_team_sets: world.campaign_user_team_sets.filter((row) => !isTheirs(row)),
      };
    }
    case "campaigns": {
      const [{ userId, campaign, before, after }] = change.places;
      const { roleId, setIds } = after;
      if (roleId !== null || setIds.length > 0) {
        if (!reaches(campaign)) return "not-allowed";
        const isMember = world.team_users.some((row) => inTeam(row) && row.user_id === userId);
        if (!isMember || !setsUsable(setIds) || (roleId !== null && !usable(world.roles, roleId))) return "gone";
      }
      if (before.roleId === roleId && same({ before: before.setIds, after: setIds })) return "unchanged";
      const place = { user_id: userId, team_id: team, campaign_id: campaign };
      const elsewhere = (row: typeof place) => !inTeam(row) || row.user_id !== userId || row.campaign_id !== campaign;
      const roles = roleId === null ? [] : [{ ...place, role_id: roleId }];
      const sets = setIds.map((permission_set_id) => ({ ...place, permission_set_id }));
      return {
        ...world,
        campaign_user_roles_team: [...world.campaign_user_roles_team.filter(elsewhere), ...roles],
        campaign_user_team_sets: [...world.campaign_user_team_sets.filter(elsewhere), ...sets],
      };
    }
    case "role-sets": {
      const { roleId: role_id, after } = change;
      if (!world.roles.some((row) => row.id === role_id && inTeam(row))) return "gone";
      if (same(change)) return "unchanged";
      if (!setsUsable(after)) return "gone";
      const others = world.role_p_sets.filter((row) => row.role_id !== role_id);
      return {
        ...world,
        role_p_sets: [...others, ...after.map((permission_set_id) => ({ role_id, permission_set_id }))],
      };
    }
    case "set-keys": {
      const [{ setId: permission_set_id, ...keys }] = change.sets;
      if (!world.permission_sets.some((row) => row.id === permission_set_id && inTeam(row))) return "gone";
      if (same(keys)) return "unchanged";
      const others = world.permission_set_keys.filter((row) => row.permission_set_id !== permission_set_id);
      const now = keys.after.map((key) => ({ permission_set_id, key }));
      return { ...world, permission_set_keys: [...others, ...now] };
    }
    case "team-sets": {
      if (same(change)) return "unchanged";
      if (!setsUsable(change.after)) return "gone";
      const now = change.after.map((permission_set_id) => ({ team_id: team, permission_set_id }));
      return { ...world, team_p_sets: [...world.team_p_sets.filter((row) => !inTeam(row)), ...now] };
    }
    case "campaign-sets": {
      const { campaign: campaign_id } = change;
      if (!reaches(campaign_id)) return "gone";
      if (same(change)) return "unchanged";
      if (!setsUsable(change.after)) return "gone";
      const others = world.campaign_team_sets.filter((row) => !inTeam(row) || row.campaign_id !== campaign_id);
      const now = change.after.map((permission_set_id) => ({ team_id: team, campaign_id, permission_set_id }));
      return { ...world, campaign_team_sets: [...others, ...now] };
    }
    case "attach-campaign": {
      const { campaign } = change;
      const attached = world.campaign_team.some((row) => inTeam(row) && row.campaign_id === campaign);
      if (attached && reaches(campaign)) return "unchanged";
      const runner = world.campaigns.find(({ id }) => id === campaign)?.team_id;
      const [inRunner, inPlace] = [null, campaign].map((campaign) =>
        expectedSnapshot(world, { user: actor, team: runner ?? "", campaign }),
      );
      const manages = inPlace?.campaignAccess && inRunner?.permissionKeys.includes("members.manage");
      if (runner === undefined || runner === team || !manages) return "not-allowed";
      const ownKeys = world.teams
        .filter(({ id }) => id !== team)
        .map(({ id }) => expectedSnapshot(world, { user: actor, team: id, campaign }))
        .flatMap(({ campaignAccess, permissionKeys }) => (campaignAccess ? permissionKeys : []));
      if (keysOfPlace(world, { team, campaign }).some((key) => !ownKeys.includes(key))) return "more-than-own";
      if (attached) return "unchanged";
      return { ...world, campaign_team: [...world.campaign_team, { team_id: team, campaign_id: campaign }] };
    }
  }
}
