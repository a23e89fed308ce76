import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import { carryOutChanges, restAsService } from "./demo.ts";

// The tables that decide access and those that they refer to, each after those, with the columns that name a row.
const tables: Record<string, string[]> = {
  teams: ["id"],
  campaigns: ["id"],
  campaign_team: ["team_id", "campaign_id"],
  roles: ["id"],
  permission_sets: ["id"],
  permission_set_keys: ["permission_set_id", "key"],
  team_users: ["user_id", "team_id"],
  team_p_sets: ["team_id", "permission_set_id"],
  role_p_sets: ["role_id", "permission_set_id"],
  campaign_team_sets: ["team_id", "campaign_id", "permission_set_id"],
  campaign_user_roles_team: ["user_id", "team_id", "campaign_id"],
  campaign_user_team_sets: ["user_id", "team_id", "campaign_id", "permission_set_id"],
};

const rowsSchema = z.array(z.record(z.string(), z.unknown()));
type Row = z.infer<typeof rowsSchema>[number];
export type AccessRows = Record<string, Row[]>;

/** The running stack's rows that match a REST path, read past every policy. */
export async function rowsOf(path: string): Promise<Row[]> {
  return rowsSchema.parse(await restAsService(path, { method: "GET" }));
}

/** All rows of the running stack that decide access, to compare and to restore. */
export async function readAccessRows(): Promise<AccessRows> {
  const rows: AccessRows = {};
  for (const [table, key] of Object.entries(tables)) rows[table] = await rowsOf(`${table}?order=${key}`);
  return rows;
}

/** Makes the rows of the running stack what they were when they were read, and brings that into effect. */
export async function restoreAccessRows(before: AccessRows): Promise<void> {
  const now = await readAccessRows();
  const entries = Object.entries(tables).map(([table, key]) => {
    const filter = (row: Row) => key.map((column) => `${column}=eq.${row[column]}`).join("&");
    const byFilter = (rows: Row[] = []) => new Map(rows.map((row) => [filter(row), row]));
    return { table, before: byFilter(before[table]), now: byFilter(now[table]) };
  });
  for (const { table, before, now } of entries) {
    for (const [filter, row] of before) {
      const there = now.get(filter);
      if (!there) await restAsService(table, { method: "POST", body: row });
      else if (!isDeepStrictEqual(there, row))
        await restAsService(`${table}?${filter}`, { method: "PATCH", body: row });
    }
  }
  // Last, when nothing refers to them any more.
  for (const { table, before, now } of entries.toReversed()) {
    for (const filter of now.keys()) {
      if (!before.has(filter)) await restAsService(`${table}?${filter}`, { method: "DELETE" });
    }
  }
  await carryOutChanges();
}
