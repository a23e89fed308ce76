// Computes charts record by record by contract 4.5, with exact decimals.
import type { ChartCondition } from "../../lib/charts/definition/definition.ts";

/** Types of the columns of an invented source; `array` and `json` hold the text of a JSON value. */
export type OracleType = "text" | "integer" | "number" | "date" | "time" | "boolean" | "uuid" | "array" | "json";
/** Numbers are decimal texts, dates and times ISO texts, lists and objects JSON texts. JSON's null is no value. */
export type OracleValue = string | boolean | null;
export type OracleRecord = ReadonlyMap<string, OracleValue>;
export type OracleSource = {
  columns: ReadonlyMap<string, OracleType>;
  records: OracleRecord[];
  /** The registered voters of each county that has a count. */
  registered: ReadonlyMap<OracleValue, number>;
};

type Json = null | boolean | string | number | Json[] | { [key: string]: Json };
type Metric = { key: string; label?: unknown; aggregation: string; column?: unknown; segment?: unknown };
export type OracleDefinition = { groupBy: string; metrics: unknown; filters: unknown };

/** The expected chart: its rows, or the parts of which the refusal names one. */
export type Expected =
  | { refused: string[] }
  | {
      rows: { key: string; group: [string, Json][]; values: [string, number | null][]; cell: OracleRecord[][] }[];
      recordCount: number;
    };

class Refused extends Error {
  readonly part: string;
  constructor(part: string) {
    super(part);
    this.part = part;
  }
}

/** Computes a definition over the records of its place. `cell` has the records counted by each metric of a row. */
export function expectedChart(source: OracleSource, definition: OracleDefinition): Expected {
  try {
    return compute(source, definition);
  } catch (error) {
    if (error instanceof Refused) return { refused: [error.part] };
    throw error;
  }
}

function compute(source: OracleSource, { groupBy, metrics: givenMetrics, filters }: OracleDefinition): Expected {
  const names = groupBy.trim() === "" ? [] : groupBy.split(",").map((name) => name.trim());
  for (const name of names) if (!source.columns.has(name)) throw new Refused("groupBy");
  if (new Set(names).size < names.length) throw new Refused("groupBy");
  const passes = condition(source, filters, "filters");
  const metrics = checkedMetrics(source, givenMetrics, names.includes("county"));
  const records = source.records.filter(passes);

  const groups = new Map<string, OracleRecord[]>();
  if (names.length === 0) groups.set("[]", []); // one row, also over no records
  for (const record of records) {
    const identity = JSON.stringify(names.map((name) => identityOf(typeOf(source, name), recordValue(record, name))));
    groups.set(identity, [...(groups.get(identity) ?? []), record]);
  }

  const refused: string[] = [];
  const rows = [...groups.values()].map((members) => {
    const shown = names.map((name) => shownValue(typeOf(source, name), members, name));
    const cell = metrics.map(({ counts }) => members.filter(counts));
    const values = metrics.map(({ key, aggregation, column }, index): [string, number | null] => {
      const [member] = members;
      if (aggregation === "registered")
        return [key, (member && source.registered.get(recordValue(member, "county"))) ?? null];
      try {
        return [key, aggregate(source, aggregation, column, cell[index] ?? [])];
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        refused.push(`metrics.${index}`);
        return [key, null];
      }
    });
    return {
      sorting: shown.map(({ sorting }) => sorting),
      row: {
        key: shown.map(({ text }) => text).join("|||"),
        group: names.map((name, index): [string, Json] => [name, shown[index]?.json ?? null]),
        values,
        cell,
      },
    };
  });
  if (refused.length > 0) return { refused };
  rows.sort((left, right) => compareLists(left.sorting, right.sorting));
  return { rows: rows.map(({ row }) => row), recordCount: records.length };
}

// ── Metrics ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isMetric = (value: unknown): value is Metric => isObject(value);

