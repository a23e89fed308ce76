import fc from "fast-check";
import { emptyWorld, uuidOf, type World } from "../../support/access-world.ts";
import type { Invited } from "../../support/sources-oracle.ts";
import type { TestDatabase } from "../../support/test-database.ts";

/** The only users of random worlds. */
export const userNames = ["ann", "ben"];

const teamNames = ["east", "north", "south"];
const campaignNames = ["bridges", "lakes", "parks"];
// Two of them are built in; the order of the others depends on whether punctuation counts.
const keyNames = ["campaign.view", "voters.search", "extra.key", "extra_a.key", "extraa.key"];

// A choice from a list whose length depends on the rest of the world; 60 is fair for each length up to 6.
const pick = fc.nat({ max: 59 });
const end = fc.constantFrom(null, null, null, null, "infinity", "now", "2026-01-01T00:00:00Z");
const arrayOf = <T>(arbitrary: fc.Arbitrary<T>, maxLength: number) => fc.array(arbitrary, { maxLength, size: "max" });

const draftWorld = fc.record({
  teams: fc.integer({ min: 1, max: 3 }),
  campaigns: fc.nat({ max: 3 }),
  campaignTeam: arrayOf(fc.record({ team: pick, campaign: pick }), 4),
  roles: fc.array(
    fc.record({ team: pick, builtIn: fc.boolean(), scope: fc.constantFrom("assigned", "inherit_team") }),
    {
      minLength: 1,
      maxLength: 5,
      size: "max",
    },
  ),
  sets: arrayOf(fc.record({ team: pick, builtIn: fc.boolean(), keys: fc.subarray(keyNames) }), 6),
  members: arrayOf(
    fc.record({
      user: pick,
      team: pick,
      role: pick,
      status: fc.constantFrom("active", "active", "active", "invited", "suspended"),
      end,
    }),
    6,
  ),
  teamSets: arrayOf(fc.record({ team: pick, set: pick }), 5),
  roleSets: arrayOf(fc.record({ role: pick, set: pick }), 8),
  campaignTeamSets: arrayOf(fc.record({ team: pick, campaign: pick, set: pick }), 10),
  campaignRoles: arrayOf(fc.record({ member: pick, campaign: pick, role: pick, end }), 6),
  directSets: arrayOf(fc.record({ member: pick, campaign: pick, set: pick }), 6),
});

/** Worlds that the constraints allow, of every shape that the rules distinguish. */
export const randomWorld = randomWorldOf(userNames);

/** The same with other users. */
export function randomWorldOf(users: string[]): fc.Arbitrary<World> {
  return draftWorld.map((draft) => worldOf(draft, users));
}

type Draft = typeof draftWorld extends fc.Arbitrary<infer Drawn> ? Drawn : never;

