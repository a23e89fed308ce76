import { expect, test } from "vitest";
import { chartDefinitionSchema, chartMetricSchema, storedMetricSchema } from "../../../lib/charts/chart-definition.ts";

const sound = {
  name: " By county ",
  kind: "bar",
  source: "signatures",
  groupBy: "county",
  metrics: [{ key: "n", aggregation: "count", segment: [{ column: "zip", operator: "in", value: ["98030", null] }] }],
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
  [
    "51 measures",
    { metrics: Array.from({ length: 51 }, (_, at) => ({ key: `m${at}`, aggregation: "count" })) },
    ["metrics"],
  ],
  ["two measures of one key", { metrics: [sound.metrics[0], sound.metrics[0]] }, ["metrics"]],
  ["a key that is none", { metrics: [{ key: "N", aggregation: "count" }] }, ["metrics", 0, "key"]],
  ["another aggregation", { metrics: [{ key: "n", aggregation: "median" }] }, ["metrics", 0, "aggregation"]],
  ["a sum of nothing", { metrics: [{ key: "n", aggregation: "sum" }] }, ["metrics", 0, "column"]],
  ["another operator", { filters: [{ column: "a", operator: "like", value: "" }] }, ["filters", 0, "operator"]],
  ["a filter without a value", { filters: [{ column: "a", operator: "eq" }] }, ["filters", 0, "value"]],
  [
    "U+0000 deep in a value",
    { filters: [{ column: "a", operator: "eq", value: { b: ["\u0000"] } }] },
    ["filters", 0, "value"],
  ],
])("%s is refused, naming the field", (_, change, path) => {
  const parsed = chartDefinitionSchema.safeParse({ ...sound, ...change });
  expect(parsed.error?.issues.map((issue) => issue.path)).toEqual([path]);
});

const first = { column: "zip", operator: "eq", value: "98030" };
test.each([
  ["null is as good as none, where it was stored", null, undefined],
  ["one filter means a list of one", first, [first]],
  ["a list is taken as it is", [first, first], [first, first]],
])("of a segment, %s", (_what, segment, read) => {
  const metric = { key: "n", aggregation: "count", segment };
  expect(storedMetricSchema.parse(metric).segment).toEqual(read);
  if (segment) expect(chartMetricSchema.parse(metric).segment).toEqual(read);
});

test.each([
  [{ column: "zip", operator: "like", value: "9" }, ["segment", 0, "operator"]],
  ["zip", ["segment"]],
])("of a segment %j, the field that is wrong is named", (segment, path) => {
  for (const schema of [chartMetricSchema, storedMetricSchema]) {
    const { error } = schema.safeParse({ key: "n", aggregation: "count", segment });
    expect(error?.issues.map((issue) => issue.path)).toEqual([path]);
  }
});

test("a text that only looks like an escape is taken", () => {
  const value = "\\u0000 \\\\ud800";
  expect(
    chartDefinitionSchema.parse({ ...sound, filters: [{ column: "a", operator: "eq", value }] }).filters[0]?.value,
  ).toBe(value);
});
