import fc from "fast-check";
import { expect, test } from "vitest";
import { insertUsers, inWorldWithoutTriggers, isDue, uuidOf, type World } from "../../support/access-world.ts";
import { expectedSnapshot, type Question } from "../../support/permission-oracle.ts";
import { expectedSources, type Source } from "../../support/sources-oracle.ts";
import { setUpSqlSession } from "../../support/sql-session.ts";
import { keys, managedWorld } from "../team-access/managed-world.ts";
import { userNames } from "./random-world.ts";

const runs = 150;

// In some worlds a membership has ended: at the end of a day in UTC, the time zone of these teams, or within it.
const worlds: fc.Arbitrary<World> = fc
  .tuple(managedWorld, fc.nat({ max: 9 }), fc.constantFrom("2026-01-01T00:00:00Z", "2026-01-01T00:00:01Z"))
  .map(([world, ended, ends_at]) => ({
    ...world,
    team_users: world.team_users.map((row, index) => (index === ended ? { ...row, ends_at } : row)),
  }));
const lastDays = new Map([
  ["2026-01-01T00:00:00Z", "2025-12-31"],
  ["2026-01-01T00:00:01Z", "2026-01-01"],
]);

const database = await setUpSqlSession();
await insertUsers(database, userNames);

test(`explanations agree with snapshots for every key, person and place of ${runs} random worlds`, {
  timeout: 300_000,
}, async () => {
  let held = 0;
  let ended = 0;
  await fc.assert(
    fc.asyncProperty(worlds, async (world) => {
      const questions = userNames.flatMap((user) =>
        world.teams.flatMap(({ id: team }) =>
          [null, ...world.campaigns.map(({ id }) => id)].flatMap((campaign) =>
            keys.map((key) => ({ user, team, campaign, key })),
          ),
        ),
      );
      await inWorldWithoutTriggers(database, world, async () => {
        const rows = await database.sql<{ why: unknown }>(
          `select public.permission_why(q.user_id, q.team, q.campaign, q.key) as why
           from jsonb_to_recordset($1::text::jsonb) q (number int, user_id uuid, team text, campaign text, key text)
           order by q.number`,
          [
            JSON.stringify(
              questions.map((question, number) => ({ ...question, number, user_id: uuidOf(question.user) })),
            ),
          ],
        );
        const sources = expectedSources(world);
        for (const [number, question] of questions.entries()) {
          const expected = expectedWhy(world, sources, question);
          expect(rows[number]?.why, JSON.stringify(question)).toEqual(expected);
          const { teamAccess, campaignAccess, permissionKeys } = expectedSnapshot(world, question);
          const isHeld = permissionKeys.includes(question.key);
          expect(expected).toMatchObject({ granted: isHeld, teamAccess, campaignAccess: campaignAccess ?? null });
          if (isHeld) held += 1;
          if (expected.membership?.endedOn) ended += 1;
        }
      });
    }),
    { numRuns: runs },
  );
  expect(held).toBeGreaterThan(runs);
  expect(ended).toBeGreaterThan(runs);
});

// The sources of contract 4.1, rules 2, 4, 5 and 7, in its order, and whether each is for administrators.
const grantSources: [rule: number, source: string, forAdministrators: boolean | null][] = [
  [2, "team_users", null],
  [4, "team_p_sets", true],
  [4, "role_p_sets", false],
  [5, "campaign_user_roles_team", null],
  [5, "campaign_user_team_sets", null],
  [5, "campaign_team", true],
  [7, "campaign_team_sets", true],
  [7, "role_p_sets", false],
  [7, "campaign_user_team_sets", false],
];

// Ended memberships are shown as suspended.
function statusAndEnd(member: World["team_users"][number]) {
  const status = member.status === "active" && isDue(member) ? "suspended" : member.status;
  return { status, endedOn: lastDays.get(member.ends_at ?? "") ?? null };
}

// The whole answer, from the sources of the contract's text.
function expectedWhy(world: World, sources: Source[], { user, team, campaign, key }: Question & { key: string }) {
  const here = sources.filter(
    (row) => row.user === uuidOf(user) && row.team === team && (row.campaign === null || row.campaign === campaign),
  );
  const inForce = here.filter(({ effect }) => effect === "in force");
  const member = world.team_users.find((row) => row.user_id === user && row.team_id === team);
  const isAdministrator = world.roles.some(({ id, scope }) => id === member?.role_id && scope === "inherit_team");
  const campaignRole = world.campaign_user_roles_team.find(
    (row) => row.user_id === user && row.team_id === team && row.campaign_id === campaign,
  );
  const named = (ids: Iterable<string | null>) =>
    world.permission_sets
      .filter(({ id }) => [...ids].includes(uuidOf(id)))
      .map(({ id }) => ({ id: uuidOf(id), name: id }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
  return {
    granted: inForce.some((row) => row.key === key),
    teamAccess: inForce.some(({ rule }) => rule === 2),
    campaignAccess: campaign === null ? null : inForce.some(({ rule }) => rule === 5),
    membership: member ? { ...statusAndEnd(member), role: member.role_id, isAdministrator } : null,
    campaignRole: campaignRole?.role_id ?? null,
    rules: grantSources
      .filter(([rule]) => campaign !== null || rule < 5)
      .map(([rule, source, forAdministrators]) => {
        const applies = forAdministrators === null || (member !== undefined && forAdministrators === isAdministrator);
        const ofSource = (rows: Source[]) => rows.filter((row) => row.rule === rule && row.source === source);
        const giving = ofSource(inForce).filter((row) => row.key === key);
        const withKey = ofSource(here).filter((row) => row.key === key);
        const without = ofSource(here).filter(({ set }) => rule !== 5 && !withKey.some((row) => row.set === set));
        return {
          rule,
          source,
          applies,
          holds: rule === 2 || rule === 5 ? ofSource(inForce).length > 0 : giving.length > 0,
          sets: named(giving.map(({ set }) => set)),
          without: applies ? named(without.map(({ set }) => set)) : [],
        };
      }),
  };
}
