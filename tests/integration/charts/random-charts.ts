import fc from "fast-check";
import { aggregations, filterOperators } from "../../../lib/charts/chart-words.ts";
import type { OracleType, OracleValue } from "../../support/chart-oracle.ts";

/** A kind of column: its type to charts, to PostgreSQL, and values of it as PostgreSQL writes them. */
type ColumnKind = { type: OracleType; dataType: string; values: Exclude<OracleValue, null>[] };

const texts = [
  "",
  "|||",
  "a|||b",
  "a",
  "b",
  "__proto__",
  "constructor",
  "null",
  "King",
  "king",
  "KING",
  " x ",
  "100%",
].concat(["a_b", "\\", "東京", "🎈", "é", 'say "hi"', "o'b", "x\ny", "10", "9", "-", "=1+1", "NaN"]);
const wholes = ["0", "1", "-1", "2", "7", "20", "2147483647", "-2147483648"];
const decimals = [
  "0",
  "0.1",
  "0.10",
  "0.2",
  "0.3",
  "1.005",
  "-2.5",
  "2.50",
  "12345678901234567.89",
  "99999.999999999999995",
].concat(["0.00000000000000000001", "-0.1", "1000000", "3", "0.333333333333333333333"]);
const floats = ["0.1", "0.2", "0.30000000000000004", "1.5", "-3", "1e-7", "1e+21", "123456.789"];
const json = [
  "null",
  "true",
  '"a"',
  '"|||"',
  "1",
  "1.0",
  "1.50",
  "9007199254740993",
  "[]",
  '[1, "a"]',
  "[1.0]",
  "[1]",
].concat([
  "[[1, 2], 3]",
  "{}",
  '{"a": 1}',
  '{"a": 1.0, "b": null}',
  '{"__proto__": 1}',
  '{"a": {"b": ["x"]}}',
  "[9007199254740993]",
]);

export const columnKinds: Record<string, ColumnKind> = {
  text: { type: "text", dataType: "text", values: texts },
  varchar: { type: "text", dataType: "varchar(40)", values: texts },
  integer: { type: "integer", dataType: "integer", values: wholes },
  bigint: {
    type: "number",
    dataType: "bigint",
    values: [...wholes, "9007199254740992", "9007199254740993", "-9007199254740993", "4611686018427387904"],
  },
  numeric: { type: "number", dataType: "numeric", values: decimals },
  notFinite: { type: "number", dataType: "numeric", values: ["1", "2.5", "NaN", "Infinity", "-Infinity"] },
  float: { type: "number", dataType: "double precision", values: floats },
  real: { type: "number", dataType: "real", values: ["0.1", "0.25", "-7", "16777216"] },
  boolean: { type: "boolean", dataType: "boolean", values: [true, false] },
  date: { type: "date", dataType: "date", values: ["2026-11-01", "2026-11-02", "1969-12-31", "2024-02-29"] },
  time: {
    type: "time",
    dataType: "timestamptz",
    values: ["2026-11-01T10:00:00+00:00", "2026-11-01T10:00:00.000001+00:00", "1969-12-31T23:59:59.5+00:00"],
  },
  uuid: {
    type: "uuid",
    dataType: "uuid",
    values: ["00000000-0000-4000-8000-00000000000a", "ffffffff-ffff-4fff-bfff-ffffffffffff"],
  },
  texts: {
    type: "array",
    dataType: "text[]",
    values: ["[]", '["a"]', '["a", "b"]', '["|||", null]', '["b", "a"]', '[""]'],
  },
  numbers: { type: "array", dataType: "numeric[]", values: ["[]", "[1]", "[1.0]", "[1.50, 2]", "[9007199254740993]"] },
  jsonb: { type: "json", dataType: "jsonb", values: json },
  json: { type: "json", dataType: "json", values: json },
};