function checkedMetrics(source: OracleSource, input: unknown, byCounty: boolean) {
  if (!Array.isArray(input)) throw new Refused("metrics");
  const keys = new Set<string>();
  return input.map((metric: unknown, index) => {
    const part = `metrics.${index}`;
    if (!isMetric(metric)) throw new Refused(part);
    const { key, aggregation } = metric;
    if (typeof key !== "string" || !/^[a-z][a-zA-Z0-9_]{0,39}$/.test(key) || keys.has(key)) {
      throw new Refused(`${part}.key`);
    }
    keys.add(key);
    if (!["count", "sum", "avg", "median", "min", "max", "distinct", "registered"].includes(aggregation))
      throw new Refused(`${part}.aggregation`);
    if (aggregation === "registered") {
      if (metric.column != null) throw new Refused(`${part}.column`);
      if (metric.segment != null && JSON.stringify(metric.segment) !== "[]") throw new Refused(`${part}.segment`);
      if (!byCounty) throw new Refused(`${part}.aggregation`);
      return { key, aggregation, column: undefined, counts: () => true };
    }
    const column = metric.column ?? undefined;
    if (column === undefined ? aggregation !== "count" : typeof column !== "string" || !source.columns.has(column)) {
      throw new Refused(`${part}.column`);
    }
    const name = typeof column === "string" ? column : undefined;
    const type = name === undefined ? undefined : typeOf(source, name);
    const fits = type === "number" || type === "integer" || (["min", "max"].includes(aggregation) && isTime(type));
    if (aggregation !== "count" && aggregation !== "distinct" && !fits) throw new Refused(`${part}.column`);
    const segment = metric.segment ?? [];
    // One filter means a list of one.
    const isOne = typeof segment === "object" && !Array.isArray(segment);
    const inSegment = condition(source, isOne ? [segment] : segment, `${part}.segment`);
    const isGiven = (record: OracleRecord) => name === undefined || recordValue(record, name) !== null;
    return { key, aggregation, column: name, counts: (r: OracleRecord) => inSegment(r) && isGiven(r) };
  });
}

const isTime = (type: OracleType | undefined) => type === "date" || type === "time";

function aggregate(source: OracleSource, aggregation: string, column: string | undefined, records: OracleRecord[]) {
  if (aggregation === "count" || column === undefined) return records.length;
  const type = typeOf(source, column);
  if (aggregation === "distinct")
    return new Set(records.map((record) => JSON.stringify(identityOf(type, recordValue(record, column))))).size;
  if (records.length === 0) return null;
  const numbers = records.map((record) => {
    const text = String(recordValue(record, column));
    return isTime(type) ? decimal(milliseconds(text)) : decimal(text);
  });
  if (aggregation === "median") {
    const sorted = numbers.toSorted(compareNumbers);
    const valueAt = (index: number) => sorted[Math.floor(index)] ?? "NaN";
    return rounded(add(valueAt((sorted.length - 1) / 2), valueAt(sorted.length / 2)), 2n);
  }
  const total =
    aggregation === "sum" || aggregation === "avg" ? numbers.reduce(add) : numbers.reduce(pick(aggregation));
  return rounded(total, aggregation === "avg" ? BigInt(records.length) : 1n);
}

// A moment in ms, exactly to the microsecond.
function milliseconds(text: string) {
  const [, upToSecond = text, fraction = ""] = /^(.*:\d\d)\.(\d+)/.exec(text) ?? [];
  const ms = Date.parse(fraction ? `${upToSecond}Z` : text.length === 10 ? `${text}T00:00:00Z` : text);
  const micros = BigInt(ms) * 1000n + BigInt(fraction.padEnd(6, "0"));
  const sign = micros < 0n ? "-" : "";
  const digits = (micros < 0n ? -micros : micros).toString().padStart(4, "0");
  return `${sign}${digits.slice(0, -3)}.${digits.slice(-3)}`;
}

// ── Exact numbers ────────────────────────────────────────────────────────────────────────────────────────────────────

type Decimal = { units: bigint; scale: number } | "NaN" | "Infinity" | "-Infinity";

