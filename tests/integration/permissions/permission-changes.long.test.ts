import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import {
  emptyWorld,
  insertUsers,
  inWorldWithoutTriggers,
  isDue,
  uuidOf,
  type World,
} from "../../support/access-world.ts";
import { inDrill } from "../../support/in-drill.ts";
import { seedOfTheDay as seed } from "../../support/seed-of-the-day.ts";
import { expectedSources } from "../../support/sources-oracle.ts";
import { setUpSqlSession } from "../../support/sql-session.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";
import { randomWorldOf } from "./random-world.ts";

type Row = Record<string, string | null>;

// The nine tables (contract 2.2, without charts) with the columns that the rules read. First come those of the key.
const watched = {
  team_users: { key: ["user_id", "team_id"], rest: ["role_id", "status", "ends_at"] },
  roles: { key: ["id"], rest: ["scope"] },
  team_p_sets: { key: ["team_id", "permission_set_id"], rest: [] },
  role_p_sets: { key: ["role_id", "permission_set_id"], rest: [] },
  permission_set_keys: { key: ["permission_set_id", "key"], rest: [] },
  campaign_user_roles_team: { key: ["user_id", "team_id", "campaign_id"], rest: ["role_id", "ends_at"] },
  campaign_user_team_sets: { key: ["user_id", "team_id", "campaign_id", "permission_set_id"], rest: [] },
  campaign_team: { key: ["team_id", "campaign_id"], rest: [] },
  campaign_team_sets: { key: ["team_id", "campaign_id", "permission_set_id"], rest: [] },
} satisfies Partial<Record<keyof World, { key: string[]; rest: string[] }>>;
type Watched = keyof typeof watched;
const watchedTables = Object.keys(watched).filter((name): name is Watched => name in watched);
const columnsOf = (table: Watched): string[] => [...watched[table].key, ...watched[table].rest];

const people = ["ann", "ben", "cyd", "dan"]; // of random worlds
const uuids = new Map([...people, "cal", "max"].map((name) => [uuidOf(name), name]));

const database = await setUpTestDatabase();
const session = await setUpSqlSession(database);
await insertUsers(database, [...uuids.values()]);

// The users with pending changes, each as often as they have one.
async function pendingUsers(): Promise<string[]> {
  const rows = await session.sql<{ user_id: string }>("select user_id from public.permission_changes");
  return rows.map(({ user_id }) => uuids.get(user_id) ?? user_id).sort();
}

// ── Random changes ───────────────────────────────────────────────────────────────────────────────────────────────────

type Rows = Pick<World, Watched>;
type State = { rows: Rows; access: Record<string, unknown> };

const rowsQuery = watchedTables.map(
  (table) =>
    `'${table}', (select coalesce(jsonb_agg(r), '[]') from (select ${columnsOf(table)} from public.${table}) r)`,
);

// All that the rules read, and everyone's permissions in each place that existed at the beginning.
async function readState(world: World): Promise<State> {
  const [row] = await session.sql<State>(
    `select jsonb_build_object(${rowsQuery}) as rows, (
       select jsonb_object_agg(u.id, jsonb_build_object(
         'anywhere', public.permissions_snapshot(u.id),
         'places', public.permission_places(u.id),
         'snapshots', (
           select jsonb_agg(public.permissions_snapshot(u.id, t.id, c.id))
           from jsonb_array_elements_text($2::text::jsonb) t (id), jsonb_array_elements_text($3::text::jsonb) c (id)
         )))
       from (select value::uuid as id from jsonb_array_elements_text($1::text::jsonb)) u
     ) as access`,
    [people.map(uuidOf), world.teams.map(({ id }) => id), [null, ...world.campaigns.map(({ id }) => id)]].map((list) =>
      JSON.stringify(list),
    ),
  );
  if (!row) throw new Error("There is no answer.");
  return row;
}

