import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { z } from "zod";
import { openSqlSession, type SqlSession } from "../../support/sql-session.ts";
import type { Person, TestDatabase } from "../../support/test-database.ts";

/** People of the demo, with their roles in a team and in its campaign `clean-water`. */
const people: Record<string, { team: string; role: string; campaign?: string; status?: string }> = {
  admin: { team: "riverside", role: "Administrator" },
  staff: { team: "riverside", role: "Office", campaign: "Campaign staff" },
  clerk: { team: "riverside", role: "Field team", campaign: "Signature clerk" },
  canvasser: { team: "riverside", role: "Field team", campaign: "Canvasser" },
  analyst: { team: "riverside", role: "Member", campaign: "Analyst" },
  suspended: { team: "riverside", role: "Field team", campaign: "Signature clerk", status: "suspended" },
  hill: { team: "hillside", role: "Administrator" },
};

export const demoNames = [...Object.keys(people), "outsider"];

export type AdministeredTeam = {
  /** Demo people who signed up, by the first part of their address. */
  people: Map<string, Person>;
  person(name: string): Person;
  /** Ids of the built-in roles and sets, by name. */
  roles: Record<string, string>;
  sets: Record<string, string>;
};

/** The teams, campaigns and people of the demo. Addresses end in `@people.test`. */
export async function makeAdministeredTeam(database: Pick<TestDatabase, "sql" | "signUp">): Promise<AdministeredTeam> {
  const signedUp = new Map<string, Person>();
  for (const name of demoNames) signedUp.set(name, await database.signUp(name));
  await database.sql("insert into public.teams (id, name) values ('riverside', 'Riverside'), ('hillside', 'Hillside')");
  await database.sql(
    "insert into public.campaigns (id, name, team_id) values ('clean-water', 'Clean water', 'riverside'), ('safe-streets', 'Safe streets', 'riverside'), ('open-parks', 'Open parks', 'riverside'), ('hill-only', 'Hill only', 'hillside')",
  );
  await database.sql(
    `insert into public.campaign_team (team_id, campaign_id) values ('riverside', 'clean-water'),
       ('riverside', 'safe-streets'), ('riverside', 'open-parks'), ('hillside', 'open-parks'), ('hillside', 'hill-only')`,
  );
  await database.sql(
    "insert into public.team_p_sets (team_id, permission_set_id) select t.id, s.id from public.teams t, public.permission_sets s",
  );
  await database.sql(
    `with people as (
       select p.*, r.id as role_id, c.id as campaign_role_id
       from jsonb_to_recordset($1::text::jsonb) p (id uuid, team text, role text, campaign text, status text)
       join public.roles r on r.name = p.role left join public.roles c on c.name = p.campaign
     ), members as (
       insert into public.team_users (user_id, team_id, role_id, status)
       select id, team, role_id, coalesce(status, 'active') from people returning user_id
     )
     insert into public.campaign_user_roles_team (user_id, team_id, campaign_id, role_id)
     select id, team, 'clean-water', campaign_role_id from people join members on user_id = id where campaign is not null`,
    [JSON.stringify(Object.entries(people).map(([name, person]) => ({ ...person, id: signedUp.get(name)?.id })))],
  );
  await database.sql("delete from public.permission_changes");
  const idsOf = async (table: string) => {
    const rows = await database.sql(`select id, name from public.${table} where team_id is null`);
    const named = z.array(z.object({ id: z.string(), name: z.string() })).parse(rows);
    return Object.fromEntries(named.map(({ id, name }) => [name, id]));
  };
  return {
    people: signedUp,
    person: (name) => {
      const person = signedUp.get(name);
      if (!person) throw new Error(`No one is called ${name}.`);
      return person;
    },
    roles: await idsOf("roles"),
    sets: await idsOf("permission_sets"),
  };
}