/** The exact number of a text such as `-1.50` or `1e-7`. */
function decimal(text: string): Decimal {
  if (text === "NaN" || text === "Infinity" || text === "-Infinity") return text;
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const scale = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

const isFinite_ = (number: Decimal): number is { units: bigint; scale: number } => typeof number === "object";
const scaled = ({ units, scale }: { units: bigint; scale: number }, to: number) => units * 10n ** BigInt(to - scale);

function add(left: Decimal, right: Decimal): Decimal {
  if (isFinite_(left) && isFinite_(right)) {
    const scale = Math.max(left.scale, right.scale);
    return { units: scaled(left, scale) + scaled(right, scale), scale };
  }
  if (isFinite_(left)) return right;
  return isFinite_(right) || left === right ? left : "NaN";
}

// NaN comes after every number, as in PostgreSQL.
function compareNumbers(left: Decimal, right: Decimal): number {
  if (isFinite_(left) && isFinite_(right)) {
    const scale = Math.max(left.scale, right.scale);
    const difference = scaled(left, scale) - scaled(right, scale);
    return difference === 0n ? 0 : difference < 0n ? -1 : 1;
  }
  const rank = (number: Decimal) => (isFinite_(number) ? 1 : ["-Infinity", "", "Infinity", "NaN"].indexOf(number));
  return rank(left) - rank(right);
}

function pick(aggregation: string) {
  return (left: Decimal, right: Decimal) =>
    (aggregation === "min" ? compareNumbers(left, right) <= 0 : compareNumbers(left, right) >= 0) ? left : right;
}

/** The number without trailing zeros or an exponent. */
function plainText(number: Decimal): string {
  if (!isFinite_(number)) return number;
  const digits = (number.units < 0n ? -number.units : number.units).toString().padStart(number.scale + 1, "0");
  const whole = digits.slice(0, digits.length - number.scale);
  const fraction = digits.slice(digits.length - number.scale).replace(/0+$/, "");
  return `${number.units < 0n ? "-" : ""}${whole}${fraction && "."}${fraction}`;
}

// An exact integer up to 2^53, otherwise rounded half away from zero to 15 significant digits.
function rounded(total: Decimal, count: bigint): number {
  if (!isFinite_(total)) throw new Refused("");
  const divisor = 10n ** BigInt(total.scale) * count;
  if (total.units % divisor === 0n) {
    const whole = total.units / divisor;
    if (whole > 2n ** 53n || whole < -(2n ** 53n)) throw new Refused("");
    return Number(whole);
  }
  const size = total.units < 0n ? -total.units : total.units;
  let places = 0;
  const atLeast = (digits: bigint) =>
    places >= 0 ? size * 10n ** BigInt(places) >= digits * divisor : size >= digits * divisor * 10n ** BigInt(-places);
  while (!atLeast(10n ** 14n)) places += 1;
  while (atLeast(10n ** 15n)) places -= 1;
  const up = places >= 0 ? 10n ** BigInt(places) : 1n;
  const down = places >= 0 ? divisor : divisor * 10n ** BigInt(-places);
  const digits = (2n * size * up + down) / (2n * down);
  return Number(`${total.units < 0n ? "-" : ""}${digits}e${-places}`);
}

/** Whether the shortest text of the number in JavaScript is exact. */
function survivesJson(text: string) {
  const number = decimal(text);
  if (!isFinite_(number)) return false;
  const size = Math.abs(Number(text));
  if (number.units !== 0n && !(size >= 1e-300 && size <= 1e300)) return false;
  return compareNumbers(number, decimal(String(Number(text)))) === 0;
}

// ── JSON whose numbers are exact ─────────────────────────────────────────────────────────────────────────────────────

type Exact = null | boolean | string | Exact[] | { [key: string]: Exact }; // texts begin with s, numbers with n

function exact(text: string): Exact {
  const token = /"((?:[^"\\]|\\.)*)"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  return JSON.parse(text.replace(token, (match, inner) => (match.startsWith('"') ? `"s${inner}"` : `"n${match}"`)));
}

const entriesOf = (value: { [key: string]: Exact }) =>
  Object.entries(value).sort(([left], [right]) => {
    const [a, b] = [Buffer.from(left), Buffer.from(right)];
    return a.length - b.length || Buffer.compare(a, b);
  });

// The text that PostgreSQL writes for jsonb.
function jsonText(value: Exact): string {
  if (typeof value === "string") return value.startsWith("n") ? value.slice(1) : JSON.stringify(value.slice(1));
  if (Array.isArray(value)) return `[${value.map(jsonText).join(", ")}]`;
  if (value === null || typeof value === "boolean") return String(value);
  return `{${entriesOf(value)
    .map(([key, inner]) => `${JSON.stringify(key.slice(1))}: ${jsonText(inner)}`)
    .join(", ")}}`;
}

// Equal for equal values, in any spelling of their numbers.
function normal(value: Exact): Exact {
  if (typeof value === "string") return value.startsWith("n") ? `n${plainText(decimal(value.slice(1)))}` : value;
  if (Array.isArray(value)) return value.map(normal);
  if (value === null || typeof value === "boolean") return value;
  return Object.fromEntries(entriesOf(value).map(([key, inner]) => [key, normal(inner)]));
}

