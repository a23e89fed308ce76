import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { aggregationNames, aggregations, columnTypes } from "../../../lib/charts/definition/words.ts";
import { aggregate } from "../../support/chart-world.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";

// Cases that random definitions rarely include: bounds, many records, and the texts of refusals.

const database = await setUpTestDatabase();

let sources = 0;
// A view of one place whose records these rows are.
async function source(select: string) {
  sources += 1;
  const name = `made_${sources}`;
  await database.sql(
    `create view reporting.${name} as select 'north' as team_id, 'lakes' as campaign_id, s.* from (${select}) s`,
  );
  await database.sql(`do $$ declare c text; begin -- no column identifies signers
    for c in select column_name from information_schema.columns where table_name = '${name}' loop
      execute format('comment on column reporting.${name}.%I is %L', c, c);
    end loop; end $$`);
  return name;
}

type Definition = Parameters<typeof aggregate>[2];
const answerSchema = z.looseObject({
  rows: z.array(z.unknown()).optional(),
  refused: z.object({ part: z.string(), message: z.string() }).optional(),
});
const computeChart = async (name: string, definition: Definition) =>
  answerSchema.parse(await aggregate(database, { source: name }, definition));

// The one number of one metric over a list of SQL values.
async function computeOne(aggregation: string, type: string, values: string[]) {
  const name = await source(`select x::${type} as x from unnest(array[${values.map((v) => `'${v}'`)}]::text[]) x`);
  const result = await computeChart(name, { metrics: [{ key: "m", aggregation, column: "x" }] });
  if (result.refused) return result.refused;
  return z.tuple([z.object({ values: z.object({ m: z.number().nullable() }) })]).parse(result.rows)[0].values.m;
}