export const accessTables = [
  "teams",
  "campaigns",
  "campaign_team",
  "roles",
  "permission_sets",
  "permission_set_keys",
  "team_users",
  "team_p_sets",
  "role_p_sets",
  "campaign_team_sets",
  "campaign_user_roles_team",
  "campaign_user_team_sets",
];
const administeredTables = [...accessTables, "invitations", "access_requests", "audit_log", "permission_changes"];

/** All rows that administration can change, for comparison. */
export async function administeredRows(database: Pick<TestDatabase, "sql">, tables = administeredTables) {
  const [row] = await database.sql<{ rows: Record<string, unknown[]> }>(
    `select jsonb_build_object(${tables.map(
      (name) =>
        `'${name}', (select coalesce(jsonb_agg(to_jsonb(r) order by to_jsonb(r)::text), '[]') from public.${name} r)`,
    )}) as rows`,
  );
  return row?.rows ?? {};
}

/** The teams and people for the tests of a file, in SQL. After each test its changes are rolled back, but not `prepare`. */
export function administeredTeam(prepare: () => Promise<unknown> = async () => undefined) {
  let session: SqlSession;
  let team: AdministeredTeam;
  const sql: SqlSession["sql"] = (query, parameters) => session.sql(query, parameters);
  const signUp = async (name: string) => {
    const [row] = await sql<{ id: string }>(
      `insert into auth.users (id, email, email_confirmed_at, raw_user_meta_data)
       values (gen_random_uuid(), $1 || '@people.test', now(), jsonb_build_object('name', $1::text)) returning id`,
      [name],
    );
    return { id: row?.id ?? "", token: "" };
  };
  beforeAll(async () => {
    session = await openSqlSession();
    team = await makeAdministeredTeam({ sql, signUp });
    await prepare();
  });
  afterAll(() => session.close());
  beforeEach(() => session.sql("begin"));
  afterEach(() => session.sql("rollback"));

  const id = (name: string) => team.person(name).id;
  /** Calls a function for a person, and returns its answer. */
  const call = async (name: string, as: string, args: object): Promise<unknown> => {
    const isJson = (value: unknown) => typeof value === "object" && value !== null;
    const all: [string, unknown][] = Object.entries({ p_actor_id: id(as), ...args });
    const named = all.map(([key, value], index) => `${key} => $${index + 1}${isJson(value) ? "::text::jsonb" : ""}`);
    const [row] = await sql<{ answer: unknown }>(
      `select public.${name}(${named}) as answer`,
      all.map(([, value]) => (isJson(value) ? JSON.stringify(value) : value)),
    );
    return row?.answer;
  };
  return {
    sql,
    id,
    call,
    role: (name: string) => team.roles[name] ?? "",
    set: (name: string) => team.sets[name] ?? "",
    sets: () => Object.values(team.sets),
    /** Makes a role or a permission set of a team, and returns its id. */
    make: async (table: "roles" | "permission_sets", teamId: string, name: string) => {
      const [row] = await sql<{ id: string }>(
        `insert into public.${table} (team_id, name) values ($1, $2) returning id`,
        [teamId, name],
      );
      return row?.id ?? "";
    },
    /** Makes a person, new or existing, an active member of a team. */
    join: async (name: string, teamId: string, roleId: string) => {
      if (!team.people.has(name)) team.people.set(name, await signUp(name));
      await sql("insert into public.team_users (user_id, team_id, role_id, status) values ($1, $2, $3, 'active')", [
        id(name),
        teamId,
        roleId,
      ]);
    },
    change: (as: string, p_change: object) => call("change_access", as, { p_change, p_commit: true }),
    preview: (as: string, p_change: object) => call("change_access", as, { p_change, p_commit: false }),
    /** Expects that nothing of administration changes. */
    nothingChanges: async (run: () => Promise<unknown>) => {
      const before = await administeredRows(session);
      await run();
      expect(await administeredRows(session)).toEqual(before);
    },
  };
}
