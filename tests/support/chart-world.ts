import { afterEach, expect, vi } from "vitest";
import type { ChartDefinition } from "../../lib/charts/definition/definition.ts";
import { type FormSubmit, initialFormState } from "../../lib/forms/form-state.ts";
import { emptyWorld, insertWorld } from "./access-world.ts";
import { caller } from "./caller.ts";
import { openSqlSession } from "./sql-session.ts";
import { type Person, setUpEnv, setUpTestDatabase, type TestDatabase } from "./test-database.ts";

/**
 * Stores the teams below in a database, and serves it over HTTP to the application, which has no Redis. `signIn` sets the
 * `caller`, with the permissions stored in the database.
 */
export async function setUpChartWorld(settings: Record<string, string> = {}) {
  const database = await setUpTestDatabase();
  setUpEnv({ ...(await database.serve()), REDIS_URL: "redis://127.0.0.1:1", ...settings });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  const person = await makeChartWorld(database);
  askSnapshotsOf(database);
  const signIn = (name: string | null) => {
    caller.session =
      name === null ? null : { userId: person(name).id, email: `${name}@people.test`, accessToken: person(name).token };
  };
  return { database, person, signIn };
}

/** Gives the `caller` the snapshots that the edge function would read from a database. */
export function askSnapshotsOf(database: TestDatabase): void {
  caller.snapshot = async (userId, { team, campaign }) => {
    const [row] = await database.sql<{ snapshot: unknown }>(
      "select public.permissions_snapshot($1, $2, $3) as snapshot",
      [userId, team ?? null, campaign ?? null],
    );
    return row?.snapshot;
  };
}

/**
 * Teams north and south share the campaign lakes; rivers is only north's. `ann` administers north with every key; `dan`
 * administers south. `ben` has charts.view and signatures.view only in lakes. `cleo` is a member of north without a campaign.
 * `eve` is a suspended administrator of north.
 */
async function makeChartWorld(database: TestDatabase) {
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
    if (!person) throw new Error(`No one is called ${name}.`);
    return person;
  };
}

/** Inserts live lines of these counties on a new sheet, with the numbers 1, 2 … */
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

/** A definition of the builder: the number of signatures per county. */
export const countsByCounty: ChartDefinition = {
  name: "By county",
  kind: "bar",
  source: "signatures",
  groupBy: "county",
  metrics: [{ key: "n", aggregation: "count" }],
  filters: [],
};

type ChartQuestion = { source: string; team?: string | null; campaign?: string | null; actorId?: string | null };

/** What the database returns for a definition: its result, or what is `refused`. */
export async function aggregate(
  database: TestDatabase,
  { source, team = "north", campaign = "lakes", actorId = null }: ChartQuestion,
  { groupBy = "", metrics = [], filters = [] }: { groupBy?: string; metrics?: unknown; filters?: unknown } = {},
): Promise<unknown> {
  const place = { p_actor_id: actorId, p_source: source, p_team_id: team, p_campaign_id: campaign };
  const body = { ...place, p_group_by: groupBy, p_metrics: metrics, p_filters: filters };
  const response = await database.rest("rpc/aggregate_chart", { as: "service", body });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return response.body;
}

type Handler = { POST: (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response> };

/** Posts to a route as a page of Signet does; `at` has the parameters of its path. */
export async function postTo({ POST }: Handler, params: Record<string, string>, body?: object) {
  const request = new Request("http://signet.test/", {
    method: "POST",
    headers: { host: "signet.test", "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const response = await POST(request, { params: Promise.resolve(params) });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

/** Sends a form with these fields to a server action. */
export function sendForm(action: FormSubmit, fields: Record<string, string>) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return action(initialFormState, form);
}

type ChartRow = {
  name?: string;
  team_id?: string;
  campaign_id?: string | null;
  source?: string;
  group_by?: string;
  metrics?: unknown;
  filters?: unknown;
  display?: unknown;
  data?: unknown;
};

/** Stores a chart in SQL with any definition; returns its id. */
export async function addChart(database: TestDatabase, row: ChartRow = {}): Promise<string> {
  const { groupBy, ...chart } = countsByCounty;
  const whole = { team_id: "north", campaign_id: "lakes", ...chart, group_by: groupBy, ...row };
  const [stored] = await database.sql<{ id: string }>(
    `insert into public.charts (team_id, campaign_id, name, kind, source, group_by, metrics, filters, display, data)
     select team_id, campaign_id, name, kind, source, group_by, metrics, filters, display, data
     from jsonb_populate_record(null::public.charts, $1::text::jsonb)
     returning id`,
    [JSON.stringify(whole)],
  );
  return stored?.id ?? "";
}

/** Generates a chart while someone else changes it: the lock on lines delays the computation until the change is made. */
export async function changeWhileComputing<T>(
  database: TestDatabase,
  { id, change, generate }: { id: string; change: string; generate: () => Promise<T> },
): Promise<T> {
  const other = await openSqlSession(database);
  await other.sql("begin; lock public.lines");
  const waiting = `select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.relation = 'public.lines'::regclass and not l.granted`;
  const changeIt = async () => {
    await vi.waitFor(async () => expect(await other.sql(waiting)).toHaveLength(1), 10_000);
    await other.sql(`update public.charts set ${change} where id = '${id}'; commit`);
  };
  try {
    const [generated] = await Promise.all([generate(), changeIt()]);
    return generated;
  } finally {
    await other.close();
  }
}
