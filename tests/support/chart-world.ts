import { afterAll, afterEach, beforeEach, expect, vi } from "vitest";
import { emptyWorld, insertWorld } from "./access-world.ts";
import { caller } from "./caller.ts";
import { openSqlSession } from "./sql-session.ts";
import { openTestDatabase, type Person, type TestDatabase } from "./test-database.ts";

/**
 * The world in a database of its own, served over HTTP. `env` points the application there, without Redis. `signIn` says who
 * is the `caller`, who may do what the same function of the database says that the edge function calls.
 */
export async function openChartWorld(settings: Record<string, string> = {}) {
  const database = await openTestDatabase();
  const env: Record<string, string> = { ...(await database.serve()), REDIS_URL: "redis://127.0.0.1:1", ...settings };
  const person = await makeChartWorld(database);
  caller.snapshot = async (userId, { team, campaign }) => {
    const [row] = await database.sql<{ snapshot: unknown }>(
      "select public.permissions_snapshot($1, $2, $3) as snapshot",
      [userId, team ?? null, campaign ?? null],
    );
    return row?.snapshot;
  };
  const signIn = (name: string | null) => {
    caller.session =
      name === null ? null : { userId: person(name).id, email: `${name}@people.test`, accessToken: person(name).token };
  };
  return { database, env, person, signIn };
}

/** The world of all tests of a file, as `openChartWorld` opens it: the application points there, and each mock ends with its test. */
export async function setUpChartWorld(settings: Record<string, string> = {}) {
  const world = await openChartWorld(settings);
  afterAll(() => world.database.close());
  beforeEach(() => {
    for (const [name, value] of Object.entries(world.env)) vi.stubEnv(name, value);
  });
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });
  return world;
}

/**
 * Teams north and south, both on the campaign lakes; rivers is north's alone. `ann` administers north and holds every
 * key, `ben` holds charts.view and signatures.view on lakes alone, `cleo` is a member of north who reaches no campaign,
 * `dan` administers south, `eve` is suspended as ann's like.
 */
export async function makeChartWorld(database: TestDatabase) {
  const people: Record<string, Person> = {};
  for (const name of ["ann", "ben", "cleo", "dan", "eve"]) people[name] = await database.signUp(name);
  const userIds = new Map(Object.entries(people).map(([name, { id }]) => [name, id]));
  const allKeys = await database.sql<{ key: string }>("select key from public.permission_keys");
  const place = { team_id: "north", campaign_id: "lakes" };
  await insertWorld(
    database,
    {
      ...emptyWorld,
      teams: [{ id: "north" }, { id: "south" }],
      campaigns: ["lakes", "rivers"].map((id) => ({ id, team_id: "north" })),
      campaign_team: [place, { team_id: "south", campaign_id: "lakes" }, { team_id: "north", campaign_id: "rivers" }],
      roles: [
        { id: "administrator", team_id: null, scope: "inherit_team" },
        { id: "member", team_id: null, scope: "assigned" },
      ],
      permission_sets: [
        { id: "everything", team_id: null },
        { id: "looking", team_id: null },
      ],
      permission_set_keys: [
        ...allKeys.map(({ key }) => ({ permission_set_id: "everything", key })),
        { permission_set_id: "looking", key: "charts.view" },
        { permission_set_id: "looking", key: "signatures.view" },
      ],
      team_users: [
        { user_id: "ann", team_id: "north", role_id: "administrator", status: "active" },
        { user_id: "ben", team_id: "north", role_id: "member", status: "active" },
        { user_id: "cleo", team_id: "north", role_id: "member", status: "active" },
        { user_id: "dan", team_id: "south", role_id: "administrator", status: "active" },
        { user_id: "eve", team_id: "north", role_id: "administrator", status: "suspended" },
      ],
      team_p_sets: ["north", "south"].map((team_id) => ({ team_id, permission_set_id: "everything" })),
      campaign_user_team_sets: [{ user_id: "ben", ...place, permission_set_id: "looking" }],
    },
    userIds,
  );
  return (name: string): Person => {
    const person = people[name];
    if (!person) throw new Error(`Nobody is called ${name}.`);
    return person;
  };
}

/** Inserts live lines: `counties` of north on lakes, on a sheet of their own with the numbers 1, 2 … */
export async function addSignatures(
  database: TestDatabase,
  { team = "north", campaign = "lakes", counties }: { team?: string; campaign?: string; counties: (string | null)[] },
) {
  await database.sql(
    `insert into public.lines (team_id, campaign_id, verdict, voter_id, county, sheet, line)
     select $1, $2, 'accepted', gen_random_uuid()::text, c.county,
       (select count(distinct l.sheet) + 1 from public.lines l where l.team_id = $1 and l.campaign_id = $2), c.line
     from unnest($3::text[]) with ordinality as c (county, line)`,
    [team, campaign, counties],
  );
}

type ChartRow = {
  team_id?: string;
  campaign_id?: string | null;
  source?: string;
  group_by?: string;
  metrics?: unknown;
  filters?: unknown;
  data?: unknown;
};

/** Stores a chart as an operator would, whatever its definition; answers its id. */
export async function addChart(database: TestDatabase, row: ChartRow = {}): Promise<string> {
  const chart = {
    team_id: "north",
    campaign_id: "lakes",
    name: "By county",
    kind: "bar",
    source: "signatures",
    group_by: "county",
    metrics: [{ key: "n", aggregation: "count" }],
    filters: [],
    ...row,
  };
  const [stored] = await database.sql<{ id: string }>(
    `insert into public.charts (team_id, campaign_id, name, kind, source, group_by, metrics, filters, data)
     select team_id, campaign_id, name, kind, source, group_by, metrics, filters, data
     from jsonb_populate_record(null::public.charts, $1::text::jsonb)
     returning id`,
    [JSON.stringify(chart)],
  );
  return stored?.id ?? "";
}

/** Generates a chart, which somebody else changes while it is computed: lines are read once she has done so. */
export async function changeWhileComputing<T>(
  database: TestDatabase,
  { id, change, generate }: { id: string; change: string; generate: () => Promise<T> },
): Promise<T> {
  const other = await openSqlSession(database);
  await other.sql("begin; lock public.lines");
  const waiting = `select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.relation = 'public.lines'::regclass and not l.granted`;
  const changeIt = async () => {
    await vi.waitFor(async () => expect(await other.sql(waiting)).toHaveLength(1));
    await other.sql(`update public.charts set ${change} where id = '${id}'; commit`);
  };
  try {
    const [generated] = await Promise.all([generate(), changeIt()]);
    return generated;
  } finally {
    await other.close();
  }
}
