import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { emptyWorld, inQuietWorld, insertUsers, uuidOf, type World } from "../../support/access-world.ts";
import { inDrill } from "../../support/in-drill.ts";
import { seedOfTheDay as seed } from "../../support/seed-of-the-day.ts";
import { openSqlSession, type SqlSession } from "../../support/sql-session.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";
import { randomWorld } from "./random-world.ts";

type Row = Record<string, string | null>;

// The nine tables (contract 2.2, without charts) with the columns that the rules read. First come those of the key.
const watched = {
  team_users: { key: ["user_id", "team_id"], rest: ["role_id", "status"] },
  roles: { key: ["id"], rest: ["scope"] },
  team_p_sets: { key: ["team_id", "permission_set_id"], rest: [] },
  role_p_sets: { key: ["role_id", "permission_set_id"], rest: [] },
  permission_set_keys: { key: ["permission_set_id", "key"], rest: [] },
  campaign_user_roles_team: { key: ["user_id", "team_id", "campaign_id"], rest: ["role_id"] },
  campaign_user_team_sets: { key: ["user_id", "team_id", "campaign_id", "permission_set_id"], rest: [] },
  campaign_team: { key: ["team_id", "campaign_id"], rest: [] },
  campaign_team_sets: { key: ["team_id", "campaign_id", "permission_set_id"], rest: [] },
} satisfies Partial<Record<keyof World, { key: string[]; rest: string[] }>>;
type Watched = keyof typeof watched;
const watchedTables = Object.keys(watched).filter((name): name is Watched => name in watched);
const columnsOf = (table: Watched): string[] => [...watched[table].key, ...watched[table].rest];

// What permission_places shows beside the rules.
const shown = { teams: ["id", "name", "time_zone", "locale"], campaigns: ["id", "name", "archived_at"] };

const people = ["ann", "ben", "cyd", "dan"]; // of random worlds
const named = ["ada", "bob", "cal", "dee", "hal", "ivy", "max", "meg", "mia", "sue", "zoe"];
const uuids = new Map([...people, ...named].map((name) => [uuidOf(name), name]));
const nameOf = (userId: string) => uuids.get(userId) ?? userId;

let database: TestDatabase;
let session: SqlSession;
beforeAll(async () => {
  database = await openTestDatabase();
  session = await openSqlSession(database);
  await insertUsers(database, [...uuids.values()]);
});
afterAll(async () => {
  await session.close();
  await database.close();
});

// Those who are noted, each as often as she is, by name.
async function noted(): Promise<string[]> {
  const notes = await session.sql<{ user_id: string }>("select user_id from public.permission_changes");
  return notes.map(({ user_id }) => nameOf(user_id)).sort();
}

// ── Random changes ───────────────────────────────────────────────────────────────────────────────────────────────────

type State = Record<Watched | keyof typeof shown, Row[]>;
type Access = Record<string, unknown>;
type Look = { state: State; access: Access; sources: Access };

