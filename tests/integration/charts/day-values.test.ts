import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { aggregateChart } from "../../../lib/charts/aggregate-chart.ts";
import { askedCellSchema } from "../../../lib/charts/asked-cell.ts";
import { chartDefinitionSchema } from "../../../lib/charts/chart-definition.ts";
import { listChartRecords } from "../../../lib/charts/list-chart-records.ts";
import { listChartValues } from "../../../lib/charts/list-chart-values.ts";
import { saveChart } from "../../../lib/charts/save-chart.ts";
import { addSignatures, makeChartWorld } from "../../support/chart-world.ts";
import { openTestDatabase, type Person, type TestDatabase } from "../../support/test-database.ts";

// Days and moments that PostgreSQL does not take, wherever a chart can name them: what is wrong is named, and not "away".

let database: TestDatabase;
let person: (name: string) => Person;
let env: Record<string, string>;
beforeAll(async () => {
  database = await openTestDatabase();
  env = await database.serve();
  person = await makeChartWorld(database);
  await addSignatures(database, { counties: ["King", "Pierce"] });
});
afterAll(() => database.close());
beforeEach(() => {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
});
afterEach(() => vi.unstubAllEnvs());

const place = { team: "north", campaign: "lakes" };
const metric = { key: "n", aggregation: "count" };
const definition = (change: object) =>
  chartDefinitionSchema.parse({
    ...{ name: "Days", kind: "bar", source: "signatures", groupBy: "county", metrics: [metric], filters: [] },
    ...change,
  });
const refusal = (part: string, column: string) =>
  expect.objectContaining({ status: 422, part, message: expect.stringContaining(`"${column}"`) });

const noDays = ["0000-01-01", "10000-01-01", "2026-02-30", "infinity"];
const noMoments = ["0000-01-01", "0000-01-01T00:00:00Z", "2026-01-01T25:00:00Z", "2026-02-30T00:00Z"];
const cases = [
  ...noDays.map((value) => ["signed_on", value] as const),
  ...noMoments.map((value) => ["entered_at", value] as const),
];

describe.each(cases)("%s is never %s", (column, value) => {
  test.each<[string, object, string]>([
    ["eq", { filters: [{ column, operator: "eq", value }] }, "filters.0.value"],
    ["neq", { filters: [{ column, operator: "neq", value }] }, "filters.0.value"],
    ["gte", { filters: [{ column, operator: "gte", value }] }, "filters.0.value"],
    [
      "lt, the second filter",
      {
        filters: [
          { column, operator: "eq", value: null },
          { column, operator: "lt", value },
        ],
      },
      "filters.1.value",
    ],
    ["in", { filters: [{ column, operator: "in", value: ["2026-01-01", value] }] }, "filters.0.value"],
    [
      "a segment",
      { metrics: [{ ...metric, segment: [{ column, operator: "lte", value }] }] },
      "metrics.0.segment.0.value",
    ],
  ])("in a chart: %s", async (_name, change, part) => {
    await expect(aggregateChart({ actorId: person("ann").id, place, query: definition(change) })).rejects.toEqual(
      refusal(part, column),
    );
    const saving = saveChart({ actorId: person("ann").id, place, definition: definition(change) });
    await expect(saving).rejects.toEqual(refusal(part, column));
    expect(await database.sql("select id from public.charts")).toEqual([]);
  });

  test("behind a number of a chart: its group, its filter, its segment", async () => {
    const given = { source: "signatures", groupBy: column, filters: [], group: { [column]: null }, metric };
    const ask = (change: object) =>
      listChartRecords({
        actorId: person("ann").id,
        place,
        cell: askedCellSchema.parse({ ...given, ...change }),
        offset: 0,
        limit: 10,
      });
    const filters = [{ column, operator: "eq", value }];
    await expect(ask({ group: { [column]: value } })).rejects.toEqual(refusal("group.0.value", column));
    await expect(ask({ filters })).rejects.toEqual(refusal("filters.0.value", column));
    await expect(ask({ metric: { ...metric, segment: filters } })).rejects.toEqual(
      refusal("metric.segment.0.value", column),
    );
  });

  test("as the beginning of a value it finds nothing", async () => {
    expect(
      await listChartValues({ actorId: person("ann").id, place, source: "signatures", column, prefix: value }),
    ).toEqual([]);
  });
});
