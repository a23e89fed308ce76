import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { emptyWorld, insertWorld, type World } from "../../support/access-world.ts";
import { inDrill } from "../../support/in-drill.ts";
import { openTestDatabase, type Person, type TestDatabase } from "../../support/test-database.ts";

type Row = Record<string, unknown>;

/** What someone may reach, written by hand. What she reads follows from it by the table below. */
type Access = {
  teams: string[];
  /** `team/campaign` */
  campaigns: string[];
  /** The teams in which she holds `members.view` or `roles.manage`. */
  managed: string[];
  /** The teams in which she holds `members.manage`. */
  manages?: string[];
  /** `team/campaign` where she holds `signatures.view`. */
  views?: string[];
  /** `team/campaign` where she holds `signatures.enter`. */
  enters?: string[];
};
type Reader = Access & { person: Person };
type Readable = "nobody" | ((row: Row, reader: Reader) => boolean);

// Who reads what over REST (contract 10). A table of `public` that is not here fails a test.
const readable: Record<string, Readable> = {
  teams: (row, { teams }) => teams.some((id) => id === row.id),
  campaigns: (row, { campaigns }) => campaigns.some((place) => place.endsWith(`/${row.id}`)),
  campaign_team: (row, { campaigns }) => campaigns.includes(`${row.team_id}/${row.campaign_id}`),
  team_search_profiles: "nobody",
  profiles: (row, { person }) => row.user_id === person.id,
  roles: builtInOrManaged,
  permission_keys: () => true,
  permission_sets: builtInOrManaged,
  permission_set_keys: (row, reader) => rowsWith("permission_sets", row.permission_set_id).some(isReadBy(reader)),
  team_users: ownOrManaged,
  team_p_sets: managed,
  role_p_sets: (row, reader) =>
    rowsWith("roles", row.role_id).some(isReadBy(reader)) &&
    rowsWith("permission_sets", row.permission_set_id).some(isReadBy(reader)),
  campaign_team_sets: managed,
  campaign_user_roles_team: ownOrManaged,
  campaign_user_team_sets: ownOrManaged,
  permission_changes: "nobody",
  sheets: (row, reader) => viewed(row, reader) || entered(row, reader, row.opened_by),
  lines: (row, reader) => viewed(row, reader) || entered(row, reader, row.entered_by),
  line_changes: (row, reader) =>
    viewed(row, reader) || rowsWith("lines", row.line_id).some((line) => entered(row, reader, line.entered_by)),
  signer_changes: "nobody",
  charts: "nobody",
  dashboards: "nobody",
  audit_log: administered,
  invitations: administered,
  access_requests: (row, reader) => row.user_id === reader.person.id || administered(row, reader),
};

function administered(row: Row, { manages = [] }: Reader) {
  return manages.some((team) => team === row.team_id);
}

// What policies decide about, and columns that may be given another value. Nobody may try anything else.
const written: Record<string, { methods: string[]; columns: string[] }> = {
  access_requests: { methods: ["PATCH"], columns: ["closed_at"] },
  campaign_team: { methods: ["POST", "DELETE"], columns: [] },
  campaign_team_sets: { methods: ["POST", "DELETE"], columns: [] },
  campaign_user_roles_team: { methods: ["POST", "PATCH", "DELETE"], columns: ["role_id"] },
  campaign_user_team_sets: { methods: ["POST", "DELETE"], columns: [] },
  campaigns: {
    methods: ["POST", "PATCH"],
    columns: [
      ...["archived_at", "ends_on", "lines_per_sheet", "name", "search_profile", "signature_goal", "starts_on"],
      "team_id",
    ],
  },
  invitations: { methods: ["POST", "PATCH"], columns: ["revoked_at"] },
  permission_set_keys: { methods: ["POST", "DELETE"], columns: [] },
  permission_sets: { methods: ["POST", "PATCH", "DELETE"], columns: ["description", "name"] },
  role_p_sets: { methods: ["POST", "DELETE"], columns: [] },
  roles: { methods: ["POST", "PATCH", "DELETE"], columns: ["name"] },
  team_p_sets: { methods: ["POST", "DELETE"], columns: [] },
  team_users: { methods: ["PATCH", "DELETE"], columns: ["role_id", "status"] },
  teams: { methods: ["PATCH"], columns: ["lines_per_sheet", "locale", "name", "time_zone"] },
};

