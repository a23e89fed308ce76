import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { chartResultSchema } from "../../../lib/charts/definition/result.ts";
import { emptyWorld, insertWorld } from "../../support/access-world.ts";
import { expectedChart, type OracleDefinition, type OracleRecord } from "../../support/chart-oracle.ts";
import { aggregate } from "../../support/chart-world.ts";
import { inDrill } from "../../support/in-drill.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";
import {
  brokenParts,
  columnKinds,
  columnSets,
  randomDefinition,
  registeredVoters,
  valueOfKind,
} from "./random-charts.ts";

// The database against the chart oracle over the same records: random definitions on each of five sources.

const runs = inDrill(120, { else: 25 });
type Place = { team: string; campaign: string | null };
const whole: Place = { team: "east", campaign: null };
const places = [
  { team: "east", campaign: "lakes" },
  { team: "east", campaign: "parks" },
  { team: "west", campaign: "lakes" },
];

const database = await setUpTestDatabase();
const { id: actorId } = await database.signUp("reader");
beforeAll(async () => {
  await database.sql(
    "insert into voterfile.counties select county, registered::int from json_each_text($1::json) e (county, registered)",
    [JSON.stringify(Object.fromEntries(registeredVoters))],
  );
  for (const team of ["east", "west"]) {
    await insertWorld(
      database,
      {
        ...emptyWorld,
        teams: [{ id: team }],
        campaigns: team === "east" ? [{ id: "lakes" }, { id: "parks" }] : [],
        campaign_team: places
          .filter((place) => place.team === team)
          .map((p) => ({ team_id: team, campaign_id: p.campaign })),
        roles: [{ id: `${team}-all`, team_id: team, scope: "inherit_team" }],
        team_users: [{ user_id: "reader", team_id: team, role_id: `${team}-all`, status: "active" }],
      },
      new Map([["reader", actorId]]),
    );
    await database.sql(
      `insert into public.team_p_sets (team_id, permission_set_id)
       select $1, id from public.permission_sets where team_id is null`,
      [team],
    );
  }
});

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

// A view with these columns, and its records.
async function makeSource(number: number, columns: Record<string, string>) {
  const kinds = Object.entries(columns);
  const fields = kinds.map(([name, kind]) => `${quoted(name)} ${columnKinds[kind]?.dataType}`);
  await database.sql(`create table private.source_${number} (team_id text, campaign_id text, ${fields.join(", ")})`);
  await database.sql(`create view reporting.source_${number} as select * from private.source_${number}`);
  const record = fc.tuple(fc.constantFrom(...places), fc.tuple(...kinds.map(([, kind]) => valueOfKind(kind))));
  const drawn = fc.sample(record, { numRuns: 90, seed: 700 + number });
  // Built as text: a column can be called `__proto__`, and a number can have more digits than JavaScript can store.
  const rows = drawn.map(([place, values]) => {
    const cells = kinds.map(([name, kind], index) => {
      const value = values[index] ?? null;
      const raw = ["array", "json"].includes(columnKinds[kind]?.type ?? "") && value !== null;
      return `${JSON.stringify(name)}: ${raw ? value : JSON.stringify(value)}`;
    });
    return `{"team_id": "${place.team}", "campaign_id": "${place.campaign}", ${cells.join(", ")}}`;
  });
  await database.sql(
    `insert into private.source_${number}
     select * from jsonb_populate_recordset(null::private.source_${number}, $1::text::jsonb)`,
    [`[${rows.join(",")}]`],
  );
  const recordsIn = ({ team, campaign }: Place): OracleRecord[] =>
    drawn
      .filter(([place]) => place.team === team && (campaign === null || place.campaign === campaign))
      .map(([place, values]) => {
        const cells = kinds.map(([name, kind], index) => {
          const value = values[index] ?? null;
          return [name, columnKinds[kind]?.type === "json" && value === "null" ? null : value] as const;
        });
        return new Map<string, string | boolean | null>([
          ...cells,
          ["team_id", place.team],
          ["campaign_id", place.campaign],
        ]);
      });
  const types = new Map(kinds.map(([name, kind]) => [name, columnKinds[kind]?.type ?? "text"]));
  const all = new Map([...types, ["team_id", "text"] as const, ["campaign_id", "text"] as const]);
  return { name: `source_${number}`, columns: all, recordsIn };
}