// What the contract's text grants someone by these rows, and through which roles. Ids are as stored. A membership counts until
// it is suspended: by then its end was due, and what is cached may be older.
function granted(rows: Rows, person: string) {
  const id = uuidOf(person);
  const memberships = rows.team_users.filter(({ user_id, status }) => user_id === id && status === "active");
  const sources = expectedSources({ ...emptyWorld, ...rows }).filter(
    ({ user, effect }) => user === uuidOf(id) && effect === "in force",
  );
  const roles = rows.campaign_user_roles_team.filter(
    ({ user_id, team_id }) => user_id === id && memberships.some((row) => row.team_id === team_id && !isDue(row)),
  );
  return [...memberships, ...sources, ...roles].map((row) => JSON.stringify(row)).sort();
}

const worldOfFour = randomWorldOf(people)
  .filter(
    (world) =>
      world.permission_sets.length > 1 &&
      world.team_users.length > 2 &&
      world.team_users.some(({ status }) => status === "active") &&
      world.role_p_sets.length > 1 &&
      world.campaign_user_roles_team.length > 0,
  )
  .map((world) => ({ ...world, campaigns: world.campaigns.map(({ id }) => ({ id })) })); // run by another team, so they can be deleted

// A choice from a list whose length depends on the world.
type Picks = { rows: number[]; values: number[]; broad: boolean };
const two = fc.array(fc.nat(9999), { minLength: 2, maxLength: 2 });
const picks: fc.Arbitrary<Picks> = fc.record({ rows: two, values: two, broad: fc.boolean() });
const chosen = <T>(items: T[], numbers: number[]): T[] =>
  numbers.flatMap((number) => items.slice(number % items.length, (number % items.length) + 1));

const quote = (value: string | null | undefined) => (value == null ? "null" : `'${value}'`);
const tuple = (columns: string[], row: Row) => `(${columns.map((column) => quote(row[column]))})`;
const equal = (columns: string[], row: Row) => columns.map((column) => `${column} = ${quote(row[column])}`);

// All rows that could be in a table, allowed or not.
function imaginable(world: World, table: Watched): Row[] {
  const values: Record<string, (string | null)[]> = {
    id: ["a-new-role", ...world.roles.map(({ id }) => id)].map(uuidOf),
    scope: ["inherit_team", "assigned"],
    user_id: people.map(uuidOf),
    team_id: teams(world),
    campaign_id: campaigns(world),
    role_id: world.roles.map(({ id }) => uuidOf(id)),
    permission_set_id: sets(world),
    key: ["campaign.view", "voters.search", "extra.key", "extra_a.key", "extraa.key"],
    status: ["active", "active", "invited", "suspended"],
    ends_at: [null, "infinity", "2026-01-01T00:00:00Z"],
  };
  return columnsOf(table).reduce<Row[]>(
    (rows, column) => rows.flatMap((row) => (values[column] ?? []).map((value) => ({ ...row, [column]: value }))),
    [{}],
  );
}

// A statement, or undefined if the world has nothing to change.
type Change = (world: World, stored: Rows, picks: Picks) => string | undefined;

const inserts =
  (table: Watched): Change =>
  (world, _, { values, broad }) => {
    const { key, rest } = watched[table];
    const rows = chosen(imaginable(world, table), broad ? values : values.slice(1));
    if (rows.length === 0) return undefined;
    const columns = table === "roles" ? [...columnsOf(table), "name"] : columnsOf(table);
    const named = rows.map((row) => tuple(columns, { ...row, name: "A new role" }));
    const replace = rest.length > 0 && !broad;
    return `insert into public.${table} (${columns}) values ${named}
      on conflict ${replace ? `(${key}) do update set ${rest.map((column) => `${column} = excluded.${column}`)}` : "do nothing"}`;
  };

