import { expect, test } from "vitest";
import {
  chartDefinitionSchema,
  chartMetricSchema,
  storedMetricSchema,
} from "../../../lib/charts/definition/definition.ts";

const count = { key: "n", aggregation: "count" };
const filter = { column: "zip", operator: "eq", value: "98030" };
const valid = {
  name: " By county ",
  kind: "bar",
  source: "signatures",
  groupBy: "county",
  metrics: [{ ...count, segment: [{ column: "zip", operator: "in", value: ["98030", null] }] }],
  filters: [{ column: "line", operator: "gt", value: 3 }],
};

test("accepts a valid definition and trims its name", () => {
  expect(chartDefinitionSchema.parse(valid)).toEqual({ ...valid, name: "By county" });
});

test.each<[string, object, (string | number)[]]>([
  ["no name", { name: "  " }, ["name"]],
  ["a long name", { name: "x".repeat(121) }, ["name"]],
  ["an unknown kind", { kind: "radar" }, ["kind"]],
  ["no source", { source: "" }, ["source"]],
  ["no measure", { metrics: [] }, ["metrics"]],
  ["51 measures", { metrics: Array.from({ length: 51 }, (_, index) => ({ ...count, key: `m${index}` })) }, ["metrics"]],
  ["two measures with the same key", { metrics: [count, count] }, ["metrics"]],
  ["an invalid key", { metrics: [{ ...count, key: "N" }] }, ["metrics", 0, "key"]],
  ["an unknown aggregation", { metrics: [{ ...count, aggregation: "mode" }] }, ["metrics", 0, "aggregation"]],
  ["a sum without a column", { metrics: [{ ...count, aggregation: "sum" }] }, ["metrics", 0, "column"]],
  ["an unknown operator", { filters: [{ ...filter, operator: "like" }] }, ["filters", 0, "operator"]],
  [
    "a right axis of something else than keys",
    { display: { axis: { right: { keys: ["validity rate"] } } } },
    ["display", "axis", "right", "keys", 0],
  ],
  ["a filter without a value", { filters: [{ ...filter, value: undefined }] }, ["filters", 0, "value"]],
])("refuses %s, naming the field", (_, change, path) => {
  const parsed = chartDefinitionSchema.safeParse({ ...valid, ...change });
  expect(parsed.error?.issues.map((issue) => issue.path)).toEqual([path]);
});

test.each<[unknown, (string | number)[], string]>([
  [[], ["filters", 0], "must be an object"],
  ["zip", ["filters", 0], "must be an object"],
  [{ ...filter, column: 3 }, ["filters", 0, "column"], "must be text"],
  [{ any: filter }, ["filters", 0, "any"], "must be a list"],
  [{ any: [[filter]] }, ["filters", 0, "any", 0], "must be an object"],
  [{ any: [{ all: {} }] }, ["filters", 0, "any", 0, "all"], "must be a list"],
])("says in plain words what is wrong with the filter %j", (wrong, path, message) => {
  const { error } = chartDefinitionSchema.safeParse({ ...valid, filters: [wrong] });
  expect(error?.issues).toEqual([expect.objectContaining({ path, message })]);
});

test.each([
  ["null is read as none in a stored chart", null, undefined],
  ["a single filter is read as a list", filter, [filter]],
  ["a list is kept", [filter, filter], [filter, filter]],
])("in a segment, %s", (_what, segment, read) => {
  const metric = { ...count, segment };
  expect(storedMetricSchema.parse(metric).segment).toEqual(read);
  if (segment) expect(chartMetricSchema.parse(metric).segment).toEqual(read);
});

test.each([
  [{ ...filter, operator: "like" }, ["segment", 0, "operator"]],
  ["zip", ["segment"]],
])("names the wrong field of the segment %j", (segment, path) => {
  for (const schema of [chartMetricSchema, storedMetricSchema]) {
    const { error } = schema.safeParse({ ...count, segment });
    expect(error?.issues.map((issue) => issue.path)).toEqual([path]);
  }
});
