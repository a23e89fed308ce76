import { emptyWorld, type World } from "./access-world.ts";
import type { SqlSession } from "./sql-session.ts";

const keysOf = {
  enter: ["signatures.enter"],
  remove: ["signatures.remove"],
  view: ["signatures.view"],
  both: ["signatures.enter", "signatures.remove"],
};

// Each person with their team, and the one campaign in which they have a set.
type Member = [name: string, team: string, campaign: string, set: keyof typeof keysOf, status?: "active" | "suspended"];
const people: Member[] = [
  ["ada", "north", "lakes", "enter"],
  ["bea", "north", "lakes", "enter"],
  ["rex", "north", "lakes", "remove"],
  ["max", "north", "lakes", "both"],
  ["vic", "north", "lakes", "view"],
  ["sue", "north", "lakes", "both", "suspended"],
  ["oda", "north", "rivers", "both"],
  ["sam", "south", "lakes", "both"],
];

/** The people of the world, and `nell`, who is in no team. */
export const linePeople = [...people.map(([name]) => name), "nell"];

/** Two teams that share the campaign `lakes`; `rivers` is only north's. Everyone has one of the sets. */
export const lineWorld: World = {
  ...emptyWorld,
  teams: [{ id: "north" }, { id: "south" }],
  campaigns: ["lakes", "rivers"].map((id) => ({ id, team_id: "north" })),
  campaign_team: [
    { team_id: "north", campaign_id: "lakes" },
    { team_id: "north", campaign_id: "rivers" },
    { team_id: "south", campaign_id: "lakes" },
  ],
  roles: [{ id: "plain", team_id: null, scope: "assigned" }],
  permission_sets: Object.keys(keysOf).map((id) => ({ id, team_id: null })),
  permission_set_keys: Object.entries(keysOf).flatMap(([id, keys]) =>
    keys.map((key) => ({ permission_set_id: id, key })),
  ),
  team_users: people.map(([user_id, team_id, , , status = "active"]) => ({
    user_id,
    team_id,
    role_id: "plain",
    status,
  })),
  campaign_user_team_sets: people.map(([user_id, team_id, campaign_id, permission_set_id]) => ({
    user_id,
    team_id,
    campaign_id,
    permission_set_id,
  })),
};

/** Inserts rows directly, without Signet's functions. Each has the columns of the first. */
export async function storeRows(database: Pick<SqlSession, "sql">, table: "lines" | "sheets", rows: object[]) {
  const columns = Object.keys(rows[0] ?? {});
  await database.sql(
    `insert into public.${table} (${columns})
     select ${columns} from jsonb_populate_recordset(null::public.${table}, $1::text::jsonb)`,
    [JSON.stringify(rows)],
  );
}

/** The day of a moment in a time zone. */
export const dayIn = (timeZone: string, timestamp: string | number) =>
  new Intl.DateTimeFormat("sv-SE", { timeZone }).format(new Date(timestamp));
