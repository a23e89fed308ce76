import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { emptyWorld, inQuietWorld, insertUsers, uuidOf, type World } from "../../support/access-world.ts";
import { inDrill } from "../../support/in-drill.ts";
import { seedOfTheDay as seed } from "../../support/seed-of-the-day.ts";
import { expectedSources } from "../../support/sources-oracle.ts";
import { openSqlSession, type SqlSession } from "../../support/sql-session.ts";
import { invite, randomInvitations, userNames } from "../permissions/random-world.ts";
import { type Beyond, expectedBeyond, expectedHeld, type Held, looks } from "./change-oracle.ts";
import { managedWorld, managersOf } from "./managed-world.ts";

const runs = inDrill(120, { else: 40 });

let database: SqlSession;
beforeAll(async () => {
  database = await openSqlSession();
  await insertUsers(database, userNames);
});
afterAll(() => database.close());

// The bundle of bridges gives administrators there what Ann holds in the whole team. Whoever is invited as one has a key
// besides that Ann lacks, and would not reach bridges.
const unreached: World = {
  ...emptyWorld,
  teams: [{ id: "east" }],
  campaigns: [
    { id: "bridges", team_id: "east" },
    { id: "lakes", team_id: "east" },
  ],
  roles: [
    { id: "role-0", team_id: null, scope: "assigned" },
    { id: "role-1", team_id: "east", scope: "inherit_team" },
  ],
  permission_sets: [
    { id: "set-0", team_id: null },
    { id: "set-1", team_id: "east" },
  ],
  permission_set_keys: [
    { permission_set_id: "set-0", key: "roles.manage" },
    { permission_set_id: "set-1", key: "members.manage" },
  ],
  team_users: ["ann", "ben"].map((user_id) => ({ user_id, team_id: "east", role_id: "role-0", status: "active" })),
  team_p_sets: [{ team_id: "east", permission_set_id: "set-1" }],
  role_p_sets: [{ role_id: "role-0", permission_set_id: "set-0" }],
  campaign_team_sets: [{ team_id: "east", campaign_id: "bridges", permission_set_id: "set-0" }],
};
const lakes = { team_id: "east", campaign_id: "lakes" };
const toAdminister = [{ team: 0, role: 1, state: "open" as const }];
const examples: [World, typeof toAdminister][] = [
  [unreached, toAdminister],
  // With a campaign that is closed to Ann, all keys are looked at, and the same must come out of bridges.
  [{ ...unreached, campaign_user_roles_team: [{ ...lakes, user_id: "ben", role_id: "role-0" }] }, toAdminister],
];

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
        for (const { actor: name, team } of managersOf(world)) {
          const actor = uuidOf(name);
          const [row] = await database.sql<{ standing: { held: Held[]; beyond: Beyond[] } }>(
            "select private.open_change($1, $2) as standing",
            [actor, team],
          );
          const held = expectedHeld(sources, actor, team);
          const beyond = expectedBeyond(sources, held, team);
          expect(unordered(row?.standing.held ?? [])).toEqual(unordered(held));
          expect(unordered(row?.standing.beyond ?? [])).toEqual(unordered(beyond));
          for (const { look } of beyond) met.set(look, (met.get(look) ?? 0) + 1);
        }
      });
    }),
    { numRuns: runs, examples, seed },
  );
  expect([...met].filter(([, times]) => times === 0)).toEqual([]);
});