function viewed(row: Row, { views = [] }: Reader) {
  return views.includes(`${row.team_id}/${row.campaign_id}`);
}

function entered(row: Row, { enters = [], person }: Reader, by: unknown) {
  return by === person.id && enters.includes(`${row.team_id}/${row.campaign_id}`);
}

function managed(row: Row, reader: Reader) {
  return reader.managed.some((team) => team === row.team_id);
}

function ownOrManaged(row: Row, reader: Reader) {
  return row.user_id === reader.person.id || managed(row, reader);
}

function builtInOrManaged(row: Row, reader: Reader) {
  return row.team_id === null || managed(row, reader);
}

function isReadBy(reader: Reader) {
  return (row: Row) => builtInOrManaged(row, reader);
}

function rowsWith(table: string, id: unknown) {
  return (stored[table] ?? []).filter((row) => row.id === id);
}

const accesses: Record<string, Access> = {
  outsider: { teams: [], campaigns: [], managed: [] },
  "north-invited": { teams: [], campaigns: [], managed: [] },
  "north-suspended": { teams: [], campaigns: [], managed: [] },
  "north-member": { teams: ["north"], campaigns: ["north/lakes", "north/north-own"], managed: [] },
  "north-campaign-viewer": { teams: ["north"], campaigns: ["north/lakes"], managed: [] },
  "north-viewer": { teams: ["north"], campaigns: [], managed: ["north"] },
  "north-manager": { teams: ["north"], campaigns: [], managed: [], manages: ["north"] },
  "south-manager": { teams: ["south"], campaigns: [], managed: [], manages: ["south"] },
  "north-keeper": { teams: ["north"], campaigns: [], managed: ["north"] },
  "north-administrator": {
    teams: ["north"],
    campaigns: ["north/lakes", "north/north-own"],
    managed: ["north"],
  },
  "south-member": { teams: ["south"], campaigns: ["south/lakes", "south/south-own"], managed: [] },
  "south-administrator": {
    teams: ["south"],
    campaigns: ["south/lakes", "south/south-own"],
    managed: ["south"],
  },
  // Has lines of her own in both campaigns, and enters in one of them.
  "north-clerk": {
    teams: ["north"],
    campaigns: ["north/lakes", "north/north-own"],
    managed: [],
    enters: ["north/lakes"],
  },
  "north-reader": { teams: ["north"], campaigns: ["north/lakes"], managed: [], views: ["north/lakes"] },
  "south-clerk": {
    teams: ["south"],
    campaigns: ["south/lakes", "south/south-own"],
    managed: [],
    enters: ["south/lakes"],
  },
  "south-reader": { teams: ["south"], campaigns: ["south/lakes"], managed: [], views: ["south/lakes"] },
  "member of north, viewer of south": {
    teams: ["north", "south"],
    campaigns: ["north/lakes"],
    managed: ["south"],
  },
};

let database: TestDatabase;
let tables: string[];
/** `table.column`, where a value in a request is an error of its own. */
let generated: Set<string>;
let stored: Record<string, Row[]>;
const readers = new Map<string, Reader>();

beforeAll(async () => {
  database = await openTestDatabase();
  for (const [number, [name, access]] of Object.entries(accesses).entries()) {
    readers.set(name, { ...access, person: await database.signUp(`person-${number}`) });
  }
  const userIds = new Map([...readers].map(([name, { person }]) => [name, person.id]));
  for (const world of [builtIn, team("north"), team("south"), memberOfBoth]) {
    await insertWorld(database, world, userIds);
  }
  for (const team of ["north", "south"]) {
    for (const campaign of ["lakes", `${team}-own`]) {
      for (const clerk of [`${team}-clerk`, `${team}-member`, `${team}-reader`]) {
        await insertLines({ team, campaign, clerk });
      }
    }
    for (const [campaign, deletedAt] of [
      ["lakes"],
      [`${team}-own`],
      [null],
      ["lakes", "now"],
      [null, "now"],
    ] as const) {
      await database.sql(
        `insert into public.charts (team_id, campaign_id, name, kind, source, deleted_at)
         values ($1, $2, 'Signatures', 'number', 'signatures', $3)`,
        [team, campaign, deletedAt ?? null],
      );
    }
  }
  await database.sql("insert into public.team_search_profiles values ('north', 'NY'), ('south', 'OH')");
  await database.sql("insert into public.dashboards (team_id, campaign_id) values ('north', 'lakes'), ('south', null)");
  for (const [name, { person }] of readers) {
    const team = name.slice(0, 5);
    await database.sql(
      "insert into public.access_requests (user_id, team_id, key) select user_id, team_id, 'charts.view' from public.team_users where user_id = $1 and team_id = $2",
      [person.id, team],
    );
    if (name.endsWith("-manager")) {
      await database.sql(
        "insert into public.invitations (team_id, email, role_id, invited_by) select $1, 'new@people.test', id, $2 from public.roles where name = 'Member'",
        [team, person.id],
      );
    }
  }
  const relations = await database.sql<{ name: string }>(
    `select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f') order by relname`,
  );
  tables = relations.map(({ name }) => name);
  const columns = await database.sql<{ name: string }>(
    `select c.relname || '.' || a.attname as name from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and (a.attidentity = 'a' or a.attgenerated <> '')`,
  );
  generated = new Set(columns.map(({ name }) => name));
  stored = await storedRows();
});
afterAll(() => database.close());

