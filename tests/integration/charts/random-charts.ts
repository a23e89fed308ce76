import fc from "fast-check";
import { aggregationNames, filterOperators } from "../../../lib/charts/definition/words.ts";
import { type OracleType, type OracleValue, operatorsOf } from "../../support/chart-oracle.ts";

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
  "a_b",
  "\\",
  "東京",
  "🎈",
  "é",
  'say "hi"',
  "o'b",
  "x\ny",
  "10",
  "9",
  "-",
  "=1+1",
  "NaN",
];
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
  "0.00000000000000000001",
  "-0.1",
  "1000000",
  "3",
  "0.333333333333333333333",
];
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
  "[[1, 2], 3]",
  "{}",
  '{"a": 1}',
  '{"a": 1.0, "b": null}',
  '{"__proto__": 1}',
  '{"a": {"b": ["x"]}}',
  "[9007199254740993]",
];
const bigs = [...wholes, "9007199254740992", "9007199254740993", "-9007199254740993", "4611686018427387904"];
const instants = ["10:00:00+00:00", "10:00:00.000001+00:00"].map((time) => `2026-11-01T${time}`);
const uuids = ["00000000-0000-4000-8000-00000000000a", "ffffffff-ffff-4fff-bfff-ffffffffffff"];
const lists = ["[]", '["a"]', '["a", "b"]', '["|||", null]', '["b", "a"]', '[""]'];
const days = ["2026-11-01", "2026-11-02", "1969-12-31", "2024-02-29"];

export const columnKinds: Record<string, ColumnKind> = {
  text: { type: "text", dataType: "text", values: texts },
  varchar: { type: "text", dataType: "varchar(40)", values: texts },
  integer: { type: "integer", dataType: "integer", values: wholes },
  bigint: { type: "number", dataType: "bigint", values: bigs },
  numeric: { type: "number", dataType: "numeric", values: decimals },
  notFinite: { type: "number", dataType: "numeric", values: ["1", "2.5", "NaN", "Infinity", "-Infinity"] },
  float: { type: "number", dataType: "double precision", values: floats },
  real: { type: "number", dataType: "real", values: ["0.1", "0.25", "-7", "16777216"] },
  boolean: { type: "boolean", dataType: "boolean", values: [true, false] },
  date: { type: "date", dataType: "date", values: days },
  time: { type: "time", dataType: "timestamptz", values: [...instants, "1969-12-31T23:59:59.5+00:00"] },
  uuid: { type: "uuid", dataType: "uuid", values: uuids },
  texts: { type: "array", dataType: "text[]", values: lists },
  numbers: { type: "array", dataType: "numeric[]", values: ["[]", "[1]", "[1.0]", "[1.50, 2]", "[9007199254740993]"] },
  jsonb: { type: "json", dataType: "jsonb", values: json },
  json: { type: "json", dataType: "json", values: json },
};

/** Columns of an invented source by name, each of the kind that is named. */
export const columnSets: Record<string, keyof typeof columnKinds>[] = [
  { name: "text", city: "text", size: "integer", price: "numeric", day: "date", open: "boolean", county: "text" },
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
// An object literal can't have this name as a plain key.
Object.defineProperty(columnSets[1], "__proto__", { value: "text", enumerable: true });

/** Values of a kind of column, and sometimes none. */
export const valueOfKind = (kind: string): fc.Arbitrary<OracleValue> =>
  fc.option(fc.constantFrom(...(columnKinds[kind]?.values ?? [])), { freq: 5 });

// A number as JSON carries it: as text where JavaScript can't store it.
function asJson({ type }: ColumnKind, value: Exclude<OracleValue, null>): unknown {
  if (typeof value === "boolean") return value;
  if (type === "array" || type === "json") return JSON.parse(value);
  if (type !== "integer" && type !== "number") return value;
  const number = Number(value);
  return Number.isFinite(number) && plain(number) === plain(value) ? number : value;
}

// Writes a number without exponent and trailing zeros; it has at most 20 digits on each side.
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
    const single = fc.constantFrom(...kind.values).map((value) => asJson(kind, value));
    const oneOrNone = fc.option(single, { freq: 5 });
    const part = single.map((value) => (typeof value === "string" ? value.slice(0, 2) : value));
    const pattern = single.map((value) =>
      typeof value === "string" ? value.replace(/[ai]/gi, "_").concat("%") : value,
    );
    const element = single.map((value) => (Array.isArray(value) && value.length > 0 ? value[0] : value));
    return fc.constantFrom(...filterOperators).chain((operator) => {
      const values: Record<string, fc.Arbitrary<unknown>> = {
        eq: oneOrNone,
        neq: oneOrNone,
        in: fc.array(oneOrNone, { maxLength: 3 }),
        contains: kind.type === "text" ? part : fc.oneof(single, element),
        ilike: fc.oneof(pattern, fc.constantFrom("%", "_", "%I%", "\\", "K%", "100\\%")),
      };
      return (values[operator.replace("not-", "")] ?? single).map((value) => ({ column, operator, value }));
    });
  });
}