const answerSchema = z.union([
  z.object({ refused: z.object({ part: z.string(), message: z.string().min(10) }) }),
  chartResultSchema.extend({ metrics: z.array(z.unknown()) }),
]);

async function actualAnswer(source: string, place: Place, definition: OracleDefinition) {
  return answerSchema.parse(await aggregate(database, { source, ...place, actorId }, definition));
}

const recordsSchema = z.object({ total: z.int(), records: z.array(z.array(z.unknown())) });

type Row = { key: string; group: Iterable<[string, unknown]>; values: Iterable<[string, unknown]> };
const sorted = (entries: Iterable<[string, unknown]>) => [...entries].sort(([a], [b]) => (a < b ? -1 : 1));
const ofRows = (rows: Row[]) => rows.map(({ key, group, values }) => [key, sorted(group), sorted(values)]);

describe.each(columnSets.map((columns, number) => [number, columns] as const))("source %i", (number, columns) => {
  test(`${runs} definitions: the same groups, numbers and refusals, and the records behind a number`, async () => {
    const { name, columns: types, recordsIn } = await makeSource(number, columns);
    let computed = 0;
    let refused = 0;

    async function isSame(definition: OracleDefinition, place: Place, choice: number) {
      const expected = expectedChart(
        { columns: types, records: recordsIn(place), registered: registeredVoters },
        definition,
      );
      const got = await actualAnswer(name, place, definition);
      if ("refused" in got || "refused" in expected) {
        refused += 1;
        const named = "refused" in got ? got.refused.part : got;
        expect("refused" in expected ? expected.refused : expected, JSON.stringify(definition)).toContain(named);
        return;
      }
      computed += 1;
      const rows = got.rows.map(({ key, group, values }) => {
        return { key, group: Object.entries(group), values: Object.entries(values) };
      });
      expect({ ...got, rows: ofRows(rows) }).toEqual({
        source: name,
        groupBy: definition.groupBy,
        metrics: definition.metrics,
        rows: ofRows(expected.rows),
        recordCount: expected.recordCount,
        groupCount: expected.rows.length,
        generatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      });

      // The records of one cell.
      const row = choice % Math.max(got.rows.length, 1);
      const metric = choice % Math.max(got.metrics.length, 1);
      if (got.rows.length === 0) return;
      const cell = {
        source: name,
        groupBy: definition.groupBy,
        filters: definition.filters,
        group: got.rows[row]?.group,
        ...(got.metrics.length > 0 && { metric: got.metrics[metric] }),
      };
      const args = { p_actor_id: actorId, p_team_id: place.team, p_campaign_id: place.campaign };
      const body = { ...args, p_cell: cell, p_offset: 0, p_limit: 1000 };
      const behind = await database.rest("rpc/chart_records", { as: "service", body });
      const { total, records } = recordsSchema.parse(behind.body);
      expect(total).toBe(records.length);
      const counted = expected.rows[row]?.cell[metric];
      if (counted) expect(total, JSON.stringify(cell)).toBe(counted.length);
    }

    const place = fc.constantFrom<Place>(...places, whole);
    const property = fc.asyncProperty(randomDefinition(columns), place, fc.nat(), isSame);
    await fc.assert(property, { numRuns: runs, seed: 4_100 + number });
    // Most definitions must run and some must not, or the test would prove little.
    expect(computed).toBeGreaterThan(inDrill(runs / 2, { else: runs / 3 }));
    expect(refused).toBeGreaterThan(runs / 20);
    if (number > 0) return;
    for (const part of brokenParts) await isSame({ groupBy: "", metrics: [], filters: [], ...part }, whole, 0);
    expect(refused).toBeGreaterThanOrEqual(brokenParts.length);
  }, 180_000); // the drill on a busy machine
});
