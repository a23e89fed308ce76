import { isDue, uuidOf, type World } from "./access-world.ts";

/** An invitation into a team of the world, by the id under which it is stored. */
export type Invited = { id: string; team_id: string; role_id: string };

/** One row of `private.assigned_keys` with stored ids. `effect` says whether it counts, or why not. */
export type Source = {
  user: string;
  team: string;
  campaign: string | null;
  rule: 2 | 4 | 5 | 7;
  source: keyof World;
  set: string | null;
  key: string | null;
  effect: "in force" | "not active" | "overridden" | "overridden and not active";
  isPersonal: boolean;
};

/**
 * The sources of each person's access, in force or not. This implements the contract (3 and 4.1, rules 2 to 7) independently of
 * the SQL. Open invitations are memberships that aren't active.
 */
export function expectedSources(world: World, invitations: Invited[] = []): Source[] {
  const members = [
    ...world.team_users.map((row) => ({
      ...row,
      user: uuidOf(row.user_id),
      status: row.status === "active" && isDue(row) ? "suspended" : row.status,
    })),
    ...invitations.map((row) => ({ ...row, user: row.id, user_id: null, status: "invited" })),
  ];
  return members.flatMap(({ user, user_id, team_id, role_id, status }) => {
    const isTeamAdmin = world.roles.some((role) => role.id === role_id && role.scope === "inherit_team"); // rule 3
    const row = (what: Pick<Source, "rule" | "source"> & Partial<Source>, counts = true): Source => {
      const active = status === "active";
      const overridden = active ? ("overridden" as const) : ("overridden and not active" as const);
      const effect = counts ? (active ? "in force" : "not active") : overridden;
      return { user, team: team_id, campaign: null, set: null, key: null, isPersonal: false, ...what, effect };
    };
    // A set without keys, or a role without sets, has a row that grants nothing.
    const keysOf = (set: string | null) => {
      const keys = world.permission_set_keys.filter((record) => record.permission_set_id === set).map(({ key }) => key);
      return keys.length > 0 ? keys : [null];
    };
    const rowsOfSets = (
      sets: (string | null)[],
      what: Pick<Source, "rule" | "source"> & Partial<Source>,
      counts: boolean,
    ) => sets.flatMap((set) => keysOf(set).map((key) => row({ ...what, set: set && uuidOf(set), key }, counts)));
    const setsOf = (role: string) => {
      const sets = world.role_p_sets
        .filter((record) => record.role_id === role)
        .map((record) => record.permission_set_id);
      return sets.length > 0 ? sets : [null];
    };
    const inTeam = <T extends { team_id: string }>(rows: T[]) => rows.filter((row) => row.team_id === team_id);
    const own = <T extends { team_id: string; user_id: string }>(rows: T[]) =>
      inTeam(rows).filter((record) => record.user_id === user_id);
    const roles = own(world.campaign_user_roles_team).filter((record) => !isDue(record));
    const direct = own(world.campaign_user_team_sets);
    return [
      row({ rule: 2, source: "team_users" }),
      ...rowsOfSets(
        inTeam(world.team_p_sets).map((record) => record.permission_set_id),
        { rule: 4, source: "team_p_sets" },
        isTeamAdmin,
      ),
      ...rowsOfSets(setsOf(role_id), { rule: 4, source: "role_p_sets" }, !isTeamAdmin),
      ...roles.map((role) =>
        row({ rule: 5, source: "campaign_user_roles_team", campaign: role.campaign_id, isPersonal: true }),
      ),
      ...direct.map(({ campaign_id: campaign, permission_set_id: set }) =>
        row({ rule: 5, source: "campaign_user_team_sets", campaign, set: uuidOf(set), isPersonal: true }),
      ),
      ...inTeam(world.campaign_team).map((record) =>
        row({ rule: 5, source: "campaign_team", campaign: record.campaign_id }, isTeamAdmin),
      ),
      ...inTeam(world.campaign_team_sets).flatMap(({ campaign_id: campaign, permission_set_id: set }) =>
        rowsOfSets([set], { rule: 7, source: "campaign_team_sets", campaign }, isTeamAdmin),
      ),
      ...roles.flatMap(({ campaign_id: campaign, role_id: role }) =>
        rowsOfSets(setsOf(role), { rule: 7, source: "role_p_sets", campaign, isPersonal: true }, !isTeamAdmin),
      ),
      ...direct.flatMap(({ campaign_id: campaign, permission_set_id: set }) =>
        rowsOfSets([set], { rule: 7, source: "campaign_user_team_sets", campaign, isPersonal: true }, !isTeamAdmin),
      ),
    ];
  });
}

/** Reads the same from the database. */
export const sourcesQuery = `
  select principal_id as "user", team_id as team, campaign_id as campaign, rule, source, permission_set_id as set, key,
    is_personal as "isPersonal",
    case when in_force then 'in force' when applies then 'not active'
      when principal_id in (select m.user_id from private.active_members m where m.team_id = s.team_id) then 'overridden'
      else 'overridden and not active' end as effect
  from private.assigned_keys s`;