describe("reading", () => {
  test("is stated for every table", () => {
    expect(Object.keys(readable).sort()).toEqual(tables);
  });

  test("is tested with rows that somebody reads and rows that somebody does not", () => {
    const readers = everyReader();
    for (const [table, mayRead] of Object.entries(readable)) {
      const seen = (stored[table] ?? []).map((row) =>
        readers.filter((reader) => mayRead !== "nobody" && mayRead(row, reader)),
      );
      expect(seen.length, `rows of ${table}`).toBeGreaterThan(0);
      if (mayRead === "nobody") continue;
      expect(
        seen.some((by) => by.length > 0),
        `${table}: some row is read by someone`,
      ).toBe(true);
      if (table !== "permission_keys") {
        expect(
          seen.some((by) => by.length < readers.length),
          `${table}: not every row is read by all`,
        ).toBe(true);
      }
    }
  });

  test.each(Object.keys(accesses))("%s reads what the design says, and nothing else", async (name) => {
    const reader = readerNamed(name);
    for (const [table, mayRead] of Object.entries(readable)) {
      const answer = await database.rest(`${table}?select=*`, { as: reader.person });
      expect({ ...answer, body: inOrder(answer.body) }, table).toEqual(
        mayRead === "nobody"
          ? denied(403, `table ${table}`)
          : { status: 200, body: inOrder((stored[table] ?? []).filter((row) => mayRead(row, reader))) },
      );
    }
  });

  test("is nothing for strangers", async () => {
    for (const table of tables) {
      expect(await database.rest(`${table}?select=*`), table).toEqual(denied(401, `table ${table}`));
    }
  });

  test("does not reach beyond a person's rows by embedding", async () => {
    const { person } = readerNamed("north-member");
    const answer = await database.rest("teams?select=id,team_users(user_id)", { as: person });
    expect(answer).toEqual({ status: 200, body: [{ id: "north", team_users: [{ user_id: person.id }] }] });
  });
});

describe("writing", () => {
  // With their keys, these write in their own team: tests/integration/administration.
  const mayWrite = ["north-manager", "north-keeper", "north-administrator", "south-manager", "south-administrator"];

  const somebody = ["outsider", "north-campaign-viewer", "north-clerk", "member of north, viewer of south"];
  const writers = inDrill(Object.keys(accesses), { else: [...somebody, "north-administrator"] });

  test.each(["stranger", ...writers])("%s may not try what no policy decides about", async (name) => {
    const status = name === "stranger" ? 401 : 403;
    for (const { table, method, answer } of await tryAll(name, (table, method) => !mayTry(name, table, method))) {
      expect(answer, `${method} ${table}`).toEqual(denied(status, `table ${table}`));
    }
    expect(await storedRows()).toEqual(stored);
  });

  test.each(writers.filter((name) => !mayWrite.includes(name)))(
    "%s changes nothing by what a policy decides about",
    async (name) => {
      for (const { table, method, answer } of await tryAll(name, (table, method) => mayTry(name, table, method))) {
        expect(answer.status === 403 || answer.status === 204, `${method} ${table}: ${answer.status}`).toBe(true);
      }
      expect(await storedRows()).toEqual(stored);
    },
  );

  function mayTry(name: string, table: string, method: string) {
    return name !== "stranger" && written[table]?.methods.includes(method) === true;
  }

  // Each method on a row of each table, as far as it is chosen; none that is her own, for a team can be left.
  async function tryAll(name: string, isChosen: (table: string, method: string) => boolean) {
    const as = name === "stranger" ? name : readerNamed(name).person;
    const ownId = as === "stranger" ? "" : as.id;
    const tried = [];
    for (const table of tables) {
      for (const row of (stored[table] ?? []).filter(({ user_id }) => user_id !== ownId).slice(0, 1)) {
        const changed = written[table]?.columns ?? [];
        const full = Object.fromEntries(Object.entries(row).filter(([name]) => !generated.has(`${table}.${name}`)));
        const part = Object.fromEntries(changed.map((column) => [column, row[column]]));
        const [column = "", value] = Object.entries(row)[0] ?? [];
        const one = `${table}?${column}=eq.${encodeURIComponent(String(value))}`;
        for (const [method, path, body] of [
          ["POST", table, full],
          ["PATCH", one, changed.length > 0 ? part : full],
          ["DELETE", one, undefined],
        ] as const) {
          if (!isChosen(table, method)) continue;
          tried.push({ table, method, answer: await database.rest(path, { as, method, body }) });
        }
      }
    }
    return tried;
  }
});