const updates =
  (table: Watched): Change =>
  (world, stored, { rows, values, broad }) => {
    const { key, rest } = watched[table];
    const [row] = chosen<Row>(stored[table], rows);
    const [value] = chosen(imaginable(world, table), values);
    // Broad: one column of all rows that agree in one. Otherwise one row becomes another.
    const [keyPart] = chosen(rest.length > 0 ? rest : key, rows);
    const [by] = chosen<string>(key, values);
    if (!row || !value || !keyPart || !by) return undefined;
    return broad
      ? `update public.${table} set ${equal([keyPart], value)} where ${equal([by], row)}`
      : `update public.${table} set ${equal(columnsOf(table), value)} where ${equal(key, row).join(" and ")}`;
  };

const deletes =
  (table: Watched): Change =>
  (_, stored, { rows, broad }) => {
    const { key } = watched[table];
    const matches = chosen<Row>(stored[table], rows);
    const [by] = chosen<string>(key, rows);
    const [first] = matches;
    if (!first || !by) return undefined;
    return broad
      ? `delete from public.${table} where ${equal([by], first)}`
      : `delete from public.${table} where (${key}) in (${matches.map((row) => tuple(key, row))})`;
  };

const changesTwo: Change = (world, stored, { rows, values, broad }) => {
  const [start = 0, further = 0] = rows;
  const [firstTable, other] = chosen(watchedTables, [start, start + 1 + (further % 8)]);
  const [kind, otherKind] = chosen([inserts, updates, deletes], values);
  const first = firstTable && kind?.(firstTable)(world, stored, { rows, values, broad });
  const reversed = { rows: rows.toReversed(), values: values.toReversed(), broad: !broad };
  const second = other && otherKind?.(other)(world, stored, reversed);
  return first && second && `with one as (${first}) ${second}`;
};

const ofOne =
  (idsOf: (world: World) => string[], statement: (id: string) => string): Change =>
  (world, _, { rows }) =>
    chosen(idsOf(world), rows).map(quote).map(statement).at(0);
const teams = (world: World) => world.teams.map(({ id }) => id);
const campaigns = (world: World) => world.campaigns.map(({ id }) => id);
const sets = (world: World) => world.permission_sets.map(({ id }) => uuidOf(id));
const keys = (world: World) => world.permission_keys.map(({ key }) => key);
const truncated = [...watchedTables, "teams", "campaigns", "permission_sets", "permission_keys"];

const changes: Record<string, Change> = {
  ...Object.fromEntries(
    watchedTables.flatMap((table): [string, Change][] => [
      [`insert into ${table}`, inserts(table)],
      [`update ${table}`, updates(table)],
      [`delete from ${table}`, deletes(table)],
    ]),
  ),
  ...Object.fromEntries(["one", "two", "three", "four"].map((again) => [`change two tables, ${again}`, changesTwo])),
  "delete a user": ofOne(
    () => people.map(uuidOf),
    (id) => `delete from auth.users where id = ${id}`,
  ),
  "delete a team": ofOne(teams, (id) => `delete from public.teams where id = ${id}`),
  "delete a campaign": ofOne(campaigns, (id) => `delete from public.campaigns where id = ${id}`),
  "delete a permission set": ofOne(sets, (id) => `delete from public.permission_sets where id = ${id}`),
  "delete a permission key": ofOne(keys, (id) => `delete from public.permission_keys where key = ${id}`),
  "rename a permission key": ofOne(
    keys,
    (id) => `update public.permission_keys set key = 'new.name' where key = ${id}`,
  ),
  "rename a team": ofOne(teams, (id) => `update public.teams set name = 'New name' where id = ${id}`),
  "archive a campaign": ofOne(campaigns, (id) => `update public.campaigns set archived_at = now() where id = ${id}`),
  "change only names": () =>
    `with r as (update public.roles set name = 'New ' || name),
       s as (update public.permission_sets set name = 'New ' || name, description = 'New'),
       k as (update public.permission_keys set description = 'New')
     update public.team_users set id = gen_random_uuid()`,
  ...Object.fromEntries(truncated.map((table) => [`truncate ${table}`, () => `truncate public.${table} cascade`])),
};

