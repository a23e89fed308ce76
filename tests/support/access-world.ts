import { createHash } from "node:crypto";
import type { SqlSession } from "./sql-session.ts";
import type { TestDatabase } from "./test-database.ts";

type Sql = Pick<TestDatabase, "sql">;

type Place = { team_id: string; campaign_id: string };
/** A time, or "now": that of the transaction. */
type Ending = { ends_at?: string | null };

/** Whether access ends now or has ended. */
export function isDue({ ends_at }: Ending): boolean {
  return ends_at === "now" || (ends_at != null && ends_at !== "infinity" && Date.parse(ends_at) <= Date.now());
}

/**
 * The rows of the access tables, by the names of tables and columns. Users, roles and permission sets have a name and are
 * stored under `uuidOf(name)`.
 */
export type World = {
  permission_keys: { key: string }[];
  teams: { id: string }[];
  /** A campaign without `team_id` is run by a team outside of this world, which has no members. */
  campaigns: { id: string; team_id?: string }[];
  campaign_team: Place[];
  roles: { id: string; team_id: string | null; scope: "inherit_team" | "assigned" }[];
  permission_sets: { id: string; team_id: string | null }[];
  permission_set_keys: { permission_set_id: string; key: string }[];
  team_users: (Ending & {
    user_id: string;
    team_id: string;
    role_id: string;
    status: "active" | "invited" | "suspended";
  })[];
  team_p_sets: { team_id: string; permission_set_id: string }[];
  role_p_sets: { role_id: string; permission_set_id: string }[];
  campaign_team_sets: (Place & { permission_set_id: string })[];
  campaign_user_roles_team: (Place & Ending & { user_id: string; role_id: string })[];
  campaign_user_team_sets: (Place & { user_id: string; permission_set_id: string })[];
};

export const emptyWorld: World = {
  permission_keys: [],
  teams: [],
  campaigns: [],
  campaign_team: [],
  roles: [],
  permission_sets: [],
  permission_set_keys: [],
  team_users: [],
  team_p_sets: [],
  role_p_sets: [],
  campaign_team_sets: [],
  campaign_user_roles_team: [],
  campaign_user_team_sets: [],
};

// Each table after those that it references, with the columns to fill.
const columns: [keyof World, string[]][] = [
  ["permission_keys", ["key"]],
  ["teams", ["id", "name"]],
  ["campaigns", ["id", "name", "team_id"]],
  ["campaign_team", ["team_id", "campaign_id"]],
  ["roles", ["id", "team_id", "name", "scope"]],
  ["permission_sets", ["id", "team_id", "name"]],
  ["permission_set_keys", ["permission_set_id", "key"]],
  ["team_users", ["user_id", "team_id", "role_id", "status", "ends_at"]],
  ["team_p_sets", ["team_id", "permission_set_id"]],
  ["role_p_sets", ["role_id", "permission_set_id"]],
  ["campaign_team_sets", ["team_id", "campaign_id", "permission_set_id"]],
  ["campaign_user_roles_team", ["user_id", "team_id", "campaign_id", "role_id", "ends_at"]],
  ["campaign_user_team_sets", ["user_id", "team_id", "campaign_id", "permission_set_id"]],
];

/** The uuid under which a named user, role or permission set is stored. */
export function uuidOf(name: string): string {
  return createHash("md5")
    .update(name)
    .digest("hex")
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/** Inserts users with SQL; they can't sign in. */
export async function insertUsers(database: Sql, names: string[]): Promise<void> {
  await database.sql(
    "insert into auth.users (id, email) select md5(n)::uuid, n || '@people.test' from unnest($1::text[]) n",
    [names],
  );
}

const bystander = "bystander";

/** Inserts a world whose users exist, one statement per table. `userIds` has users that aren't stored under `uuidOf`. */
export async function insertWorld(
  database: Sql,
  world: World,
  userIds: ReadonlyMap<string, string> = new Map(),
): Promise<void> {
  if (world.campaigns.some(({ team_id }) => team_id === undefined)) {
    await database.sql("insert into public.teams (id, name) values ($1, 'Bystander') on conflict do nothing", [
      bystander,
    ]);
  }
  for (const [table, columnNames] of columns) {
    if (world[table].length === 0) continue;
    const rows = world[table].map((row) => storedRow(table, row, userIds));
    await database.sql(
      `insert into public.${table} (${columnNames})
       select ${columnNames} from jsonb_populate_recordset(null::public.${table}, $1::text::jsonb)`,
      [JSON.stringify(rows)],
    );
  }
}

function storedRow(table: keyof World, row: Record<string, string | null>, userIds: ReadonlyMap<string, string>) {
  const idColumn = table === "roles" || table === "permission_sets" ? "id" : undefined;
  const stored = (column: string, value: string) => {
    if (column === "user_id") return userIds.get(value) ?? uuidOf(value);
    return column === "role_id" || column === "permission_set_id" || column === idColumn ? uuidOf(value) : value;
  };
  const entries = Object.entries(row).map(([column, value]) => [column, value === null ? null : stored(column, value)]);
  return { name: row.id, ...(table === "campaigns" && { team_id: bystander }), ...Object.fromEntries(entries) };
}

/** Runs with a world that is rolled back afterwards, and that no other connection sees. */
export function inWorld<T>(session: SqlSession, world: World, run: () => Promise<T>): Promise<T> {
  return session.undone(async () => {
    await insertWorld(session, world);
    return run();
  });
}

/** The same, without pending changes and log entries of the world. */
export function inWorldWithoutTriggers<T>(session: SqlSession, world: World, run: () => Promise<T>): Promise<T> {
  return session.undone(async () => {
    await session.sql("set local session_replication_role = replica");
    await insertWorld(session, world);
    await session.sql("set local session_replication_role = origin");
    return run();
  });
}