describe("functions", () => {
  const calls = ["permission_grants", "permissions_snapshot", "permission_places"];

  test.each(calls)("%s cannot be called by strangers, nor by someone signed in for herself", async (name) => {
    const { person } = readerNamed("north-administrator");
    const body = { p_user_id: person.id };
    expect(await database.rest(`rpc/${name}`, { body })).toEqual(denied(401, `function ${name}`));
    expect(await database.rest(`rpc/${name}`, { as: person, body })).toEqual(denied(403, `function ${name}`));
  });

  test.each([
    ["permission_grants", [{ key: null, rule: 1, source: "team_users", permission_set_id: null }]],
    ["permissions_snapshot", { teamAccess: true, permissionKeys: [] }],
    [
      "permission_places",
      {
        teams: [
          {
            id: "north",
            name: "north",
            timeZone: "UTC",
            locale: "en-US",
            permissionKeys: ["charts.view", "members.view"],
            campaigns: [],
          },
        ],
      },
    ],
  ])("%s can be called by the service role", async (name, body) => {
    const p_user_id = readerNamed("north-viewer").person.id;
    expect(await database.rest(`rpc/${name}`, { as: "service", body: { p_user_id } })).toEqual({ status: 200, body });
  });

  test("of public are for the service role alone, but for those that run as the signed-in user or answer her alone", async () => {
    const open = await database.sql(
      `select p.proname as name, p.prosecdef as definer, has_function_privilege('anon', p.oid, 'execute') as strangers
       from pg_proc p where p.pronamespace = 'public'::regnamespace
       and (has_function_privilege('anon', p.oid, 'execute') or has_function_privilege('authenticated', p.oid, 'execute'))
       order by 1`,
    );
    expect(open).toEqual([
      { name: "accept_invitation", definer: true, strangers: false },
      { name: "ask_for_access", definer: true, strangers: false },
      { name: "change_access", definer: false, strangers: false },
      { name: "create_invitations", definer: false, strangers: false },
      { name: "preview_access_change", definer: false, strangers: false },
      { name: "resend_invitation", definer: false, strangers: false },
      { name: "team_activity", definer: false, strangers: false },
    ]);
  });

  test("of schema private are not shown by REST", async () => {
    const { person } = readerNamed("north-administrator");
    const headers = { "content-profile": "private" };
    const answer = await database.rest("rpc/granted", { as: person, body: {}, headers });
    expect(answer).toMatchObject({ status: 406, body: { code: "PGRST106", message: "Invalid schema: private" } });
  });
});

