import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { inQuietWorld, insertUsers, uuidOf } from "../../support/access-world.ts";
import { expectedSnapshot } from "../../support/permission-oracle.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";
import { userNames } from "../access/random-world.ts";
import { keys, managedWorld } from "./managed-world.ts";

const runs = 150;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await insertUsers(database, userNames);
});
afterAll(() => database.close());

const whySchema = z.object({
  held: z.boolean(),
  teamAccess: z.boolean(),
  campaignAccess: z.boolean().nullable(),
  membership: z.object({ status: z.string(), role: z.string(), isAdministrator: z.boolean() }).nullable(),
  rules: z.array(
    z.object({
      rule: z.number(),
      source: z.string(),
      applies: z.boolean(),
      holds: z.boolean(),
      sets: z.array(z.object({ id: z.string() })),
      without: z.array(z.object({ id: z.string() })),
    }),
  ),
});

test(`"why?" agrees with the snapshot for every key, person and place of ${runs} random worlds`, {
  timeout: 300_000,
}, async () => {
  let given = 0;
  await fc.assert(
    fc.asyncProperty(managedWorld, async (world) => {
      const questions = userNames.flatMap((user) =>
        world.teams.flatMap(({ id: team }) =>
          [null, ...world.campaigns.map(({ id }) => id)].flatMap((campaign) =>
            keys.map((key) => ({ user, team, campaign, key })),
          ),
        ),
      );
      await inQuietWorld(database, world, async () => {
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
        for (const [number, question] of questions.entries()) {
          const why = whySchema.parse(rows[number]?.why);
          const snapshot = expectedSnapshot(world, question);
          const said = { teamAccess: why.teamAccess, held: why.held, campaignAccess: why.campaignAccess ?? undefined };
          expect(said, JSON.stringify(question)).toEqual({
            teamAccess: snapshot.teamAccess,
            held: snapshot.permissionKeys.includes(question.key),
            campaignAccess: snapshot.campaignAccess,
          });
          const giving = why.rules.filter(({ rule, holds }) => holds && (rule === 4 || rule === 7));
          expect(giving.length > 0, "a rule gives what is held").toBe(why.held);
          for (const { rule, applies, holds, sets, without } of why.rules) {
            if (holds) expect(applies || rule === 5, "a rule that gives applies").toBe(true);
            if (rule === 4 || rule === 7) expect(sets.length > 0).toBe(holds);
            const having = (id: string) =>
              world.permission_set_keys.some((row) => uuidOf(row.permission_set_id) === id && row.key === question.key);
            expect(sets.every(({ id }) => having(id))).toBe(true);
            expect(without.every(({ id }) => !having(id))).toBe(true);
          }
          given += giving.length;
        }
      });
    }),
    { numRuns: runs },
  );
  expect(given).toBeGreaterThan(runs);
});
