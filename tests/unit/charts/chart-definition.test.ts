import { expect, test } from "vitest";
import {
  chartDefinitionSchema,
  chartMetricSchema,
  storedMetricSchema,
} from "../../../lib/charts/definition/definition.ts";

const count = { key: "n", aggregation: "count" };
const first = { column: "zip", operator: "eq", value: "98030" };
const sound = {
  ...{ name: " By county ", kind: "bar", source: "signatures", groupBy: "county" },
  metrics: [{ ...count, segment: [{ column: "zip", operator: "in", value: ["98030", null] }] }],
  filters: [{ column: "line", operator: "gt", value: 3 }],
};

test("a sound definition is taken, its name trimmed", () => {
  expect(chartDefinitionSchema.parse(sound)).toEqual({ ...sound, name: "By county" });
});

test.each<[string, object, (string | number)[]]>([
  ["no name", { name: "  " }, ["name"]],
  ["a long name", { name: "x".repeat(121) }, ["name"]],
  ["a name with U+0000, which no database text holds", { name: "a\u0000b" }, ["name"]],
  ["another kind", { kind: "radar" }, ["kind"]],
  ["no source", { source: "" }, ["source"]],
  ["half a surrogate pair", { groupBy: "\ud800" }, ["groupBy"]],
  ["no measure", { metrics: [] }, ["metrics"]],
  ["51 measures", { metrics: Array.from({ length: 51 }, (_, at) => ({ ...count, key: `m${at}` })) }, ["metrics"]],
  ["two measures of one key", { metrics: [count, count] }, ["metrics"]],
  ["a key that is none", { metrics: [{ ...count, key: "N" }] }, ["metrics", 0, "key"]],
  ["another aggregation", { metrics: [{ ...count, aggregation: "mode" }] }, ["metrics", 0, "aggregation"]],
  ["a sum of nothing", { metrics: [{ ...count, aggregation: "sum" }] }, ["metrics", 0, "column"]],
  ["another operator", { filters: [{ ...first, operator: "like" }] }, ["filters", 0, "operator"]],
  ["a filter without a value", { filters: [{ ...first, value: undefined }] }, ["filters", 0, "value"]],
  ["U+0000 deep in a value", { filters: [{ ...first, value: { b: ["\u0000"] } }] }, ["filters", 0, "value"]],
])("%s is refused, naming the field", (_, change, path) => {
  const parsed = chartDefinitionSchema.safeParse({ ...sound, ...change });
  expect(parsed.error?.issues.map((issue) => issue.path)).toEqual([path]);
});

test.each([
  ["null is as good as none, where it was stored", null, undefined],
  ["one filter means a list of one", first, [first]],
  ["a list is taken as it is", [first, first], [first, first]],
])("of a segment, %s", (_what, segment, read) => {
  const metric = { ...count, segment };
  expect(storedMetricSchema.parse(metric).segment).toEqual(read);
  if (segment) expect(chartMetricSchema.parse(metric).segment).toEqual(read);
});

test.each([
  [{ ...first, operator: "like" }, ["segment", 0, "operator"]],
  ["zip", ["segment"]],
])("of a segment %j, the field that is wrong is named", (segment, path) => {
  for (const schema of [chartMetricSchema, storedMetricSchema]) {
    const { error } = schema.safeParse({ ...count, segment });
    expect(error?.issues.map((issue) => issue.path)).toEqual([path]);
  }
});

test("a text that only looks like an escape is taken", () => {
  const filters = [{ ...first, value: "\\u0000 \\\\ud800" }];
  expect(chartDefinitionSchema.parse({ ...sound, filters }).filters).toEqual(filters);
});
