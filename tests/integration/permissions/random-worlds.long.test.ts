import fc from "fast-check";
import { expect, test } from "vitest";
import { insertUsers, inWorld, uuidOf, type World } from "../../support/access-world.ts";
import { inDrill } from "../../support/in-drill.ts";
import { expectedSnapshot, type Question, type Snapshot } from "../../support/permission-oracle.ts";
import { seedOfTheDay as seed } from "../../support/seed-of-the-day.ts";
import { expectedSources, type Source, sourcesQuery } from "../../support/sources-oracle.ts";
import { setUpSqlSession } from "../../support/sql-session.ts";
import { invite, randomInvitations, randomWorld, userNames } from "./random-world.ts";

const runs = 1000; // of the drill

type Answered = Question & { snapshot: Snapshot };
type Grant = { key: string | null; rule: number; source: string; set: string | null };

const database = await setUpSqlSession();
await insertUsers(database, userNames);
// Planning takes most of the time of such small queries, and no plan changes an answer.
for (const limit of ["join_collapse_limit", "from_collapse_limit"]) await database.sql(`set ${limit} = 1`);
for (const plan of ["mergejoin", "hashjoin", "bitmapscan"]) await database.sql(`set enable_${plan} = off`);

test("random worlds obey the constraints", async () => {
  await fc.assert(
    fc.asyncProperty(randomWorld, (world) => inWorld(database, world, async () => undefined)),
    { numRuns: inDrill(50, { else: 5 }), seed },
  );
});

const sourceWorlds = inDrill(200, { else: 50 });

test(`in ${sourceWorlds} random worlds each person's sources of access, in force or not, are those of the contract's text`, {
  timeout: 300_000,
}, async () => {
  await database.sql("set session_replication_role = replica");
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(randomWorld, randomInvitations, (world, drawn) =>
      inWorld(database, world, async () => {
        const open = await invite(database, world, drawn);
        const sources = await database.sql<Source>(sourcesQuery);
        expect(inOrder(sources.map(withSortedNames))).toEqual(
          inOrder(expectedSources(world, open).map(withSortedNames)),
        );
        for (const { rule, source, effect } of sources) met.add(`${rule} ${source} ${effect}`);
      }),
    ),
    { numRuns: sourceWorlds, seed },
  );
  // Each of nine sources, of which three are never overridden; npm test needs most of them.
  expect(met.size).toBeGreaterThanOrEqual(inDrill(9 * 4 - 3 * 2, { else: 24 }));
});

// Situations in which one rule decides.
const decidingCases: Record<string, (world: World, answered: Answered) => boolean> = {
  "an inactive membership with rows in the campaign": (world, { user, team, campaign }) =>
    world.team_users.some((row) => row.user_id === user && row.team_id === team && row.status !== "active") &&
    ownRows(world, user, team, campaign).length > 0,
  "active in another team only": (world, { user, team, campaign, snapshot }) =>
    team !== null &&
    campaign === null &&
    !snapshot.teamAccess &&
    world.team_users.some((row) => row.user_id === user && row.status === "active"),
  "a membership at its end": (world, { user, team, campaign, snapshot }) =>
    campaign === null &&
    !snapshot.teamAccess &&
    world.team_users.some(
      (row) => row.user_id === user && row.team_id === team && row.status === "active" && row.ends_at === "now",
    ),
  "a role in a campaign at its end": (world, { user, team, campaign, snapshot }) =>
    snapshot.campaignAccess === false &&
    snapshot.teamAccess &&
    ownRows(world, user, team, campaign).some((row) => "ends_at" in row && row.ends_at === "now"),
  "an administrator whose own rows open a campaign that isn't the team's": (world, answered) =>
    isAdministrator(world, answered) &&
    answered.snapshot.campaignAccess === true &&
    !world.campaign_team.some((row) => row.team_id === answered.team && row.campaign_id === answered.campaign),
  "an administrator with keys in a campaign that they can't open": (world, answered) =>
    isAdministrator(world, answered) &&
    answered.snapshot.campaignAccess === false &&
    world.campaign_team_sets.some((row) => row.team_id === answered.team && row.campaign_id === answered.campaign) &&
    answered.snapshot.permissionKeys.length > 0,
  "an administrator's role with sets": (world, answered) =>
    isAdministrator(world, answered) &&
    world.team_users.some(
      (row) =>
        row.user_id === answered.user &&
        row.team_id === answered.team &&
        world.role_p_sets.some(({ role_id }) => role_id === row.role_id),
    ),
  "a member, and a campaign of the team that they can't open": (world, { team, campaign, snapshot }) =>
    snapshot.teamAccess &&
    snapshot.campaignAccess === false &&
    world.campaign_team.some((row) => row.team_id === team && row.campaign_id === campaign),
  "a campaign that can be opened without a key": (_, { snapshot }) =>
    snapshot.campaignAccess === true && snapshot.permissionKeys.length === 0,
  "a member with a role and a direct set in a campaign": (world, { user, team, campaign, snapshot }) =>
    snapshot.campaignAccess === true && ownRows(world, user, team, campaign).length > 1,
  "a campaign that can be opened in one team and not in another": (world, { user, team, campaign, snapshot }) =>
    team !== null &&
    snapshot.campaignAccess === false &&
    world.teams.some(({ id }) => id !== team && ownRows(world, user, id, campaign).length > 0),
};

