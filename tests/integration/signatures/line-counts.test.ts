// The counts of lines against the lines themselves, after changes by SQL that overlap and are undone at random.
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { seededRandom } from "../../../scripts/demo-data/seeded-random.ts";
import { insertUsers, insertWorld, uuidOf } from "../../support/access-world.ts";
import { linePeople, lineWorld } from "../../support/line-world.ts";
import { seedOfTheDay } from "../../support/seed-of-the-day.ts";
import { openSqlSession, type SqlSession } from "../../support/sql-session.ts";
import { openTestDatabase, type TestDatabase } from "../../support/test-database.ts";

let database: TestDatabase;
let sessions: SqlSession[];
beforeAll(async () => {
  database = await openTestDatabase();
  sessions = await Promise.all(Array.from({ length: 4 }, () => openSqlSession(database)));
  await insertUsers(database, linePeople);
  await insertWorld(database, lineWorld);
});
beforeEach(() => database.sql("truncate public.lines"));
afterAll(async () => {
  for (const session of sessions) await session.close();
  await database.close();
});

type Line = Record<"campaign_id" | "team_id" | "entered_by" | "county" | "voter_id" | "verdict" | "id", string> & {
  sheet: number | null;
  seconds: number;
};

// What must be kept, from all lines that aren't removed.
function countsOf(lines: Line[]) {
  const counts = new Map<string, number[]>();
  for (const { campaign_id, team_id, entered_by, sheet, county, seconds, verdict } of lines) {
    const keys = [
      ["sheet", sheet === null ? entered_by : null, sheet, null, null],
      ["quarter", entered_by, sheet, Math.floor(seconds / 900) * 900, null],
      ["county", entered_by, null, null, county],
    ];
    const tally = ["blank", "accepted", "duplicate"].map((status) => Number(verdict === status));
    for (const [per, ...key] of keys) {
      const name = JSON.stringify([campaign_id, per, team_id, ...key]);
      const before = counts.get(name) ?? [0, 0, 0, 0];
      counts.set(
        name,
        [1 - (tally[0] ?? 0), ...tally].map((count, index) => count + (before[index] ?? 0)),
      );
    }
  }
  return [...counts].map(([key, count]) => [...JSON.parse(key), ...count]).sort();
}

const freedOf = (lines: Line[]) =>
  lines
    .filter(({ verdict, voter_id }) => verdict === "duplicate" && voter_id)
    .filter((line) =>
      lines.every(
        (other) =>
          other.verdict !== "accepted" || other.voter_id !== line.voter_id || other.campaign_id !== line.campaign_id,
      ),
    )
    .map(({ id }) => id)
    .sort();

async function expectRightCounts() {
  const lines = await database.sql<Line>(
    `select l.*, extract(epoch from l.entered_at)::float8 as seconds from public.lines l where l.removed_at is null`,
  );
  const stored = await database.sql<{ count: unknown[] }>(
    `select jsonb_build_array(campaign_id, per, team_id, entered_by, sheet, extract(epoch from quarter)::bigint, county,
       entered, blank, accepted, duplicates) as count
     from private.line_counts where entered + blank <> 0`,
  );
  expect(stored.map(({ count }) => count).sort()).toEqual(countsOf(lines));
  const freed = await database.sql<{ line_id: string }>("select line_id from private.freed_duplicates");
  expect(freed.map(({ line_id }) => line_id).sort()).toEqual(freedOf(lines));
  expect(await database.sql("select public.wrong_counts() as wrong")).toEqual([{ wrong: [] }]);
}

// One statement that changes lines: mostly of one line, at times of many.
function randomChange(next: () => number) {
  const oneOf = <Item>(items: [Item, ...Item[]]): Item => items[Math.floor(next() * items.length)] ?? items[0];
  const voter = `V-${Math.floor(next() * 6)}`;
  const some = oneOf([`voter_id = '${voter}'`, `sheet = ${1 + Math.floor(next() * 3)}`, `county = 'King'`, "blank"]);
  const chosen = some === "blank" ? "verdict = 'blank'" : some;
  const verdict = oneOf(["accepted", "accepted", "duplicate", "not-found", "blank"]);
  return oneOf([
    `insert into public.lines (team_id, campaign_id, verdict, voter_id, sheet, county, entered_by, entered_at)
     select '${oneOf(["north", "south"])}', 'lakes', '${verdict}', ${verdict === "blank" ? "null" : `'${voter}'`},
       ${oneOf(["null", "1", "2", "3"])}, ${oneOf(["null", "'King'", "'Pierce'"])},
       ${oneOf(["null", `'${uuidOf("ada")}'::uuid`, `'${uuidOf("bea")}'::uuid`])},
       timestamptz '2026-11-01' + i * interval '7 minutes'
     from generate_series(1, ${verdict === "accepted" ? 1 : oneOf([1, 1, 5])}) i`,
    `update public.lines set removed_at = now() where removed_at is null and ${chosen}`,
    `update public.lines set removed_at = null where ${chosen}`,
    `update public.lines set sheet = ${1 + Math.floor(next() * 3)} where ${chosen}`,
    `update public.lines set county = 'Benton', entered_at = entered_at + interval '1 hour' where ${chosen}`,
    `delete from public.lines where ${chosen}`,
  ]);
}

test("counts follow changes by SQL that overlap, fail and are undone", async () => {
  const next = seededRandom(seedOfTheDay);
  for (let round = 0; round < 3; round++) {
    await Promise.all(
      sessions.map(async ({ sql }) => {
        for (let transaction = 0; transaction < 15; transaction++) {
          await sql("begin");
          try {
            for (let change = 0; change < 1 + Math.floor(next() * 3); change++) await sql(randomChange(next));
            await sql(next() < 0.8 ? "commit" : "rollback");
          } catch {
            await sql("rollback"); // the voter has signed, or two sessions waited for each other
          }
        }
      }),
    );
    await expectRightCounts();
  }
});

const add = (sql: SqlSession["sql"], verdict: string) =>
  sql(`insert into public.lines (team_id, campaign_id, verdict, voter_id, entered_by)
    values ('north', 'lakes', '${verdict}', 'V-1', gen_random_uuid())`);

test("a duplicate that is entered while its voter's line is being removed is found as freed", async () => {
  const [first, other] = sessions;
  if (!first || !other) throw new Error("There are no sessions.");
  await add(database.sql, "accepted");
  await first.sql("begin");
  await first.sql("update public.lines set removed_at = now()");
  const entered = add(other.sql, "duplicate");
  await first.sql("commit");
  await entered;
  await expectRightCounts();
  expect(await database.sql("select from private.freed_duplicates")).toHaveLength(1);
});

test("changes without triggers are found, and recounted", async () => {
  await add(database.sql, "accepted");
  await database.sql("alter table public.lines disable trigger user");
  await add(database.sql, "duplicate");
  await database.sql("update public.lines set removed_at = now() where verdict = 'accepted'").catch(() => undefined);
  await database.sql("alter table public.lines enable trigger user");
  expect(await database.sql("select public.wrong_counts() as wrong")).toEqual([{ wrong: ["lakes"] }]);
  await database.sql("select private.recount()");
  await expectRightCounts();
});