const worlds = inDrill(16, { else: 2 });

test(`${worlds} times ${Object.keys(changes).length} random changes store pending changes for exactly the people they affect`, {
  timeout: 300_000,
}, async () => {
  const names = Object.keys(changes);
  const met = new Map(names.map((name) => [name, { made: 0, effective: 0 }]));
  // Changes that a constraint forbids are drawn again.
  const draws = fc.tuple(...names.map(() => fc.array(picks, { minLength: 8, maxLength: 8 })));

  await fc.assert(
    fc.asyncProperty(worldOfFour, draws, (world, drawn) =>
      inWorldWithoutTriggers(session, world, async () => {
        const before = await readState(world);
        for (const [number, name] of names.entries()) {
          const statement = await makeOne(
            (drawn[number] ?? []).map((draw) => changes[name]?.(world, before.rows, draw)),
          );
          if (!statement) continue;
          const after = await readState(world);
          const differing = (what: (state: State, person: string) => unknown) =>
            people.filter((person) => JSON.stringify(what(before, person)) !== JSON.stringify(what(after, person)));
          const affected = differing(({ access }, person) => access[uuidOf(person)]);
          const who = [...new Set(await pendingUsers())];
          const missed = affected.filter((person) => !who.includes(person));
          const expected = () => {
            if (name.startsWith("truncate")) return people.filter((person) => isActive(before.rows, person)); // it names no rows
            if (name === "rename a team" || name === "archive a campaign") return affected; // not in these rows
            return differing(({ rows }, person) => granted(rows, person));
          };
          expect({ statement, pending: who, missed }).toEqual({
            statement,
            pending: expected(),
            missed: [],
          });

          const counted = met.get(name);
          if (counted) {
            counted.made += 1;
            if (affected.length > 0) counted.effective += 1;
          }
          await session.sql("rollback to savepoint unchanged");
        }
      }),
    ),
    { numRuns: worlds, seed, interruptAfterTimeLimit: 240_000 }, // also limits shrinking
  );
  // Changes that are refused or affect no one would prove nothing.
  const total = (what: "made" | "effective") => [...met.values()].reduce((sum, counted) => sum + counted[what], 0);
  const never = [...met].filter(([name, { made }]) => made < inDrill(1, { else: 0 }) && name !== "delete from roles");
  expect(never).toEqual([]);
  expect(total("made")).toBeGreaterThanOrEqual(worlds * inDrill(44, { else: 28 }));
  expect(total("effective")).toBeGreaterThanOrEqual(worlds * inDrill(7, { else: 1 }));
});

const isActive = ({ team_users }: Rows, person: string) =>
  team_users.some(({ user_id, status }) => user_id === uuidOf(person) && status === "active");

// Makes the first of these changes that the constraints allow, and returns it.
async function makeOne(statements: (string | undefined)[]) {
  for (const statement of statements) if (statement && (await attempt(statement))) return statement;
  return undefined;
}

// Makes a change, unless a constraint forbids it or one half changes a row that the trigger of the other half has
// deleted (27000).
async function attempt(statement: string) {
  await session.sql("savepoint unchanged");
  try {
    await session.sql(statement);
    return true;
  } catch (error) {
    await session.sql("rollback to savepoint unchanged");
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (["23503", "23505", "23514"].includes(code) || (code === "27000" && statement.startsWith("with"))) return false;
    throw error;
  }
}

// ── Pending changes ──────────────────────────────────────────────────────────────────────────────────────────────────