const casesOf = (world: World, answers: Answered[]) =>
  Object.entries(decidingCases).flatMap(([name, isMet]) =>
    answers.some((answer) => isMet(world, answer)) ? name : [],
  );

// The drill uses any worlds; npm test some of each situation in which a rule decides, so that a broken rule fails.
test.each<[what: string, worlds: fc.Arbitrary<World>, runs: number]>(
  inDrill([["random", randomWorld, runs]], {
    else: Object.keys(decidingCases).map((name) => [
      name,
      randomWorld.filter((world) => casesOf(world, answersOf(world)).includes(name)),
      3,
    ]),
  }),
)("answers for random teams follow the contract's text: %s", { timeout: 300_000 }, async (_what, worlds, numRuns) => {
  // No triggers from here on: the test above checks constraints, and storing pending changes would take longer than the questions.
  await database.sql("set session_replication_role = replica");
  const met = new Map(Object.keys(decidingCases).map((name) => [name, 0]));

  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const expected = answersOf(world);
      await inWorld(database, world, async () => {
        const answers = await readAnswers(expected);
        expect(answers.snapshots, "permissions_snapshot").toEqual(expected);
        expect(answers.grants, "permission_grants").toEqual(expectedGrants(world, expected));
        expect(answers.held, "private.has_key").toEqual(
          expected
            .filter((_, number) => number % 5 === 2)
            .map(({ snapshot: { teamAccess, campaignAccess = teamAccess, permissionKeys } }) =>
              checkedKeys.filter((key) => campaignAccess && permissionKeys.includes(key)),
            ),
        );
        for (const user of new Set(expected.map((question) => question.user))) {
          const own = expected.filter((question) => question.user === user);
          expect(await readPlaces(user), `permission_places(${user})`).toEqual(placesIn(own, world));
        }
      });

      for (const name of casesOf(world, expected)) met.set(name, (met.get(name) ?? 0) + 1);
    }),
    { numRuns, seed },
  );

  if (numRuns === runs) expect([...met].filter(([, times]) => times < numRuns / 100)).toEqual([]);
});

function ownRows(world: World, user: string, team: string | null, campaign: string | null) {
  return [...world.campaign_user_roles_team, ...world.campaign_user_team_sets].filter(
    (row) => row.user_id === user && row.team_id === team && row.campaign_id === campaign,
  );
}

function isAdministrator(world: World, { user, team, snapshot }: Answered) {
  return (
    snapshot.teamAccess &&
    world.team_users.some(
      (row) =>
        row.user_id === user &&
        row.team_id === team &&
        world.roles.some(({ id, scope }) => id === row.role_id && scope === "inherit_team"),
    )
  );
}

function answersOf(world: World): Answered[] {
  return questionsOf(world).map((question) => ({ ...question, snapshot: expectedSnapshot(world, question) }));
}