// All that the rules read, what everyone is answered about every place that there was at the beginning, and what she is
// given in force.
async function look(world: World): Promise<Look> {
  const [row] = await session.sql<Look>(
    `select ${stateQuery} as state, (
       select coalesce(jsonb_object_agg(s.user_id, s.rows), '{}')
       from (
         select s.user_id, jsonb_agg(to_jsonb(s) order by to_jsonb(s)::text) as rows
         from private.sources s where s.in_force group by s.user_id
       ) s
     ) as sources, (
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

const stateQuery = `jsonb_build_object(${[
  ...watchedTables.map((table): [string, string[]] => [table, columnsOf(table)]),
  ...Object.entries(shown),
].map(
  ([table, columns]) =>
    `'${table}', (select coalesce(jsonb_agg(r), '[]') from (select ${columns} from public.${table}) r)`,
)})`;

// Whom the contract's rules lead to from the rows that differ, by any link of before or of after.
function mayBeNoted(before: State, after: State): Set<string> {
  const either = (table: keyof State) => [...before[table], ...after[table]];
  const different = (table: keyof State) => {
    const [old, now] = [before, after].map((state) => new Set(state[table].map((row) => JSON.stringify(row))));
    return either(table).filter((row) => !(old?.has(JSON.stringify(row)) && now?.has(JSON.stringify(row))));
  };
  const where = (rows: Row[], match: Row) =>
    rows.filter((row) => Object.entries(match).every(([column, value]) => row[column] === value));

  const members = where(either("team_users"), { status: "active" }); // section 3
  const withScope = (scope: string) => {
    const roles = new Set(where(either("roles"), { scope }).map(({ id }) => id));
    return members.filter(({ role_id }) => roles.has(role_id ?? null));
  };
  const administrators = withScope("inherit_team"); // rule 3
  const others = withScope("assigned");
  const administratorsOf = ({ team_id = null }: Row) => where(administrators, { team_id });
  const membershipOf = ({ user_id = null, team_id = null }: Row) => where(members, { user_id, team_id });
  const holdersOfRole = (role_id: string | null = null) => [
    ...where(others, { role_id }), // rule 4
    ...where(either("campaign_user_roles_team"), { role_id }).flatMap(({ user_id = null, team_id = null }) =>
      where(others, { user_id, team_id }),
    ), // rule 7
  ];
  const holdersOfSet = (permission_set_id: string | null = null) => [
    ...where(either("team_p_sets"), { permission_set_id }).flatMap(administratorsOf),
    ...where(either("campaign_team_sets"), { permission_set_id }).flatMap(administratorsOf),
    ...where(either("role_p_sets"), { permission_set_id }).flatMap(({ role_id }) => holdersOfRole(role_id)),
    ...where(either("campaign_user_team_sets"), { permission_set_id }).flatMap(({ user_id = null, team_id = null }) =>
      where(others, { user_id, team_id }),
    ),
  ];
  const reachers = ({ id = null }: Row) => [
    ...where([...either("campaign_user_roles_team"), ...either("campaign_user_team_sets")], {
      campaign_id: id,
    }).flatMap(membershipOf),
    ...where(either("campaign_team"), { campaign_id: id }).flatMap(administratorsOf),
  ]; // rule 5

  const leadTo: Record<keyof State, (row: Row) => Row[]> = {
    team_users: (row) => where([row], { status: "active" }),
    roles: ({ id = null }) => where(members, { role_id: id }),
    team_p_sets: administratorsOf,
    role_p_sets: ({ role_id }) => holdersOfRole(role_id),
    permission_set_keys: ({ permission_set_id }) => holdersOfSet(permission_set_id),
    campaign_user_roles_team: membershipOf,
    campaign_user_team_sets: membershipOf,
    campaign_team: administratorsOf,
    campaign_team_sets: administratorsOf,
    teams: ({ id = null }) => where(members, { team_id: id }),
    campaigns: reachers,
  };
  const tables = [...watchedTables, "teams", "campaigns"] as const;
  return new Set(
    tables.flatMap((table) => different(table).flatMap(leadTo[table])).map((row) => nameOf(row.user_id ?? "")),
  );
}

// A random world of two people has two others beside them, as far as they fit in.
const richWorld = randomWorld.filter(
  (world) =>
    world.permission_sets.length > 1 &&
    world.team_users.length > 1 &&
    world.team_users.some(({ status }) => status === "active") &&
    world.role_p_sets.length > 1 &&
    world.campaign_user_roles_team.length > 0,
);
const worldOfFour = fc.tuple(richWorld, richWorld).map(([world, other]): World => {
  const renamed = <T extends { user_id: string }>(row: T) => ({
    ...row,
    user_id: row.user_id === "ann" ? "cyd" : "dan",
  });
  const fits = (row: { team_id: string; campaign_id?: string; role_id?: string; permission_set_id?: string }) =>
    world.teams.some(({ id }) => id === row.team_id) &&
    (row.campaign_id === undefined || world.campaigns.some(({ id }) => id === row.campaign_id)) &&
    (row.role_id === undefined || usable(world.roles, row.role_id, row.team_id)) &&
    (row.permission_set_id === undefined || usable(world.permission_sets, row.permission_set_id, row.team_id));
  const members = other.team_users.filter(fits);
  const isMember = (row: { user_id: string; team_id: string }) =>
    members.some(({ user_id, team_id }) => user_id === row.user_id && team_id === row.team_id);
  const more = <T extends { user_id: string; team_id: string }>(rows: T[]) =>
    rows.filter(fits).filter(isMember).map(renamed);
  return {
    ...world,
    campaigns: world.campaigns.map(({ id }) => ({ id })), // run by none of its teams, so that each can be deleted
    team_users: [...world.team_users, ...members.map(renamed)],
    campaign_user_roles_team: [...world.campaign_user_roles_team, ...more(other.campaign_user_roles_team)],
    campaign_user_team_sets: [...world.campaign_user_team_sets, ...more(other.campaign_user_team_sets)],
  };
});

function usable(items: { id: string; team_id: string | null }[], id: string, team: string) {
  return items.some((item) => item.id === id && (item.team_id === null || item.team_id === team));
}

// A choice from a list whose length is known only when the world is.
type Picks = { rows: number[]; values: number[]; broad: boolean };
const picks: fc.Arbitrary<Picks> = fc.record({
  rows: fc.array(fc.nat(9999), { minLength: 2, maxLength: 2 }),
  values: fc.array(fc.nat(9999), { minLength: 2, maxLength: 2 }),
  broad: fc.boolean(),
});
const chosen = <T>(items: T[], numbers: number[]): T[] =>
  numbers.flatMap((number) => items.slice(number % items.length, (number % items.length) + 1));

const quote = (value: string | null | undefined) => (value == null ? "null" : `'${value}'`);
const tuple = (columns: string[], row: Row) => `(${columns.map((column) => quote(row[column]))})`;
const equal = (columns: string[], row: Row) => columns.map((column) => `${column} = ${quote(row[column])}`);

// The rows of a table that the world has, as they are stored.
function existing(world: World, table: Watched): Row[] {
  const isNamed = (column: string) =>
    ["user_id", "role_id", "permission_set_id"].includes(column) || (table === "roles" && column === "id");
  return world[table].map((row: Row) =>
    Object.fromEntries(
      Object.entries(row).map(([column, value]) => [column, value !== null && isNamed(column) ? uuidOf(value) : value]),
    ),
  );
}

// All rows that could be in a table, allowed there or not.
function imaginable(world: World, table: Watched): Row[] {
  const values: Record<string, string[]> = {
    id: ["a-new-role", ...world.roles.map(({ id }) => id)].map(uuidOf),
    scope: ["inherit_team", "assigned"],
    user_id: people.map(uuidOf),
    team_id: world.teams.map(({ id }) => id),
    campaign_id: world.campaigns.map(({ id }) => id),
    role_id: world.roles.map(({ id }) => uuidOf(id)),
    permission_set_id: world.permission_sets.map(({ id }) => uuidOf(id)),
    key: ["campaign.view", "voters.search", "extra.key", "extra_a.key", "extraa.key"],
    status: ["active", "active", "invited", "suspended"],
  };
  const rows = columnsOf(table).reduce<Row[]>(
    (rows, column) => rows.flatMap((row) => (values[column] ?? []).map((value) => ({ ...row, [column]: value }))),
    [{}],
  );
  return rows.filter((row) => table === "roles" || isAllowed(world, row));
}

// Roles and sets of the team or built in; rows in a campaign for members.
function isAllowed(world: World, { user_id, team_id, campaign_id, role_id, permission_set_id }: Row) {
  const teamOf = (items: World["roles"] | World["permission_sets"], id?: string | null) =>
    items.find((item) => uuidOf(item.id) === id)?.team_id ?? null;
  const used = [
    teamOf(world.permission_sets, permission_set_id),
    team_id === undefined ? null : teamOf(world.roles, role_id),
  ];
  const usedIn = team_id ?? teamOf(world.roles, role_id);
  const isMember = world.team_users.some((row) => uuidOf(row.user_id) === user_id && row.team_id === team_id);
  return (
    used.every((owner) => owner === null || owner === usedIn) &&
    (user_id === undefined || campaign_id === undefined || isMember)
  );
}

// Statements; none where the world has nothing to change.
type Change = (world: World, picks: Picks) => string | undefined;

const inserts =
  (table: Watched): Change =>
  (world, { values, broad }) => {
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
  (world, { rows, values, broad }) => {
    const { key, rest } = watched[table];
    const there = existing(world, table);
    const [row] = chosen(there, rows);
    if (!row) return undefined;
    const taken = new Set(there.filter((other) => other !== row).map((other) => tuple(key, other)));
    const [value] = chosen(
      imaginable(world, table).filter((other) => !taken.has(tuple(key, other))),
      values,
    );
    if (!value) return undefined;
    // Broad: one column of all rows that agree in one. Else one row becomes another.
    const [one] = chosen(rest.length > 0 ? rest : key, rows);
    const [by] = chosen(key, values);
    return broad && one && by
      ? `update public.${table} set ${equal([one], value)} where ${equal([by], row)}`
      : `update public.${table} set ${equal(columnsOf(table), value)} where ${equal(key, row).join(" and ")}`;
  };

const deletes =
  (table: Watched): Change =>
  (world, { rows, broad }) => {
    const { key } = watched[table];
    const found = chosen(existing(world, table), rows);
    const [by] = chosen(key, rows);
    const [first] = found;
    if (!first || !by) return undefined;
    return broad
      ? `delete from public.${table} where ${equal([by], first)}`
      : `delete from public.${table} where (${key}) in (${found.map((row) => tuple(key, row))})`;
  };

const ofRow =
  (rowsOf: (world: World) => string[], statement: (id: string) => string): Change =>
  (world, { rows }) => {
    const [id] = chosen(rowsOf(world), rows);
    return id === undefined ? undefined : statement(quote(id));
  };
const teams = (world: World) => world.teams.map(({ id }) => id);
const campaigns = (world: World) => world.campaigns.map(({ id }) => id);
const sets = (world: World) => world.permission_sets.map(({ id }) => uuidOf(id));
const keys = (world: World) => world.permission_keys.map(({ key }) => key);

const changes: Record<string, Change> = {
  ...Object.fromEntries(
    watchedTables.flatMap((table): [string, Change][] => [
      [`insert into ${table}`, inserts(table)],
      [`update ${table}`, updates(table)],
      [`delete from ${table}`, deletes(table)],
    ]),
  ),
  "delete a user": ofRow(
    () => people.map(uuidOf),
    (id) => `delete from auth.users where id = ${id}`,
  ),
  "delete a team": ofRow(teams, (id) => `delete from public.teams where id = ${id}`),
  "delete a campaign": ofRow(campaigns, (id) => `delete from public.campaigns where id = ${id}`),
  "delete a permission set": ofRow(sets, (id) => `delete from public.permission_sets where id = ${id}`),
  "delete a permission key": ofRow(keys, (id) => `delete from public.permission_keys where key = ${id}`),
  "rename a permission key": ofRow(
    keys,
    (id) => `update public.permission_keys set key = 'new.name' where key = ${id}`,
  ),
  "rename a team": ofRow(teams, (id) => `update public.teams set name = 'New name' where id = ${id}`),
  "archive a campaign": ofRow(campaigns, (id) => `update public.campaigns set archived_at = now() where id = ${id}`),
  "update to what is": (_, { rows }) =>
    chosen(watchedTables, rows)
      .map((table) => `update public.${table} set ${columnsOf(table).map((column) => `${column} = ${column}`)}`)
      .at(0),
  truncate: (_, { rows }) =>
    chosen([...watchedTables, "teams", "campaigns", "permission_sets", "permission_keys"], rows)
      .map((table) => `truncate public.${table} cascade`)
      .at(0),
  ...Object.fromEntries(["one", "two", "three", "four"].map((again) => [`change two tables, ${again}`, changesTwo])),
};

function changesTwo(world: World, { rows, values, broad }: Picks) {
  const kinds = [inserts, updates, deletes];
  const [one, other] = chosen(watchedTables, [rows[0] ?? 0, (rows[0] ?? 0) + 1 + ((rows[1] ?? 0) % 8)]);
  const [kind, otherKind] = chosen(kinds, [values[0] ?? 0, values[1] ?? 0]);
  const first = one && kind?.(one)(world, { rows, values, broad });
  const second =
    other && otherKind?.(other)(world, { rows: [...rows].reverse(), values: [...values].reverse(), broad: !broad });
  return first && second && `with one as (${first}) ${second}`;
}

const worlds = inDrill(16, { else: 1 });

test(`${worlds} times ${Object.keys(changes).length} random changes note whom they affect, and nobody they cannot lead to`, {
  timeout: 300_000,
}, async () => {
  const names = Object.keys(changes);
  const met = new Map(names.map((name) => [name, { made: 0, felt: 0 }]));

  await fc.assert(
    fc.asyncProperty(worldOfFour, fc.tuple(...names.map(() => picks)), (world, drawn) =>
      inQuietWorld(session, world, async () => {
        const before = await look(world);
        for (const [number, name] of names.entries()) {
          const statement = drawn.slice(number, number + 1).map((picks) => changes[name]?.(world, picks))[0];
          if (!statement || !(await attempt(statement))) continue;
          const after = await look(world);
          const who = new Set(await noted());
          const differing = (what: "access" | "sources") =>
            people.filter((person) =>
              [before, after]
                .map((look) => JSON.stringify(look[what][uuidOf(person)]))
                .some((text, _, [first]) => text !== first),
            );
          const affected = differing("access");
          const possible =
            name === "truncate"
              ? new Set(
                  before.state.team_users
                    .filter(({ status }) => status === "active")
                    .map((row) => nameOf(row.user_id ?? "")),
                )
              : mayBeNoted(before.state, after.state);
          expect({
            statement,
            missed: affected.filter((person) => !who.has(person)),
            wronglyNoted: [...who].filter((person) => !possible.has(person)),
          }).toEqual({ statement, missed: [], wronglyNoted: [] });
          // Nothing but names, and no rows, are told of by these.
          if (!["truncate", "rename a team", "archive a campaign"].includes(name)) {
            expect({ statement, noted: [...who].sort() }).toEqual({ statement, noted: differing("sources") });
          }

          const counted = met.get(name);
          if (counted) {
            counted.made += 1;
            if (affected.length > 0) counted.felt += 1;
          }
          await session.sql("rollback to savepoint unchanged");
        }
      }),
    ),
    { numRuns: worlds, seed, interruptAfterTimeLimit: 240_000 }, // which also ends the search for a smaller world
  );
  // Changes that are refused, or that nobody feels, would prove nothing.
  const total = (what: "made" | "felt") => [...met.values()].reduce((sum, counted) => sum + counted[what], 0);
  const never = [...met].filter(([name, { made }]) => made < inDrill(1, { else: 0 }) && name !== "delete from roles");
  expect(never).toEqual([]);
  expect(total("made")).toBeGreaterThanOrEqual(worlds * inDrill(31, { else: 15 }));
  expect(total("felt")).toBeGreaterThanOrEqual(worlds * inDrill(7, { else: 1 }));
});

// Makes a change, or leaves all as it was where a constraint forbids it, or where its one half changes a row that the
// other half's trigger has deleted (27000).
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

// ── Named changes ────────────────────────────────────────────────────────────────────────────────────────────────────

const inLakes = { team_id: "north", campaign_id: "lakes" };
const inNorth = { team_id: "north", status: "active" } as const;

// Ada and Meg are administrators, each of her team. Max and Mia are members, each of hers. Bob holds the role clerk in
// the whole team, Cal in a campaign. Dee has a set directly. Ivy, invited, would have what Max, Cal and Dee have; Sue,
// suspended, what Ada has. Zoe is in no team.
const base: World = {
  ...emptyWorld,
  teams: [{ id: "north" }, { id: "south" }],
  campaigns: [{ id: "lakes" }, { id: "roads" }],
  campaign_team: [inLakes, { team_id: "south", campaign_id: "lakes" }],
  roles: [
    { id: "administrator", team_id: null, scope: "inherit_team" },
    ...["member", "clerk", "bare", "spare"].map((id) => ({ id, team_id: null, scope: "assigned" as const })),
  ],
  permission_sets: ["basics", "clerking", "team", "lake", "direct", "unused"].map((id) => ({ id, team_id: null })),
  permission_set_keys: [
    { permission_set_id: "basics", key: "voters.search" },
    { permission_set_id: "clerking", key: "signatures.enter" },
    { permission_set_id: "team", key: "members.manage" },
    { permission_set_id: "lake", key: "charts.edit" },
    { permission_set_id: "direct", key: "charts.view" },
    { permission_set_id: "unused", key: "campaign.view" },
  ],
  team_users: [
    { user_id: "ada", ...inNorth, role_id: "administrator" },
    { user_id: "meg", team_id: "south", role_id: "administrator", status: "active" },
    { user_id: "max", ...inNorth, role_id: "member" },
    { user_id: "mia", team_id: "south", role_id: "member", status: "active" },
    { user_id: "bob", ...inNorth, role_id: "clerk" },
    { user_id: "cal", ...inNorth, role_id: "bare" },
    { user_id: "dee", ...inNorth, role_id: "bare" },
    { user_id: "ivy", team_id: "north", role_id: "member", status: "invited" },
    { user_id: "sue", team_id: "north", role_id: "administrator", status: "suspended" },
  ],
  team_p_sets: [{ team_id: "north", permission_set_id: "team" }],
  role_p_sets: [
    { role_id: "member", permission_set_id: "basics" },
    { role_id: "clerk", permission_set_id: "clerking" },
    { role_id: "spare", permission_set_id: "clerking" },
  ],
  campaign_team_sets: [{ ...inLakes, permission_set_id: "lake" }],
  campaign_user_roles_team: [
    { user_id: "cal", ...inLakes, role_id: "clerk" },
    { user_id: "ivy", ...inLakes, role_id: "clerk" },
  ],
  campaign_user_team_sets: [
    { user_id: "dee", ...inLakes, permission_set_id: "direct" },
    { user_id: "ivy", ...inLakes, permission_set_id: "direct" },
  ],
};

// `@name` stands for the id under which a user, role or permission set is stored.
const sqlOf = (statement: string) => statement.replace(/@(\w+)/g, (_, name: string) => `'${uuidOf(name)}'`);

async function placesOf(name: string) {
  const [row] = await session.sql("select public.permission_places($1::uuid) as places", [uuidOf(name)]);
  return row;
}

describe("a change notes exactly", () => {
  type Case = [what: string, noted: string[], near: string, statement: string];
  const everyone = ["ada", "bob", "cal", "dee", "max", "meg", "mia"];

  const cases: Record<Watched | "a row that others refer to" | "several tables at once", Case[]> = {
    team_users: [
      [
        "insert, active",
        ["zoe"],
        "max",
        "insert into team_users (user_id, team_id, role_id, status) values (@zoe, 'north', @member, 'active')",
      ],
      [
        "insert, invited",
        [],
        "zoe",
        "insert into team_users (user_id, team_id, role_id, status) values (@zoe, 'north', @member, 'invited')",
      ],
      ["update of a role", ["max"], "mia", "update team_users set role_id = @clerk where user_id = @max"],
      [
        "update, active to suspended",
        ["max"],
        "bob",
        "update team_users set status = 'suspended' where user_id = @max",
      ],
      ["update, invited to active", ["ivy"], "max", "update team_users set status = 'active' where user_id = @ivy"],
      ["update, suspended to active", ["sue"], "ada", "update team_users set status = 'active' where user_id = @sue"],
      ["update, invited to suspended", [], "ivy", "update team_users set status = 'suspended' where user_id = @ivy"],
      [
        "update of the role of one who is suspended",
        [],
        "sue",
        "update team_users set role_id = @bare where user_id = @sue",
      ],
      ["update of the user", ["max", "zoe"], "mia", "update team_users set user_id = @zoe where user_id = @max"],
      ["update of the row's own id", [], "max", "update team_users set id = gen_random_uuid()"],
      ["delete", ["max"], "bob", "delete from team_users where user_id = @max"],
      ["delete of an invitation", [], "ivy", "delete from team_users where user_id = @ivy"],
    ],
    roles: [
      ["insert", [], "ada", "insert into roles (name, scope) values ('Chief', 'inherit_team')"],
      ["update of the scope", ["max", "mia"], "ivy", "update roles set scope = 'inherit_team' where id = @member"],
      [
        "update of the scope, which a role in a campaign does not give",
        ["bob"],
        "cal",
        "update roles set scope = 'inherit_team' where id = @clerk",
      ],
      ["update of the name", [], "max", "update roles set name = 'New name ' || name"],
      ["delete of one that nobody holds", [], "bob", "delete from roles where id = @spare"],
    ],
    team_p_sets: [
      ["insert", ["ada"], "meg", "insert into team_p_sets (team_id, permission_set_id) values ('north', @unused)"],
      ["update of the set", ["ada"], "max", "update team_p_sets set permission_set_id = @unused"],
      ["update of the team", ["ada", "meg"], "mia", "update team_p_sets set team_id = 'south'"],
      ["delete", ["ada"], "sue", "delete from team_p_sets where team_id = 'north'"],
    ],
    role_p_sets: [
      [
        "insert",
        ["bob", "cal"],
        "ivy",
        "insert into role_p_sets (role_id, permission_set_id) values (@clerk, @unused)",
      ],
      [
        "insert for a role of administrators, who do not have its sets",
        [],
        "ada",
        "insert into role_p_sets (role_id, permission_set_id) values (@administrator, @unused)",
      ],
      [
        "update of the role",
        ["bob", "cal", "max", "mia"],
        "dee",
        "update role_p_sets set role_id = @clerk where role_id = @member",
      ],
      [
        "update of the set",
        ["max", "mia"],
        "bob",
        "update role_p_sets set permission_set_id = @unused where role_id = @member",
      ],
      ["delete", ["bob", "cal"], "max", "delete from role_p_sets where role_id = @clerk"],
    ],
    permission_set_keys: [
      [
        "insert",
        ["dee"],
        "ivy",
        "insert into permission_set_keys (permission_set_id, key) values (@direct, 'voters.search')",
      ],
      [
        "insert into a set that nobody has",
        [],
        "ada",
        "insert into permission_set_keys (permission_set_id, key) values (@unused, 'voters.search')",
      ],
      [
        "update of the key",
        ["bob", "cal"],
        "max",
        "update permission_set_keys set key = 'signatures.view' where permission_set_id = @clerking",
      ],
      [
        "delete from a set of a team",
        ["ada"],
        "sue",
        "delete from permission_set_keys where permission_set_id = @team",
      ],
      [
        "delete from a set of a campaign",
        ["ada"],
        "meg",
        "delete from permission_set_keys where permission_set_id = @lake",
      ],
    ],
    campaign_user_roles_team: [
      [
        "insert",
        ["max"],
        "cal",
        "insert into campaign_user_roles_team (user_id, team_id, campaign_id, role_id) values (@max, 'north', 'lakes', @clerk)",
      ],
      [
        "insert for an administrator, to whom it opens the campaign",
        ["ada"],
        "bob",
        "insert into campaign_user_roles_team (user_id, team_id, campaign_id, role_id) values (@ada, 'north', 'roads', @clerk)",
      ],
      ["update", ["cal"], "ivy", "update campaign_user_roles_team set role_id = @member where role_id = @clerk"],
      ["delete", ["cal"], "ivy", "delete from campaign_user_roles_team where campaign_id = 'lakes'"],
    ],
    campaign_user_team_sets: [
      [
        "insert",
        ["max"],
        "dee",
        `insert into campaign_user_team_sets (user_id, team_id, campaign_id, permission_set_id)
         values (@max, 'north', 'lakes', @direct)`,
      ],
      [
        "update",
        ["dee"],
        "ivy",
        "update campaign_user_team_sets set permission_set_id = @unused where campaign_id = 'lakes'",
      ],
      ["delete", ["dee"], "ivy", "delete from campaign_user_team_sets where campaign_id = 'lakes'"],
    ],
    campaign_team: [
      ["insert", ["ada"], "max", "insert into campaign_team (team_id, campaign_id) values ('north', 'roads')"],
      ["update", ["ada"], "cal", "update campaign_team set campaign_id = 'roads' where team_id = 'north'"],
      ["delete", ["ada"], "meg", "delete from campaign_team where team_id = 'north'"],
    ],
    campaign_team_sets: [
      [
        "insert",
        ["ada"],
        "meg",
        "insert into campaign_team_sets (team_id, campaign_id, permission_set_id) values ('north', 'lakes', @unused)",
      ],
      ["update", ["ada"], "sue", "update campaign_team_sets set permission_set_id = @unused"],
      ["delete", ["ada"], "dee", "delete from campaign_team_sets where team_id = 'north'"],
    ],
    "a row that others refer to": [
      ["delete of a user", ["max"], "mia", "delete from auth.users where id = @max"],
      ["delete of a team", ["ada", "bob", "cal", "dee", "max"], "mia", "delete from teams where id = 'north'"],
      ["delete of a campaign", ["ada", "cal", "dee", "meg"], "max", "delete from campaigns where id = 'lakes'"],
      ["delete of a permission set", ["bob", "cal"], "max", "delete from permission_sets where id = @clerking"],
      ["delete of a permission key", ["max", "mia"], "ivy", "delete from permission_keys where key = 'voters.search'"],
      ["a key's new name", ["dee"], "ivy", "update permission_keys set key = 'charts.look' where key = 'charts.view'"],
      ["a key's new description", [], "max", "update permission_keys set description = 'New'"],
      ["a set's new name", [], "max", "update permission_sets set name = 'New name ' || name, description = 'New'"],
    ],
    "several tables at once": [
      [
        "a role loses a set, and that set its key",
        ["bob", "cal"],
        "max",
        `with a as (delete from role_p_sets where role_id = @clerk)
         delete from permission_set_keys where permission_set_id = @clerking`,
      ],
      [
        "a member leaves, and her role loses its sets",
        ["bob", "cal"],
        "dee",
        "with a as (delete from team_users where user_id = @bob) delete from role_p_sets where role_id = @clerk",
      ],
      [
        "an administrator becomes a member, and the team loses its bundle",
        ["ada"],
        "max",
        "with a as (update team_users set role_id = @bare where user_id = @ada) delete from team_p_sets",
      ],
      [
        "a user without a team gets one, a role and a set in a campaign",
        ["zoe"],
        "cal",
        `with
           a as (insert into team_users (user_id, team_id, role_id, status) values (@zoe, 'north', @bare, 'active')),
           b as (insert into campaign_user_team_sets (user_id, team_id, campaign_id, permission_set_id)
             values (@zoe, 'north', 'lakes', @direct))
         insert into campaign_user_roles_team (user_id, team_id, campaign_id, role_id)
         values (@zoe, 'north', 'lakes', @clerk)`,
      ],
    ],
  };

  describe.each(Object.entries(cases))("for %s", (_table, rows) => {
    test.each(rows)("%s: %j, and not the unaffected %s", async (_what, expected, near, statement) => {
      await inQuietWorld(session, base, async () => {
        const before = await placesOf(near);
        await session.sql("set local search_path = public");
        await session.sql(sqlOf(statement));
        expect([...new Set(await noted())]).toEqual(expected);
        expect(expected).not.toContain(near);
        expect(await placesOf(near)).toEqual(before);
      });
    });
  });

  test.each(watchedTables)("for an update of %s that leaves all as it is: nobody", async (table) => {
    await inQuietWorld(session, base, async () => {
      await session.sql(`update public.${table} set ${columnsOf(table).map((column) => `${column} = ${column}`)}`);
      expect(await noted()).toEqual([]);
    });
  });

  test.each(watchedTables)("for a truncate of %s: everyone who is active", async (table) => {
    await inQuietWorld(session, base, async () => {
      await session.sql(`truncate public.${table} cascade`);
      expect([...new Set(await noted())]).toEqual(everyone);
    });
  });

  test("the 3000 members with a role, each once, in one statement", async () => {
    await inQuietWorld(session, base, async () => {
      await session.sql(
        "insert into auth.users (id, email) select md5('many ' || n)::uuid, n || '@many.test' from generate_series(1, 3000) n",
      );
      await session.sql(
        sqlOf(`insert into public.team_users (user_id, team_id, role_id, status)
          select md5('many ' || n)::uuid, 'south', @spare, 'active' from generate_series(1, 3000) n`),
      );
      await session.sql("delete from public.permission_changes");
      await session.sql(
        sqlOf(
          "insert into public.role_p_sets (role_id, permission_set_id) values (@spare, @unused), (@spare, @basics)",
        ),
      );
      const [counted] = await session.sql(
        `select count(*)::int as notes, count(distinct n.user_id)::int as users, count(m.user_id)::int as members
         from public.permission_changes n
         left join public.team_users m on m.user_id = n.user_id and m.role_id = $1::uuid`,
        [uuidOf("spare")],
      );
      expect(counted).toEqual({ notes: 3000, users: 3000, members: 3000 });
    });
  });
});

// ── Notes ────────────────────────────────────────────────────────────────────────────────────────────────────────────

describe("notes", () => {
  const suspendMax = sqlOf("update public.team_users set status = 'suspended' where user_id = @max");

  test("are undone with their change", async () => {
    await inQuietWorld(session, base, async () => {
      await session.sql("savepoint before_change");
      await session.sql(suspendMax);
      expect(await noted()).toEqual(["max"]);
      await session.sql("rollback to savepoint before_change");
      expect(await noted()).toEqual([]);
    });
    expect(await noted()).toEqual([]);
  });

  test("are not left by a statement that fails", async () => {
    await inQuietWorld(session, base, async () => {
      const both = sqlOf(`insert into public.team_p_sets (team_id, permission_set_id)
        values ('north', @unused), ('nowhere', @unused)`);
      expect(await attempt(both)).toBe(false);
      expect(await noted()).toEqual([]);
    });
  });

  test("are written whoever makes the change, also for one who may not write them", async () => {
    await inQuietWorld(session, base, async () => {
      await session.sql("set local role service_role");
      await session.sql(suspendMax);
      await session.sql("reset role");
      expect(await noted()).toEqual(["max"]);
    });
  });

  describe("over REST", () => {
    const notes = [1, 2, 3, 4, 5].map((id) => ({ id, user_id: uuidOf(id > 3 ? "ann" : `noted-${id}`) }));
    const stored = () => session.sql("select id::int, user_id from public.permission_changes order by id");
    const pending = (p_limit: number) =>
      database.rest("rpc/pending_permission_changes", { as: "service", body: { p_limit } });

    // Five notes, of which the last two are about the same user.
    const writeNotes = async () => {
      await session.sql("delete from public.permission_changes");
      await session.sql(
        `insert into public.permission_changes (id, user_id) overriding system value
         select r.id, r.user_id from jsonb_to_recordset($1::text::jsonb) r (id bigint, user_id uuid)`,
        [JSON.stringify(notes)],
      );
    };

    test("are given oldest first, as many as asked for, each user once", async () => {
      await writeNotes();
      const given = z.object({ ids: z.array(z.number()), userIds: z.array(z.string()) });
      const sorted = async (limit: number) => {
        const { ids, userIds } = given.parse((await pending(limit)).body);
        return { ids: ids.sort(), userIds: userIds.sort() };
      };
      const expected = (...rows: typeof notes) => ({
        ids: rows.map(({ id }) => id),
        userIds: [...new Set(rows.map(({ user_id }) => user_id))].sort(),
      });
      expect(await pending(0)).toEqual({ status: 200, body: { ids: [], userIds: [] } });
      expect(await sorted(2)).toEqual(expected(...notes.slice(0, 2)));
      expect(await sorted(100)).toEqual(expected(...notes));
      expect(await stored()).toEqual(notes);
    });

    test("are deleted by id: what is older and not named stays", async () => {
      await writeNotes();
      const body = { p_ids: [2, 4, 99] };
      const answer = await database.rest("rpc/delete_permission_changes", { as: "service", body });
      expect(answer.status).toBeLessThan(300);
      expect(await stored()).toEqual(notes.filter(({ id }) => id !== 2 && id !== 4));
    });
  });
});