function worldOf(draft: Draft, users: string[]): World {
  const teams = teamNames.slice(0, draft.teams);
  const campaigns = campaignNames.slice(0, draft.campaigns);
  const teamOf = (number: number) => chosen(teams, number)[0] ?? "east";

  // The first role is built in, so that every team has one that it may use.
  const roles: World["roles"] = draft.roles.map(({ team, builtIn, scope }, index) => ({
    id: `role-${index}`,
    team_id: builtIn || index === 0 ? null : teamOf(team),
    scope,
  }));
  const sets = draft.sets.map(({ team, builtIn, keys }, index) => ({
    id: `set-${index}`,
    team_id: builtIn ? null : teamOf(team),
    keys,
  }));
  const usable = <T extends { team_id: string | null }>(items: T[], team: string | null | undefined) =>
    items.filter((item) => item.team_id === null || item.team_id === team);

  const members = distinct(
    draft.members.flatMap(({ user, team, role, status, end: ends_at }): World["team_users"] => {
      const team_id = teamOf(team);
      return chosen(users, user).flatMap((user_id) =>
        chosen(usable(roles, team_id), role).map(({ id }) => ({ user_id, team_id, role_id: id, status, ends_at })),
      );
    }),
    ({ user_id, team_id }) => [user_id, team_id],
  );

  const campaignTeam = distinct(
    draft.campaignTeam.flatMap(({ team, campaign }) =>
      chosen(campaigns, campaign).map((campaign_id) => ({ team_id: teamOf(team), campaign_id })),
    ),
  );

  return {
    ...emptyWorld,
    permission_keys: keyNames.filter((key) => key.startsWith("extra")).map((key) => ({ key })),
    teams: teams.map((id) => ({ id })),
    campaigns: campaigns.map((id) => ({
      id,
      team_id: campaignTeam.find(({ campaign_id }) => campaign_id === id)?.team_id ?? teamOf(0),
    })),
    campaign_team: campaignTeam,
    roles,
    permission_sets: sets.map(({ id, team_id }) => ({ id, team_id })),
    permission_set_keys: sets.flatMap(({ id, keys }) => keys.map((key) => ({ permission_set_id: id, key }))),
    team_users: members,
    team_p_sets: distinct(
      draft.teamSets.flatMap(({ team, set }) =>
        chosen(usable(sets, teamOf(team)), set).map(({ id }) => ({ team_id: teamOf(team), permission_set_id: id })),
      ),
    ),
    role_p_sets: distinct(
      draft.roleSets.flatMap(({ role, set }) =>
        chosen(roles, role).flatMap(({ id, team_id }) =>
          chosen(usable(sets, team_id), set).map((set) => ({ role_id: id, permission_set_id: set.id })),
        ),
      ),
    ),
    campaign_team_sets: distinct(
      draft.campaignTeamSets.flatMap(({ team, campaign, set }) =>
        chosen(campaigns, campaign).flatMap((campaign_id) =>
          chosen(usable(sets, teamOf(team)), set).map(({ id }) => ({
            team_id: teamOf(team),
            campaign_id,
            permission_set_id: id,
          })),
        ),
      ),
    ),
    campaign_user_roles_team: distinct(
      draft.campaignRoles.flatMap(({ member, campaign, role, end: ends_at }) =>
        chosen(members, member).flatMap(({ user_id, team_id }) =>
          chosen(campaigns, campaign).flatMap((campaign_id) =>
            chosen(usable(roles, team_id), role).map(({ id }) => ({
              user_id,
              team_id,
              campaign_id,
              role_id: id,
              ends_at,
            })),
          ),
        ),
      ),
      ({ user_id, team_id, campaign_id }) => [user_id, team_id, campaign_id],
    ),
    campaign_user_team_sets: distinct(
      draft.directSets.flatMap(({ member, campaign, set }) =>
        chosen(members, member).flatMap(({ user_id, team_id }) =>
          chosen(campaigns, campaign).flatMap((campaign_id) =>
            chosen(usable(sets, team_id), set).map(({ id }) => ({
              user_id,
              team_id,
              campaign_id,
              permission_set_id: id,
            })),
          ),
        ),
      ),
    ),
  };
}

/** Choices of roles and states of invitations. */
export const randomInvitations = arrayOf(
  fc.record({ team: pick, role: pick, state: fc.constantFrom("open", "open", "accepted", "revoked", "expired") }),
  3,
);
type DraftInvitation = typeof randomInvitations extends fc.Arbitrary<infer Drafts> ? Drafts : never;

/** Inserts invitations into a stored world, and returns the open ones. */
export async function invite(
  database: Pick<TestDatabase, "sql">,
  { teams, roles }: World,
  drafts: DraftInvitation,
): Promise<Invited[]> {
  const rows = drafts.flatMap(({ team, role, state }, number) =>
    chosen(teams, team).flatMap(({ id: team_id }) =>
      chosen(
        roles.filter((role) => role.team_id === null || role.team_id === team_id),
        role,
      ).map(({ id: role_id }) => ({ id: uuidOf(`invitation ${number}`), number, team_id, role_id, state })),
    ),
  );
  await database.sql(
    `insert into public.invitations (id, team_id, email, role_id, invited_by, accepted_at, revoked_at, expires_at)
     select i.id, i.team_id, i.number || '@invited.test', i.role, i.id, case i.state when 'accepted' then now() end,
       case i.state when 'revoked' then now() end, now() + case i.state when 'expired' then -1 else 1 end * interval '1 day'
     from jsonb_to_recordset($1::text::jsonb) i (id uuid, number int, team_id text, role uuid, state text)`,
    [JSON.stringify(rows.map((row) => ({ ...row, role: uuidOf(row.role_id) })))],
  );
  return rows.filter(({ state }) => state === "open");
}

// One item, or none if the list is empty.
function chosen<T>(items: T[], number: number): T[] {
  return items.slice(number % items.length, (number % items.length) + 1);
}

// The first row of each primary key, which is the whole row by default.
function distinct<T extends object>(rows: T[], keyOf: (row: T) => string[] = (row) => Object.values(row)): T[] {
  const seen = new Set<string>();
  return rows.filter((row) => {
    const key = keyOf(row).join(" ");
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