/** Columns of an invented source by name, each of the kind that is named. */
export const columnSets: Record<string, keyof typeof columnKinds>[] = [
  { name: "text", city: "text", size: "integer", price: "numeric", day: "date", open: "boolean" },
  {
    __proto___: "text",
    "__proto__ ": "integer",
    constructor: "text",
    "a,b": "numeric",
    'we"ird; --': "text",
    select: "integer",
  },
  { tags: "texts", numbers: "numbers", facts: "jsonb", plain: "json", name: "varchar", size: "bigint" },
  { float: "float", real: "real", big: "bigint", odd: "notFinite", at: "time", day: "date" },
  { id: "uuid", Größe: "numeric", "%s %I $1": "text", at: "time", facts: "jsonb", flag: "boolean" },
];
// The name itself, which no object literal can hold as a plain key.
Object.defineProperty(columnSets[1], "__proto__", { value: "text", enumerable: true });

/** Values of a kind of column, and now and then none. */
export const valueOfKind = (kind: string): fc.Arbitrary<OracleValue> =>
  fc.option(fc.constantFrom(...(columnKinds[kind]?.values ?? [])), { freq: 5 });

// A number as JSON carries it: as its text where JavaScript cannot hold it.
function asJson({ type }: ColumnKind, value: Exclude<OracleValue, null>): unknown {
  if (typeof value === "boolean") return value;
  if (type === "array" || type === "json") return JSON.parse(value);
  if (type !== "integer" && type !== "number") return value;
  const number = Number(value);
  return Number.isFinite(number) && plain(number) === plain(value) ? number : value;
}

// Without an exponent and trailing zeros, for numbers that have at most 20 digits on each side.
function plain(number: string | number): string {
  const [mantissa = "", exponent = "0"] = String(number).split("e");
  const [whole = "", fraction = ""] = mantissa.replace("-", "").split(".");
  const digits = "0".repeat(40) + whole + fraction + "0".repeat(40);
  const point = 40 + whole.length + Number(exponent);
  const text = `${digits.slice(0, point).replace(/^0+/, "")}.${digits.slice(point).replace(/0+$/, "")}`;
  return (String(number).startsWith("-") ? "-" : "") + text;
}

function filterOn(columns: [string, ColumnKind][]) {
  return fc.constantFrom(...columns).chain(([column, kind]) => {
    const one = fc.constantFrom(...kind.values).map((value) => asJson(kind, value));
    const oneOrNone = fc.option(one, { freq: 5 });
    const part = one.map((value) => (typeof value === "string" ? value.slice(0, 2) : value));
    const pattern = one.map((value) => (typeof value === "string" ? value.replace(/[ai]/gi, "_").concat("%") : value));
    const element = one.map((value) => (Array.isArray(value) && value.length > 0 ? value[0] : value));
    return fc.constantFrom(...filterOperators).chain((operator) => {
      const values: Record<string, fc.Arbitrary<unknown>> = {
        eq: oneOrNone,
        neq: oneOrNone,
        in: fc.array(oneOrNone, { maxLength: 3 }),
        contains: kind.type === "text" ? part : fc.oneof(one, element),
        ilike: fc.oneof(pattern, fc.constantFrom("%", "_", "%I%", "\\", "K%", "100\\%")),
      };
      return (values[operator] ?? one).map((value) => ({ column, operator, value }));
    });
  });
}

function metricOver(columns: [string, ColumnKind][], segment: fc.Arbitrary<object[]>) {
  const names = columns.map(([name]) => name);
  const numbers = columns.filter(([, { type }]) => type === "number" || type === "integer").map(([name]) => name);
  return fc.oneof(
    fc.record({ aggregation: fc.constant("count"), segment }),
    fc.record({ aggregation: fc.constant("count"), column: fc.constantFrom(...names), segment }),
    fc.record({
      aggregation: fc.constantFrom("sum", "avg", "min", "max"),
      column: fc.constantFrom(...numbers),
      segment,
    }),
    fc.record({ aggregation: fc.constantFrom(...aggregations), column: fc.constantFrom(...names), segment }),
  );
}