// Max has one role. Cal has another in the team and in a campaign, and a set directly.
const lakes = { team_id: "north", campaign_id: "lakes" };
const base: World = {
  ...emptyWorld,
  teams: [{ id: "north" }],
  campaigns: [{ id: "lakes" }],
  campaign_team: [lakes],
  roles: ["member", "clerk"].map((id) => ({ id, team_id: null, scope: "assigned" as const })),
  permission_sets: ["basics", "extra"].map((id) => ({ id, team_id: null })),
  permission_set_keys: [{ permission_set_id: "basics", key: "voters.search" }],
  team_users: [
    { user_id: "max", team_id: "north", status: "active", role_id: "member" },
    { user_id: "cal", team_id: "north", status: "active", role_id: "clerk" },
  ],
  team_p_sets: [{ team_id: "north", permission_set_id: "basics" }],
  role_p_sets: [{ role_id: "clerk", permission_set_id: "basics" }],
  campaign_team_sets: [{ ...lakes, permission_set_id: "basics" }],
  campaign_user_roles_team: [{ user_id: "cal", ...lakes, role_id: "clerk" }],
  campaign_user_team_sets: [{ user_id: "cal", ...lakes, permission_set_id: "basics" }],
};

// `@name` is the id under which a user, role or permission set is stored.
const sqlOf = (statement: string) => statement.replace(/@(\w+)/g, (_, name: string) => `'${uuidOf(name)}'`);

describe("pending changes", () => {
  const suspendMax = sqlOf("update public.team_users set status = 'suspended' where user_id = @max");

  test("aren't written for updates that change nothing", async () => {
    await inWorldWithoutTriggers(session, base, async () => {
      for (const table of watchedTables) {
        await session.sql(`update public.${table} set ${columnsOf(table).map((column) => `${column} = ${column}`)}`);
        expect([table, await pendingUsers()]).toEqual([table, []]);
      }
    });
  });

  test("have each person once, for any number of changed rows and paths", async () => {
    await inWorldWithoutTriggers(session, base, async () => {
      await session.sql(
        sqlOf(`insert into public.role_p_sets (role_id, permission_set_id)
        values (@member, @basics), (@member, @extra), (@clerk, @extra)`),
      );
      expect(await pendingUsers()).toEqual(["cal", "max"]);
    });
  });

  test("are rolled back with their change, and are also written for a role that can't write them", async () => {
    await inWorldWithoutTriggers(session, base, async () => {
      await session.sql("savepoint before_change");
      await session.sql("set local role service_role");
      await session.sql(suspendMax);
      await session.sql("reset role");
      expect(await pendingUsers()).toEqual(["max"]);
      await session.sql("rollback to savepoint before_change");
      expect(await pendingUsers()).toEqual([]);
    });
  });

  test("are read over REST oldest first, up to a limit, each person once, and deleted only by id", async () => {
    const [ann, ben, cyd, dan] = people.map(uuidOf);
    const rpc = (name: string, body: object) => database.rest(`rpc/${name}`, { as: "service", body });
    const pending = async (p_limit: number) => {
      const { body } = await rpc("pending_permission_changes", { p_limit });
      const { ids, userIds } = z.object({ ids: z.array(z.number()), userIds: z.array(z.string()) }).parse(body);
      return { ids: ids.sort(), userIds: userIds.sort() };
    };
    await session.sql(
      `insert into public.permission_changes (id, user_id) overriding system value
       select * from unnest(array[1, 2, 3, 4, 5], $1::uuid[])`,
      [[ann, ben, cyd, dan, dan]],
    );
    expect(await pending(0)).toEqual({ ids: [], userIds: [] });
    expect(await pending(2)).toEqual({ ids: [1, 2], userIds: [ann, ben].sort() });
    expect(await pending(100)).toEqual({ ids: [1, 2, 3, 4, 5], userIds: [ann, ben, cyd, dan].sort() });
    expect((await rpc("delete_permission_changes", { p_ids: [2, 4, 99] })).status).toBeLessThan(300);
    expect(await session.sql("select id::int, user_id from public.permission_changes order by id")).toEqual([
      { id: 1, user_id: ann },
      { id: 3, user_id: cyd },
      { id: 5, user_id: dan },
    ]);
  });
});