/** The registered voters of some of the values of a text. */
export const registeredVoters = new Map<OracleValue, number>(
  texts.filter((_, index) => index % 2 === 0).map((text, index) => [text, 7 + index]),
);

function metricOver(columns: [string, ColumnKind][], segment: fc.Arbitrary<object[]>) {
  const names = columns.map(([name]) => name);
  const ofCounty = names.includes("county") ? [fc.constant({ aggregation: "registered" })] : [];
  const numbers = columns.filter(([, { type }]) => type === "number" || type === "integer").map(([name]) => name);
  return fc.oneof(
    ...ofCounty,
    fc.record({ aggregation: fc.constant("count"), segment }),
    fc.record({ aggregation: fc.constant("count"), column: fc.constantFrom(...names), segment }),
    fc.record({
      aggregation: fc.constantFrom("sum", "avg", "median", "min", "max"),
      column: fc.constantFrom(...numbers),
      segment,
    }),
    fc.record({ aggregation: fc.constantFrom(...aggregationNames), column: fc.constantFrom(...names), segment }),
  );
}

/** Definitions over columns, most of which can run: some operators and aggregations don't fit their column. */
export function randomDefinition(columns: Record<string, string>) {
  const kinds = Object.entries(columns).flatMap(([name, kind]): [string, ColumnKind][] => {
    const columnKind = columnKinds[kind];
    return columnKind ? [[name, columnKind]] : [];
  });
  const fitting = filterOn(kinds).filter(({ column, operator }) => {
    const type = kinds.find(([name]) => name === column)?.[1].type ?? "text";
    return operatorsOf(type).includes(operator);
  });
  const fromTo = fc.array(fitting, { minLength: 1, maxLength: 2 }).map((all) => ({ all }));
  const alternatives = fc
    .array(fc.oneof({ weight: 3, arbitrary: fitting as fc.Arbitrary<object> }, { weight: 1, arbitrary: fromTo }), {
      minLength: 1,
      maxLength: 3,
    })
    .map((any) => ({ any }));
  const grouped = fc.oneof(
    { weight: 2, arbitrary: fitting as fc.Arbitrary<object> },
    { weight: 1, arbitrary: alternatives },
  );
  const filters = fc.oneof(
    { weight: 12, arbitrary: fc.array(grouped, { maxLength: 2 }) },
    { weight: 1, arbitrary: fc.array(filterOn(kinds), { maxLength: 2 }) },
  );
  const groupable = kinds.map(([name]) => name).filter((name) => !name.includes(",") && name === name.trim());
  const groupBy = fc
    .tuple(
      fc.subarray(groupable, { maxLength: 3 }),
      fc.constantFrom(",", " , ", ",\t"),
      fc.subarray(groupable.filter((name) => name === "county")),
    )
    .map(([names, comma, county]) => [...new Set([...names, ...county])].join(comma));
  const metrics = fc
    .array(metricOver(kinds, fc.oneof(fc.constant<object[]>([]), filters)), { maxLength: 4 })
    .map((list) => list.map((metric, index) => ({ key: `m${index}`, ...metric })));
  return fc.record({ groupBy, metrics, filters });
}

const counted = { key: "m", aggregation: "count" };
const ofTeam = { column: "team_id", operator: "eq", value: "x" };
const injected = 'name"; drop table public.charts; --';

/** Parts of a definition that can't run. */
export const brokenParts: { groupBy?: string; metrics?: unknown; filters?: unknown }[] = [
  ...["no_such_column", "a,,b", "name, name,", "*", "ctid", injected].map((groupBy) => ({ groupBy })),
  ...[{}, "[]", [null], [counted, counted]].map((metrics) => ({ metrics })),
  ...["A", "", "a'b", undefined].map((key) => ({ metrics: [{ ...counted, key }] })),
  ...["mode", "count(*), max", ["count"], "sum", "registered"].map((aggregation) => ({
    metrics: [{ ...counted, aggregation }],
  })),
  ...["no_such_column", "ctid", injected, 1].map((column) => ({ metrics: [{ ...counted, column }] })),
  ...[{}, "name", 7, [{ ...ofTeam, column: "x y" }]].map((segment) => ({ metrics: [{ ...counted, segment }] })),
  ...[
    { ...ofTeam, column: "name" },
    ["county"],
    [{ ...ofTeam, column: "toString" }],
    [{ ...ofTeam, column: "ctid" }],
  ].map((filters) => ({ filters })),
  ...["= team_id or team_id <>", "EQ", "", "in"].map((operator) => ({ filters: [{ ...ofTeam, operator }] })),
  ...[1, undefined].map((value) => ({ filters: [{ ...ofTeam, value }] })),
  { filters: [{ ...ofTeam, operator: "gt", value: null }] },
  ...[[], {}, "x", [1], [{ ...ofTeam, column: "ctid" }], [{ all: [{ ...ofTeam, operator: "EQ" }] }]].map((any) => ({
    filters: [ofTeam, { any }],
  })),
];