describe("the catalog", () => {
  test("has row level security on every table of public", async () => {
    const open = await database.sql(
      "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity",
    );
    expect(open).toEqual([]);
  });

  // Also holds of columns, and of views and sequences, which row level security does not reach.
  test("lets signed-in users read tables of public, write those that policies decide about, and strangers nothing", async () => {
    const privileges = await database.sql<{ role: string; table: string; privileges: string[] }>(
      `select a.role, c.oid::regclass::text as table, array_agg(p.privilege order by p.privilege) as privileges
       from pg_class c
       join pg_namespace n on n.oid = c.relnamespace,
         unnest(array['anon', 'authenticated']) a (role),
         unnest(array['INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER', 'SELECT']) p (privilege)
       where c.relkind in ('r', 'p', 'v', 'm', 'f')
         and n.nspname not in ('auth', 'pg_catalog', 'information_schema') and n.nspname not like 'supabase\\_%'
         and (has_table_privilege(a.role, c.oid, p.privilege)
           or p.privilege in ('SELECT', 'INSERT', 'UPDATE', 'REFERENCES')
             and has_any_column_privilege(a.role, c.oid, p.privilege))
       group by 1, 2`,
    );
    const privilegeOf: Record<string, string> = { POST: "INSERT", PATCH: "UPDATE", DELETE: "DELETE" };
    const expected = Object.entries(readable)
      .filter(([, mayRead]) => mayRead !== "nobody")
      .map(([table]) => ({
        role: "authenticated",
        table,
        privileges: ["SELECT", ...(written[table]?.methods ?? []).map((method) => privilegeOf[method] ?? "")].sort(),
      }));
    expect(privileges.sort(byText)).toEqual(expected.sort(byText));
  });

  test("lets them give other values to these columns alone", async () => {
    const updatable = await database.sql<{ table: string; columns: string[] }>(
      `select c.relname as table, array_agg(a.attname::text order by a.attname) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'v')
         and has_column_privilege('authenticated', c.oid, a.attnum, 'UPDATE')
       group by 1`,
    );
    expect(Object.fromEntries(updatable.map(({ table, columns }) => [table, columns]))).toEqual(
      Object.fromEntries(
        Object.entries(written)
          .filter(([, { columns }]) => columns.length > 0)
          .map(([table, { columns }]) => [table, columns]),
      ),
    );
  });

  test("has no policy for anyone but signed-in users", async () => {
    const others = await database.sql(
      "select tablename, policyname from pg_policies where schemaname = 'public' and roles::text <> '{authenticated}'",
    );
    expect(others).toEqual([]);
  });
});

const builtIn: World = {
  ...emptyWorld,
  campaigns: [{ id: "lakes" }],
  roles: [
    { id: "administrator", team_id: null, scope: "inherit_team" },
    { id: "member", team_id: null, scope: "assigned" },
  ],
  permission_sets: [{ id: "overview", team_id: null }],
  permission_set_keys: [{ permission_set_id: "overview", key: "campaign.view" }],
};

// The same in both teams, so that a policy that takes one for the other shows.
function team(id: string): World {
  const lakes = { team_id: id, campaign_id: "lakes" };
  const ownCampaign = { team_id: id, campaign_id: `${id}-own` };
  const withCampaignRows = ["member", "invited", "suspended", "clerk"].filter((name) => `${id}-${name}` in accesses);
  const membersAndRoles = {
    invited: "administrator",
    suspended: "administrator",
    administrator: "administrator",
    member: "member",
    "campaign-viewer": "member",
    clerk: "member",
    reader: "member",
    viewer: `${id}-viewer`,
    manager: `${id}-manager`,
    keeper: `${id}-keeper`,
  };
  return {
    ...emptyWorld,
    teams: [{ id }],
    campaigns: [{ id: `${id}-own` }, { id: `${id}-unused` }],
    campaign_team: [lakes, ownCampaign],
    roles: [
      { id: `${id}-viewer`, team_id: id, scope: "assigned" },
      { id: `${id}-keeper`, team_id: id, scope: "assigned" },
      { id: `${id}-manager`, team_id: id, scope: "assigned" },
    ],
    permission_sets: [
      { id: `${id}-view`, team_id: id },
      { id: `${id}-keep`, team_id: id },
      { id: `${id}-manage`, team_id: id },
      { id: `${id}-enter`, team_id: id },
      { id: `${id}-read`, team_id: id },
    ],
    permission_set_keys: [
      { permission_set_id: `${id}-view`, key: "members.view" },
      { permission_set_id: `${id}-view`, key: "charts.view" },
      { permission_set_id: `${id}-keep`, key: "roles.manage" },
      { permission_set_id: `${id}-manage`, key: "members.manage" },
      { permission_set_id: `${id}-enter`, key: "signatures.enter" },
      { permission_set_id: `${id}-read`, key: "signatures.view" },
    ],
    team_users: Object.entries(membersAndRoles)
      .filter(([name]) => `${id}-${name}` in accesses)
      .map(([name, role_id]) => ({
        user_id: `${id}-${name}`,
        team_id: id,
        role_id,
        status: name === "invited" || name === "suspended" ? name : "active",
      })),
    team_p_sets: [{ team_id: id, permission_set_id: `${id}-keep` }],
    role_p_sets: [
      { role_id: `${id}-viewer`, permission_set_id: `${id}-view` },
      { role_id: `${id}-keeper`, permission_set_id: `${id}-keep` },
      { role_id: `${id}-keeper`, permission_set_id: "overview" },
      { role_id: `${id}-manager`, permission_set_id: `${id}-manage` },
    ],
    campaign_team_sets: [{ ...lakes, permission_set_id: `${id}-view` }],
    campaign_user_roles_team: [
      ...withCampaignRows.map((name) => ({ user_id: `${id}-${name}`, ...lakes, role_id: "member" })),
      // Holds members.view in one campaign, which opens no list of the team.
      ...["campaign-viewer"]
        .filter((name) => `${id}-${name}` in accesses)
        .map((name) => ({ user_id: `${id}-${name}`, ...lakes, role_id: `${id}-viewer` })),
    ],
    campaign_user_team_sets: [
      ...withCampaignRows.map((name) => ({ user_id: `${id}-${name}`, ...ownCampaign, permission_set_id: "overview" })),
      { user_id: `${id}-clerk`, ...lakes, permission_set_id: `${id}-enter` },
      { user_id: `${id}-reader`, ...lakes, permission_set_id: `${id}-read` },
    ],
  };
}