function questionsOf(world: World): Question[] {
  // One question represents all about a person without a membership, and one campaign those of a team without one.
  const members = userNames.filter((user) => world.team_users.some((row) => row.user_id === user));
  const strangers = userNames.filter((user) => !members.includes(user)).slice(0, 1);
  return [
    ...strangers.map((user) => ({ user, team: null, campaign: null })),
    ...members.flatMap((user) => [
      { user, team: null, campaign: null },
      ...world.teams.flatMap(({ id: team }) => [
        { user, team, campaign: null },
        ...world.campaigns
          .slice(0, world.team_users.some((row) => row.user_id === user && row.team_id === team) ? undefined : 1)
          .map(({ id: campaign }) => ({ user, team, campaign })),
      ]),
    ]),
  ];
}

// All questions of a world at once; for each fifth place also private.has_key for two keys, which is slow.
const checkedKeys = ["campaign.view", "extra_a.key"];
async function readAnswers(questions: Question[]) {
  const rows = await database.sql<{ snapshot: Snapshot; grants: Grant[]; held: string[] | null }>(
    `select public.permissions_snapshot(q.user_id, q.team, q.campaign) as snapshot,
       (select coalesce(jsonb_agg(jsonb_build_object(
          'key', g.key, 'rule', g.rule, 'source', g.source, 'set', g.permission_set_id)), '[]')
        from public.permission_grants(q.user_id, q.team, q.campaign) g) as grants,
       case when q.number % 5 = 2 then
         array(select k from unnest($2::text[]) k where private.has_key(q.user_id, q.team, q.campaign, k))
       end as held
     from jsonb_to_recordset($1::text::jsonb) as q (number int, user_id uuid, team text, campaign text)
     order by q.number`,
    [
      JSON.stringify(questions.map(({ user, ...place }, number) => ({ ...place, number, user_id: uuidOf(user) }))),
      checkedKeys,
    ],
  );
  return {
    snapshots: questions.map(({ user, team, campaign }, number) => ({
      user,
      team,
      campaign,
      snapshot: rows[number]?.snapshot,
    })),
    grants: rows.map(({ grants }) => inOrder(grants.map(withSortedNames))),
    held: rows.flatMap(({ held }) => (held === null ? [] : [held])),
  };
}

// The reasons in force in a place: one row per membership if there is no team (rule 1).
function expectedGrants(world: World, questions: Question[]) {
  const sources = expectedSources(world).filter(({ effect }) => effect === "in force");
  return questions.map(({ user, team, campaign }) => {
    const reasons = sources
      .filter((row) => row.user === uuidOf(user) && (row.key !== null || row.rule === 2 || row.rule === 5))
      .filter((row) =>
        team === null ? row.rule === 2 : row.team === team && (row.campaign === null || row.campaign === campaign),
      )
      .map(({ key, rule, source, set }): Grant => ({ key, rule: team === null ? 1 : rule, source, set }));
    return inOrder(reasons.map(withSortedNames));
  });
}

async function readPlaces(user: string) {
  const [row] = await database.sql<{ places: unknown }>("select public.permission_places($1::uuid) as places", [
    uuidOf(user),
  ]);
  return row?.places;
}

// The places of a user by their snapshots. Names are ids here, so the order by name is that of the questions.
function placesIn(own: Answered[], world: World) {
  return {
    teams: own
      .filter(({ team, campaign, snapshot }) => team !== null && campaign === null && snapshot.teamAccess)
      .map(({ team, snapshot }) => ({
        id: team,
        name: team,
        timeZone: "UTC",
        locale: "en-US",
        secondFactorFrom: null,
        permissionKeys: snapshot.permissionKeys,
        campaigns: own
          .filter((answered) => answered.team === team && answered.snapshot.campaignAccess === true)
          .map((answered) => ({
            id: answered.campaign,
            name: answered.campaign,
            archivedAt: null,
            permissionKeys: answered.snapshot.permissionKeys,
            canEdit:
              snapshot.permissionKeys?.includes("members.manage") === true &&
              world.campaigns.some(({ id, team_id }) => id === answered.campaign && team_id === team),
          })),
      })),
  };
}

function inOrder(rows: unknown[]) {
  return rows.map((row) => JSON.stringify(row)).sort();
}

function withSortedNames(row: Source | Grant) {
  return Object.entries(row).sort();
}