/**
 * Definitions over columns: most can run. The operators and aggregations are of any column, so that some do not fit; one
 * in eight has a part that is broken otherwise.
 */
export function randomDefinition(columns: Record<string, string>) {
  const kinds = Object.entries(columns).flatMap(([name, kind]): [string, ColumnKind][] => {
    const found = columnKinds[kind];
    return found ? [[name, found]] : [];
  });
  const fitting = filterOn(kinds).filter(({ column, operator }) => {
    const type = kinds.find(([name]) => name === column)?.[1].type ?? "text";
    const few: Partial<Record<OracleType, string[]>> = {
      text: [...filterOperators],
      array: ["eq", "neq", "in", "contains"],
      json: ["eq", "neq", "in", "contains"],
      boolean: ["eq", "neq", "in"],
      uuid: ["eq", "neq", "in"],
    };
    return (few[type] ?? ["eq", "neq", "gt", "gte", "lt", "lte", "in"]).includes(operator);
  });
  const filters = fc.oneof(
    { weight: 12, arbitrary: fc.array(fitting, { maxLength: 2 }) },
    { weight: 1, arbitrary: fc.array(filterOn(kinds), { maxLength: 2 }) },
  );
  const groupable = kinds.map(([name]) => name).filter((name) => !name.includes(",") && name === name.trim());
  const groupBy = fc
    .tuple(fc.subarray(groupable, { maxLength: 3 }), fc.constantFrom(",", " , ", ",\t"))
    .map(([names, comma]) => names.join(comma));
  const metrics = fc
    .array(metricOver(kinds, fc.oneof(fc.constant<object[]>([]), filters)), { maxLength: 4 })
    .map((list) => list.map((metric, at) => ({ key: `m${at}`, ...metric })));
  const sound = fc.record({ groupBy, metrics, filters });
  return fc.oneof({ weight: 7, arbitrary: sound }, { weight: 1, arbitrary: fc.tuple(sound, broken).map(breakPart) });
}

const broken = fc.constantFrom<[string, unknown]>(
  ["groupBy", "no_such_column"],
  ["groupBy", "a,,b"],
  ["groupBy", "name, name,"],
  ["groupBy", 'name"; drop table public.charts; --'],
  ["metrics", {}],
  ["metrics", [null]],
  ["metrics", [{ key: "A", aggregation: "count" }]],
  ["metrics", [{ key: "", aggregation: "count" }]],
  ["metrics", [{ key: "a'b", aggregation: "count" }]],
  ["metrics", [{ aggregation: "count" }]],
  [
    "metrics",
    [
      { key: "m", aggregation: "count" },
      { key: "m", aggregation: "count" },
    ],
  ],
  ["metrics", [{ key: "m", aggregation: "median" }]],
  ["metrics", [{ key: "m", aggregation: ["count"] }]],
  ["metrics", [{ key: "m", aggregation: "sum" }]],
  ["metrics", [{ key: "m", aggregation: "count", column: "no_such_column" }]],
  ["metrics", [{ key: "m", aggregation: "count", column: 1 }]],
  ["metrics", [{ key: "m", aggregation: "count", segment: {} }]],
  ["metrics", [{ key: "m", aggregation: "count", segment: [{ column: "x y", operator: "eq", value: 1 }] }]],
  ["filters", { column: "name", operator: "eq", value: "x" }],
  ["filters", ["county"]],
  ["filters", [{ column: "toString", operator: "eq", value: 1 }]],
  ["filters", [{ column: "team_id", operator: "= team_id or team_id <>", value: "x" }]],
  ["filters", [{ column: "team_id", operator: "eq", value: 1 }]],
  ["filters", [{ column: "team_id", operator: "eq" }]],
  ["filters", [{ column: "team_id", operator: "in", value: "x" }]],
  ["filters", [{ column: "team_id", operator: "gt", value: null }]],
);

function breakPart([definition, [part, value]]: [object, [string, unknown]]) {
  return { groupBy: "", metrics: [], filters: [], ...definition, [part]: value };
}