const sameJson = (left: Exact, right: Exact) => JSON.stringify(normal(left)) === JSON.stringify(normal(right));
const isScalar = (value: Exact) => typeof value !== "object" || value === null;

function containsJson(outer: Exact, inner: Exact, top = true): boolean {
  if (isScalar(inner) && top && Array.isArray(outer))
    return outer.some((item) => isScalar(item) && sameJson(item, inner));
  if (isScalar(inner) || isScalar(outer)) return isScalar(inner) && isScalar(outer) && sameJson(outer, inner);
  if (Array.isArray(outer) || Array.isArray(inner)) {
    if (!Array.isArray(outer) || !Array.isArray(inner)) return false;
    return inner.every((part) => outer.some((item) => containsJson(item, part, false)));
  }
  if (outer === null || inner === null || typeof outer !== "object" || typeof inner !== "object") return false;
  return Object.entries(inner).every(
    ([key, part]) => Object.hasOwn(outer, key) && containsJson(outer[key] ?? null, part, false),
  );
}

function allNumbersSurvive(value: Exact): boolean {
  if (typeof value === "string") return value.startsWith("s") || survivesJson(value.slice(1));
  if (value === null || typeof value === "boolean") return true;
  return Object.values(value).every(allNumbersSurvive);
}

// ── Groups ───────────────────────────────────────────────────────────────────────────────────────────────────────────

function typeOf(source: OracleSource, name: string): OracleType {
  const type = source.columns.get(name);
  if (type === undefined) throw new Error(`No column ${name}.`);
  return type;
}

function recordValue(record: OracleRecord, name: string): OracleValue {
  return record.get(name) ?? null;
}

function identityOf(type: OracleType, value: OracleValue): unknown {
  if (typeof value !== "string") return value;
  if (type === "number" || type === "integer") return plainText(decimal(value));
  return type === "array" || type === "json" ? normal(exact(value)) : value;
}

type Shown = { json: Json; text: string; sorting: Sorting };
type Sorting = null | boolean | Buffer | Decimal;

function shownValue(type: OracleType, members: OracleRecord[], name: string): Shown {
  const values = members.map((record) => recordValue(record, name));
  const [value = null] = values;
  if (value === null) return { json: null, text: "", sorting: null };
  if (typeof value === "boolean") return { json: value, text: String(value), sorting: value };
  if (type === "number" || type === "integer") {
    const text = plainText(decimal(value));
    return { json: survivesJson(text) ? Number(text) : text, text, sorting: decimal(value) };
  }
  if (type !== "array" && type !== "json") return { json: value, text: value, sorting: Buffer.from(value) };
  const [text = ""] = values.map((json) => jsonText(exact(String(json)))).sort(byBytes);
  const tree = exact(text);
  const shown = typeof tree === "string" ? tree.slice(1) : text;
  return { json: allNumbersSurvive(tree) ? JSON.parse(text) : shown, text: shown, sorting: Buffer.from(text) };
}

const byBytes = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));

function compareLists(left: Sorting[], right: Sorting[]): number {
  for (const [index, value] of left.entries()) {
    const result = compareSorting(value, right[index] ?? null);
    if (result !== 0) return result;
  }
  return 0;
}

function compareSorting(left: Sorting, right: Sorting): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null);
  if (Buffer.isBuffer(left) && Buffer.isBuffer(right)) return Buffer.compare(left, right);
  if (typeof left === "boolean" || typeof right === "boolean") return Number(left) - Number(right);
  return Buffer.isBuffer(left) || Buffer.isBuffer(right) ? 0 : compareNumbers(left, right);
}

// ── Filters ──────────────────────────────────────────────────────────────────────────────────────────────────────────

const equality = ["eq", "neq", "in", "not-in"];

/** The operators that a filter on a column of a type can have. */
export function operatorsOf(type: OracleType): string[] {
  if (type === "boolean" || type === "uuid") return equality;
  if (type === "array" || type === "json") return [...equality, "contains", "not-contains"];
  return [...equality, "gt", "gte", "lt", "lte", ...(type === "text" ? ["contains", "not-contains", "ilike"] : [])];
}

