import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inQuietWorld, insertUsers, uuidOf, type World } from "../../support/access-world.ts";
import { expectedSources, type Source } from "../../support/sources-oracle.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";
import { invite, randomInvitations, userNames } from "../permissions/random-world.ts";
import { managedWorld, managersOf } from "./managed-world.ts";

const runs = 120;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
  await insertUsers(database, userNames);
});
afterAll(() => database.close());

const looks: Record<string, (row: Source) => boolean> = {
  "in force": ({ standing }) => standing === "in force",
  "if active": ({ standing }) => standing === "in force" || standing === "not active",
  "of her own": ({ own }) => own,
};

type Held = [team: string, campaign: string | null, key: string | null];
type Beyond = Record<"look" | "user_id" | "team_id", string> &
  Record<"campaign_id" | "key", string | null> & { opens: boolean };

// A row without a key opens its place; one of a role without sets or a set without keys gives nothing.
const gives = ({ rule, key }: Source) => key !== null || rule === 2 || rule === 5;

const administers = (world: World, actor: string) =>
  world.team_users
    .filter(({ user_id, status }) => uuidOf(user_id) === actor && status === "active")
    .filter(({ role_id }) => world.roles.some(({ id, scope }) => id === role_id && scope === "inherit_team"))
    .map(({ team_id }) => team_id);

// What the actor has herself in the teams that she manages or administers, which she may leave as the last one.
function expectedHeld(world: World, sources: Source[], actor: string): Held[] {
  const own = sources.filter((row) => row.user === actor && row.standing === "in force" && gives(row));
  const managed = own
    .filter(({ campaign, key }) => campaign === null && (key === "members.manage" || key === "roles.manage"))
    .map(({ team }) => team);
  const hers = [...managed, ...administers(world, actor)];
  return own.filter(({ team }) => hers.includes(team)).map(({ team, campaign, key }): Held => [team, campaign, key]);
}

// What is beyond her: keys that she lacks where their holder has anything, and campaigns that are closed to her.
function expectedBeyond(sources: Source[], held: Held[]): Beyond[] {
  const has = (team: string, campaign: string | null, key: string | null) =>
    held.some((row) => row[0] === team && row[1] === campaign && row[2] === key);
  const teams = new Set(held.map(([team]) => team));
  return Object.entries(looks).flatMap(([look, counts]) =>
    [...teams].flatMap((team_id) => {
      const rows = sources.filter((row) => row.team === team_id && counts(row) && gives(row));
      return [...new Set(rows.map(({ user }) => user))].flatMap((user_id) => {
        const hers = rows.filter(({ user }) => user === user_id);
        return [null, ...new Set(hers.flatMap(({ campaign }) => campaign ?? []))].flatMap((campaign_id) => {
          const there = hers.filter(
            ({ campaign, key }) => campaign === campaign_id || (campaign === null && key !== null),
          );
          const reached = there.some(({ key }) => key === null);
          const closed = campaign_id !== null && !has(team_id, campaign_id, null);
          return there.flatMap(({ key }): Beyond[] => {
            const row = { look, user_id, team_id, campaign_id, key };
            const lacks = key !== null && !has(team_id, null, key) && !has(team_id, campaign_id, key);
            return [
              ...(lacks ? [{ ...row, opens: false }] : []),
              ...(reached && (lacks || closed) ? [{ ...row, opens: true }] : []),
            ];
          });
        });
      });
    }),
  );
}

const unordered = (rows: object[]) =>
  [...new Set(rows.map((row) => JSON.stringify(Object.entries(row).sort())))].sort();

test(`what a change is judged by is what the contract's text gives, in force or not, in ${runs} random worlds`, {
  timeout: 300_000,
}, async () => {
  const met = new Map(Object.keys(looks).map((look) => [look, 0]));
  await fc.assert(
    fc.asyncProperty(managedWorld, randomInvitations, async (world, drafts) => {
      await inQuietWorld(database, world, async () => {
        const sources = expectedSources(world, await invite(database, world, drafts));
        for (const actor of new Set(managersOf(world).map((manager) => uuidOf(manager.actor)))) {
          await database.sql("select private.open_change_of($1::uuid, true)", [actor]);
          const [row] = await database.sql<{ change: { held: Held[]; beyond: Beyond[] } }>(
            "select current_setting('signet.change')::jsonb as change",
          );
          const held = expectedHeld(world, sources, actor);
          const beyond = expectedBeyond(sources, held);
          expect(unordered(row?.change.held ?? [])).toEqual(unordered(held));
          expect(unordered(row?.change.beyond ?? [])).toEqual(unordered(beyond));
          for (const { look } of beyond) met.set(look, (met.get(look) ?? 0) + 1);
        }
      });
    }),
    { numRuns: runs },
  );
  expect([...met].filter(([, times]) => times < runs)).toEqual([]);
});