describe("numbers", () => {
  test.each<[string, string, string[], number | null]>([
    ["sum", "float8", ["0.1", "0.2"], 0.3],
    ["sum", "float4", ["0.1", "0.2"], 0.3],
    ["sum", "numeric", [], null],
    ["sum", "bigint", ["9007199254740991", "1"], 2 ** 53],
    ["sum", "bigint", ["-9007199254740991", "-1"], -(2 ** 53)],
    ["avg", "int", ["1", "0", "1"], 0.666666666666667],
    ["avg", "int", ["-1", "0", "-1"], -0.666666666666667],
    ["max", "numeric", ["0.1234567890123455"], 0.123456789012346], // half away from zero
    ["max", "numeric", ["-0.1234567890123455"], -0.123456789012346],
    ["max", "numeric", ["0.12345678901234549999999999999999"], 0.123456789012345], // rounded once
    ["max", "numeric", ["0.000000000000000000001234567890123456"], 1.23456789012346e-21],
    ["max", "numeric", ["999999999999999.95"], 1e15],
    ["max", "numeric", ["9007199254740993.5"], 9007199254740990],
    ["sum", "numeric", ["1e17", "0.5", "-1e17"], 0.5],
    ["max", "timestamptz", ["1970-01-01T02:00:00.5+01:00"], 3_600_500],
    ["max", "timestamp", ["1970-01-01T01:00:00.000001"], 3_600_000.001],
    ["min", "numeric", ["1", "NaN"], 1],
    ["median", "int", ["9", "1", "4"], 4],
    ["median", "int", ["1", "2", "9", "4"], 3],
    ["median", "numeric", ["0.1", "0.2"], 0.15],
    ["median", "bigint", ["9007199254740991", "9007199254740992", "9007199254740990"], 2 ** 53 - 1],
    ["median", "bigint", ["9223372036854775807", "-9223372036854775807"], 0],
    ["median", "float8", ["NaN", "1", "2"], 2], // in the order of PostgreSQL
    ["median", "numeric", [], null],
  ])("%s of %s %j is %d", async (aggregation, type, values, expected) => {
    expect(await computeOne(aggregation, type, values)).toBe(expected);
  });

  test.each<[string, string, string[], RegExp]>([
    ["sum", "bigint", ["9007199254740992", "1"], /"m" is a whole number above 2\^53/],
    ["max", "bigint", ["-9007199254740993"], /"m" is a whole number above 2\^53/],
    ["avg", "numeric", ["9007199254740993.0"], /"m" is a whole number above 2\^53/],
    ["sum", "float8", ["Infinity", "1"], /"m" includes values that aren't finite/],
    ["max", "date", ["infinity"], /"m" includes values that aren't finite/],
    ["max", "numeric", ["1e-310"], /"m" is too large or too small/],
    ["max", "text", ["b"], /can't take the max of "x", which is of type text/],
    ["avg", "timestamptz", ["2026-11-01"], /can't take the avg of "x", which is of type time/],
    ["median", "date", ["2026-11-01"], /can't take the median of "x", which is of type date/],
    ["median", "numeric", ["1", "Infinity"], /"m" includes values that aren't finite/],
  ])("%s of %s %j is refused, naming the metric", async (aggregation, type, values, message) => {
    expect(await computeOne(aggregation, type, values)).toEqual({
      part: expect.stringMatching(/^metrics\.0/),
      message: expect.stringMatching(message),
    });
  });

  test("a million times 0.1 is 100,000", async () => {
    const name = await source("select 0.1::float8 as x from generate_series(1, 1000000)");
    const result = await computeChart(name, { metrics: [{ key: "m", aggregation: "sum", column: "x" }] });
    expect(result.rows).toEqual([{ key: "", group: {}, values: { m: 100_000 } }]);
  });
});

test("the database has the aggregations of the builder, for the same types of columns", async () => {
  const [listed] = await database.sql(
    `select json_object_agg(a.name, coalesce(to_json(a.types), to_json($1::text[])) order by a.place) as types
     from private.chart_aggregations a`,
    [columnTypes],
  );
  const expected = aggregationNames.map((name) => [name, aggregations[name].types]);
  expect(listed).toEqual({ types: Object.fromEntries(expected) });
});

describe("sizes", () => {
  test.each([2_500, 100_000])("all of %i records are counted: no row limit applies", async (count) => {
    const name = await source(`select i, i % 3 as third from generate_series(1, ${count}) i`);
    const metrics = [
      { key: "n", aggregation: "count" },
      { key: "sum", aggregation: "sum", column: "i" },
    ];
    expect(await computeChart(name, { metrics })).toMatchObject({
      recordCount: count,
      groupCount: 1,
      rows: [{ key: "", group: {}, values: { n: count, sum: (count * (count + 1)) / 2 } }],
    });
    expect(await computeChart(name, { metrics, groupBy: "third" })).toMatchObject({
      recordCount: count,
      groupCount: 3,
    });
  });

  test("5,000 groups are all returned; 5,001 are refused", async () => {
    const name = await source("select i from generate_series(1, 5001) i");
    const all = await computeChart(name, { groupBy: "i", filters: [{ column: "i", operator: "lte", value: 5_000 }] });
    expect(all).toMatchObject({ groupCount: 5_000, recordCount: 5_000 });
    expect(all.rows).toHaveLength(5_000);
    expect(await computeChart(name, { groupBy: "i" })).toEqual({
      refused: {
        part: "groupBy",
        message: "This makes more than 5,000 groups. Group by fewer columns or add a filter.",
      },
    });
  });
});

describe("sources", () => {
  test("the widest definition: 20 columns and 50 measures", async () => {
    const columns = Array.from({ length: 20 }, (_, index) => `c${index}`);
    const name = await source(`select ${columns.map((column, index) => `'${index}'::text as ${column}`).join(", ")}`);
    const metrics = Array.from({ length: 50 }, (_, index) => ({ key: `m${index}`, aggregation: "count" }));
    const group = Object.fromEntries(columns.map((column, index) => [column, String(index)]));
    const values = Object.fromEntries(metrics.map(({ key }) => [key, 1]));
    expect((await computeChart(name, { groupBy: columns.join(), metrics })).rows).toEqual([
      { key: Object.values(group).join("|||"), group, values },
    ]);
  });

  test("JSON that PostgreSQL can't convert to text is refused with a message", async () => {
    const name = await source(`select '"\\u0000"'::json as x`);
    expect(await computeChart(name, { groupBy: "x" })).toEqual({
      refused: { part: "source", message: `The source "${name}" contains a value that can't be used in a chart.` },
    });
  });

  test("a domain, an enum and a fixed-width text are read as texts and numbers", async () => {
    await database.sql("create domain private.share as numeric check (value >= 0)");
    await database.sql("create type private.mood as enum ('good', 'bad')");
    const name = await source("select 0.5::private.share as share, 'bad'::private.mood as mood, 'x '::char(4) as code");
    const metrics = [{ key: "s", aggregation: "sum", column: "share" }];
    expect(await computeChart(name, { groupBy: "mood,code", metrics })).toMatchObject({
      rows: [{ key: "bad|||x", group: { mood: "bad", code: "x" }, values: { s: 0.5 } }],
    });
  });
});

test.each<[part: string, Definition, RegExp]>([
  ["groupBy", { groupBy: "x,x" }, /grouped by "x" more than once/],
  ["metrics.0.column", { metrics: [{ key: "s", aggregation: "sum", column: "price" }] }, /"s".*"price"/],
  ["filters.0.operator", { filters: [{ column: "x", operator: "like", value: "K" }] }, /operator "like"/],
  ["filters.0.value", { filters: [{ column: "x", operator: "eq", value: "one" }] }, /needs a value of type number/],
])("a definition that can't run is refused with a message: %s of %j", async (part, definition, words) => {
  const { refused } = await computeChart(await source("select 1 as x"), definition);
  expect(refused).toEqual({ part, message: expect.stringMatching(words) });
});

const noDays = ["0000-01-01", "10000-01-01", "2026-02-30", "2026-13-01", "-0044-03-15", "infinity"];
const noMoments = ["0000-01-01", "0000-01-01T00:00:00Z", "2026-01-01T25:00", "2026-02-30T00:00Z"];
test.each([
  ["date", noDays],
  ["timestamptz", [...noMoments, "2026-11-01T00:00+16:00"]],
])("for type %s, %j are refused wherever a chart can name them", async (type, values) => {
  const name = await source(`select '2026-11-01'::${type} as x`);
  const refusal = (part: string) => ({ refused: { part, message: expect.stringContaining('"x"') } });
  for (const value of values) {
    const filter = { column: "x", operator: "lte", value };
    const queries = [
      { ...filter, operator: "eq", value: null },
      { ...filter, operator: "in", value: [null, value] },
    ];
    expect(await computeChart(name, { filters: [filter] }), value).toEqual(refusal("filters.0.value"));
    expect(await computeChart(name, { filters: queries }), value).toEqual(refusal("filters.1.value"));
    const metrics = [{ key: "n", aggregation: "count", segment: [filter] }];
    expect(await computeChart(name, { metrics }), value).toEqual(refusal("metrics.0.segment.0.value"));
  }
});

test("the statement in the comment of 150_chart_queries.sql is the one generated for its definition, and it runs", async () => {
  const words = (text: string) => text.trim().split(/\s+/);
  const file = readFileSync("supabase/schemas/150_chart_queries.sql", "utf8");
  const comment = file.slice(0, file.indexOf("create "));
  const [definition = "", statement = ""] = [
    ...comment.matchAll(/(?:^-- {3}.*\n)+(?=--\n)(?:--\n(?:-- {3}.*\n)+)*/gm),
  ].map(([block]) => block.replaceAll(/^--/gm, ""));
  const [built] = await database.sql<{ text: string }>(
    `select private.chart_statement(d ->> 'source', 'lakes', d ->> 'groupBy', d) as text from (select $1::text::jsonb) d (d)`,
    [definition],
  );
  expect(words(statement)).toEqual(words(built?.text ?? ""));
  await database.sql(`prepare example (text, text, jsonb) as ${statement}`);
  const rows = await database.sql(`execute example ('north', 'lakes', '${definition}')`);
  expect(rows).toEqual([{ rows: [], records: 0, groups: 0 }]);
});