function condition(source: OracleSource, filters: unknown, part: string): (record: OracleRecord) => boolean {
  if (!Array.isArray(filters)) throw new Refused(part);
  const conditions = filters.map((filter: unknown, position) => {
    const where = `${part}.${position}`;
    if (!isObject(filter)) throw new Refused(where);
    for (const word of ["any", "all"] as const) {
      if (!(word in filter)) continue;
      const list = filter[word];
      const place = `${where}.${word}`;
      if (!Array.isArray(list) || list.length === 0 || list.length > 50) throw new Refused(place);
      const conditions = list.map((filter: unknown, index) => {
        try {
          return condition(source, [filter], place);
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          throw new Refused(error.part.replace(`${place}.0`, `${place}.${index}`));
        }
      });
      const passes = (record: OracleRecord) => conditions.map((passes) => passes(record));
      return (record: OracleRecord) =>
        word === "any" ? passes(record).includes(true) : !passes(record).includes(false);
    }
    const { column, operator, value } = filter;
    if (typeof column !== "string" || !source.columns.has(column)) throw new Refused(`${where}.column`);
    const type = typeOf(source, column);
    if (typeof operator !== "string" || !operatorsOf(type).includes(operator)) throw new Refused(`${where}.operator`);
    if (value === undefined || !fits(type, operator, value)) throw new Refused(`${where}.value`);
    return (record: OracleRecord) =>
      holds(type, operator, recordValue(record, column), value as ChartCondition["value"]);
  });
  return (record) => conditions.every((passes) => passes(record));
}

function fits(type: OracleType, operator: string, value: unknown): boolean {
  if (operator.startsWith("not-")) return fits(type, operator.slice(4), value);
  if (operator === "in") return Array.isArray(value) && value.every((item) => item === null || fitsType(type, item));
  if (operator === "eq" || operator === "neq") return value === null || fitsType(type, value);
  if (operator === "contains" && type !== "text") return value !== null;
  return fitsType(type, value);
}

function fitsType(type: OracleType, value: unknown): boolean {
  switch (type) {
    case "text":
      return typeof value === "string";
    case "integer":
    case "number":
      if (typeof value === "number") return true;
      return typeof value === "string" && /^(-?\d+(\.\d+)?|NaN|-?Infinity)$/.test(value) && !survivesJson(value);
    case "date":
      return typeof value === "string" && /^\d{4}-\d\d-\d\d$/.test(value) && isDay(value);
    case "time":
      return typeof value === "string" && /^\d{4}-\d\d-\d\dT[\d:.]+(Z|\+00:00)$/.test(value);
    case "boolean":
      return typeof value === "boolean";
    case "uuid":
      return typeof value === "string" && /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value);
    case "array":
      return Array.isArray(value);
    case "json":
      return true;
  }
}

const isDay = (text: string) => {
  const date = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
};

function holds(type: OracleType, operator: string, value: OracleValue, operand: ChartCondition["value"]): boolean {
  if (operator.startsWith("not-")) return !holds(type, operator.slice(4), value, operand);
  if (operator === "neq") return !holds(type, "eq", value, operand);
  if (operator === "in") return Array.isArray(operand) && operand.some((item) => holds(type, "eq", value, item));
  if (value === null || operand === null) return operator === "eq" && value === operand;
  if (type === "array" || type === "json") {
    const [outer, inner] = [exact(String(value)), exact(JSON.stringify(operand))];
    return operator === "eq" ? sameJson(outer, inner) : containsJson(outer, inner);
  }
  if (operator === "contains") return String(value).includes(String(operand));
  if (operator === "ilike") return isLike(String(value), String(operand));
  const order = compareValues(type, value, operand);
  const passes: Record<string, boolean> = {
    eq: order === 0,
    gt: order > 0,
    gte: order >= 0,
    lt: order < 0,
    lte: order <= 0,
  };
  return passes[operator] ?? false;
}

function compareValues(type: OracleType, value: OracleValue, operand: unknown): number {
  if (typeof value === "boolean") return Number(value) - Number(operand);
  const [left, right] = [String(value), String(operand)];
  if (type === "integer" || type === "number") return compareNumbers(decimal(left), decimal(right));
  if (type === "time") return compareNumbers(decimal(milliseconds(left)), decimal(milliseconds(right)));
  return type === "uuid" ? byBytes(left.toLowerCase(), right.toLowerCase()) : byBytes(left, right);
}

// `%` is any text and `_` any character; nothing else is special.
function isLike(value: string, pattern: string) {
  const source = Array.from(pattern.toLowerCase(), (sign) => {
    if (sign === "%") return "[\\s\\S]*";
    return sign === "_" ? "[\\s\\S]" : sign.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&");
  });
  return new RegExp(`^${source.join("")}$`, "u").test(value.toLowerCase());
}