const memberOfBoth: World = {
  ...emptyWorld,
  team_users: [
    { user_id: "member of north, viewer of south", team_id: "north", role_id: "member", status: "active" },
    { user_id: "member of north, viewer of south", team_id: "south", role_id: "south-viewer", status: "active" },
  ],
  campaign_user_roles_team: [
    { user_id: "member of north, viewer of south", team_id: "north", campaign_id: "lakes", role_id: "member" },
  ],
};

// A sheet, a live line, a removed one and a rejected one. Each clerk has a sheet and voters of her own.
async function insertLines({ team, campaign, clerk }: { team: string; campaign: string; clerk: string }) {
  const number = Object.keys(accesses).indexOf(clerk) + 1;
  const by = readerNamed(clerk).person.id;
  await database.sql("insert into public.sheets (team_id, campaign_id, number, opened_by) values ($1, $2, $3, $4)", [
    team,
    campaign,
    number,
    by,
  ]);
  await database.sql(
    `insert into public.lines (team_id, campaign_id, verdict, voter_id, sheet, entered_by, removed_at)
     values ($1, $2, 'accepted', $1 || '-' || $3::int, $3, $4, null),
       ($1, $2, 'accepted', $1 || '-' || $3::int, $3, $4, now()), ($1, $2, 'illegible', null, $3, $4, null)`,
    [team, campaign, number, by],
  );
  await database.sql(
    "update public.lines set line = 1 where team_id = $1 and campaign_id = $2 and sheet = $3 and verdict = 'illegible'",
    [team, campaign, number],
  );
}

function readerNamed(name: string): Reader {
  const reader = readers.get(name);
  if (reader === undefined) throw new Error(`Nobody is called ${name}.`);
  return reader;
}

function everyReader() {
  return [...readers.values()];
}

async function storedRows() {
  const read: Record<string, Row[]> = {};
  for (const table of tables) {
    const rows = await database.sql<{ row: Row }>(`select to_jsonb(t) as row from public.${table} t order by t::text`);
    read[table] = rows.map(({ row }) => row);
  }
  return read;
}

// Lite writes times with a blank, and without the minutes of the offset.
function inOrder(body: unknown) {
  if (!Array.isArray(body)) return body;
  const sameTimes = (_: string, value: unknown) =>
    typeof value === "string" ? value.replace(/^(\d{4}-\d\d-\d\d) ([\d:.]+\+00)$/, "$1T$2:00") : value;
  return body.map((row) => JSON.parse(JSON.stringify(row, sameTimes))).sort(byText);
}

function byText(one: Row, other: Row) {
  const text = (row: Row) => JSON.stringify(row, Object.keys(row).sort());
  return text(one) < text(other) ? -1 : 1;
}

function denied(status: number, what: string) {
  return { status, body: { code: "42501", details: null, hint: null, message: `permission denied for ${what}` } };
}
