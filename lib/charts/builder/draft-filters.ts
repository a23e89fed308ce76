import type { ChartFilter } from "@/lib/charts/definition/definition";
import { isPeriod } from "@/lib/charts/definition/period";
import type { ChartColumn } from "@/lib/charts/definition/source";
import type { FilterOperator } from "@/lib/charts/definition/words";
import { fromWallClock, toWallClock } from "@/lib/format/days";

/**
 * The operators of a filter as a person chooses them: beside those that are stored, two that need no value, `between`, which
 * writes two filters, from … to, both included, `starts`, which writes a pattern, and `last`, which writes relative days.
 */
export type DraftOperator = FilterOperator | "missing" | "given" | "between" | "starts" | "last";

/**
 * A filter as it is typed: texts, whatever the column's type. `in` has several; its last is still being typed. A new one has
 * no column.
 */
export type DraftFilter = {
  id: number;
  column: string;
  operator: DraftOperator;
  values: string[];
  /** As it is stored, while nothing of it is changed: a field shows less of some values than they hold. */
  untouched?: ChartFilter[] | undefined;
};

let lastId = 0;

/** A number that tells a part of a draft from all others. */
export function newDraftId(): number {
  lastId += 1;
  return lastId;
}

/** A filter that is yet to be filled in. */
export function newFilter(): DraftFilter {
  return { id: newDraftId(), column: "", operator: "eq", values: [""] };
}

/** A filter with a change: from now on it is what its fields say. */
export function touched(filter: DraftFilter, change: Partial<DraftFilter> = {}): DraftFilter {
  return { ...filter, ...change, untouched: undefined };
}

/** Whether a filter has no value yet: it takes no part in what is computed. */
export function isUnfinished({ column, operator, values, untouched }: DraftFilter): boolean {
  if (untouched) return false;
  if (column === "") return true;
  if (operator === "missing" || operator === "given") return false;
  return operator === "in" ? values.every((text) => text === "") : values.includes("");
}

/** How many filters of a definition one row of the builder writes. */
export function filtersOf(filter: DraftFilter): number {
  if (isUnfinished(filter)) return 0;
  return filter.operator === "between" ? 2 : 1;
}

/** Where a filter that has no value yet says so, among the problems of a draft. */
export const unfinishedPart = ({ id }: DraftFilter) => `unfinished.${id}`;

const hasSpans = (type: ChartColumn["type"]) => type === "number" || type === "date" || type === "time";

/** Stored filters, made ready to be changed: two that say from … to are one. */
export function draftFilters(list: ChartFilter[], columns: ChartColumn[], timeZone: string): DraftFilter[] {
  const drafts: DraftFilter[] = [];
  for (const filter of list) {
    const draft = draftFilter(filter, columns, timeZone);
    const from = drafts.at(-1);
    const isEnd = from?.operator === "gte" && draft.operator === "lte" && from.column === draft.column;
    const type = columns.find(({ name }) => name === draft.column)?.type ?? "text";
    const values = [...(from?.values ?? []), ...draft.values];
    if (isEnd && hasSpans(type) && !values.some(isPeriod))
      drafts.splice(-1, 1, { ...from, operator: "between", values, untouched: [...(from.untouched ?? []), filter] });
    else drafts.push(draft);
  }
  return drafts;
}

function draftFilter(filter: ChartFilter, columns: ChartColumn[], timeZone: string): DraftFilter {
  const { column, operator, value } = filter;
  const type = columns.find(({ name }) => name === column)?.type;
  const same = { id: newDraftId(), column };
  const text = (one: unknown) => {
    if (typeof one !== "string") return JSON.stringify(one);
    return type === "time" && !isPeriod(one) ? toWallClock(one, timeZone) : one;
  };
  if (value === null && operator === "eq") return { ...same, operator: "missing", values: [""] };
  if (value === null && operator === "neq") return { ...same, operator: "given", values: [""] };
  const untouched = [filter];
  const days = operator === "eq" && (type === "date" || type === "time") ? /^last (\d+) days$/.exec(text(value)) : null;
  if (days?.[1]) return { ...same, operator: "last", values: [days[1]], untouched };
  const beginning = operator === "ilike" && typeof value === "string" ? /^([^%_]+)%$/s.exec(value) : null;
  if (beginning?.[1]) return { ...same, operator: "starts", values: [beginning[1]], untouched };
  const values = operator === "in" && Array.isArray(value) ? [...value.map(text), ""] : [text(value)];
  return { ...same, operator, values, untouched };
}

/**
 * The filters that those of a draft stand for, and what is wrong with them, by where they stand in the list: `0.value`. What
 * has no value yet is left out.
 */
export function writeFilters(
  list: DraftFilter[],
  { columns, timeZone }: { columns: ChartColumn[]; timeZone: string },
): { filters: ChartFilter[]; problems: [string, string][] } {
  const filters: ChartFilter[] = [];
  const problems: [string, string][] = [];
  for (const filter of list) {
    if (isUnfinished(filter)) continue;
    const { column, operator, values, untouched } = filter;
    const type = columns.find(({ name }) => name === column)?.type ?? "text";
    const needsValue = operator !== "missing" && operator !== "given";
    const typed = operator === "in" && values.at(-1) === "" ? values.slice(0, -1) : values;
    const read = untouched || !needsValue ? [] : typed.map((text) => readValue(text, type, operator, timeZone));
    const wrong = read.find((one) => "problem" in one);
    if (wrong) problems.push([`${filters.length}.value`, wrong.problem]);
    const given = read.map((one) => ("value" in one ? one.value : null));
    filters.push(...(untouched ?? filtersWith(column, operator, given)));
  }
  return { filters, problems };
}

function filtersWith(column: string, operator: DraftOperator, values: Json[]): ChartFilter[] {
  const [value = null, end = null] = values;
  switch (operator) {
    case "missing":
      return [{ column, operator: "eq", value: null }];
    case "given":
      return [{ column, operator: "neq", value: null }];
    case "between":
      return [
        { column, operator: "gte", value },
        { column, operator: "lte", value: end },
      ];
    case "starts":
      return [{ column, operator: "ilike", value }];
    case "last":
      return [{ column, operator: "eq", value }];
    case "in":
      return [{ column, operator, value: values }];
    default:
      return [{ column, operator, value }];
  }
}

type Json = ChartFilter["value"];

function readValue(
  text: string,
  type: ChartColumn["type"],
  operator: DraftOperator,
  timeZone: string,
): { value: Json } | { problem: string } {
  if (operator === "last") {
    const isCount = /^[1-9]\d{0,2}$/.test(text.trim());
    return isCount ? { value: `last ${text.trim()} days` } : { problem: "Write how many days, 1 to 999." };
  }
  switch (type) {
    case "number": {
      const number = Number(text.trim());
      if (text.trim() !== "" && Number.isFinite(number) && isExact(text.trim())) return { value: number };
      // The database takes its text.
      return /^(-?\d+(\.\d+)?|NaN|-?Infinity)$/.test(text.trim())
        ? { value: text.trim() }
        : { problem: "Write a number." };
    }
    case "date":
      if (isPeriod(text)) return { value: text };
      return /^\d{4}-\d{2}-\d{2}$/.test(text) ? { value: text } : { problem: "Choose a day." };
    case "time": {
      if (isPeriod(text)) return { value: text };
      const moment = fromWallClock(text, timeZone);
      return moment === null ? { problem: "Choose a day and a time." } : { value: moment };
    }
    case "boolean":
      return { value: text !== "false" };
    case "uuid":
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text.trim())
        ? { value: text.trim() }
        : { problem: "Write a whole id." };
    case "array":
    case "json":
      return type === "array" && operator === "contains" ? { value: text } : readJson(text);
    case "text":
      if (operator !== "starts") return { value: text };
      // A pattern of the contract has no way to write these as themselves.
      return /[%_]/.test(text)
        ? { problem: "A beginning with % or _ cannot be looked for. Choose “contains”." }
        : { value: `${text}%` };
  }
}

// Whether JavaScript holds just the number that was written, and no neighbour of it.
function isExact(text: string) {
  return sameDigits(text) === sameDigits(String(Number(text)));
}

// Equal for texts of equal numbers: `0.50e2` and `50` are both `5e1`.
function sameDigits(text: string) {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^([-+]?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  const power = Number(exponent) - fraction.length + digits.length - short.length;
  return short === "" ? "0" : `${sign === "-" ? "-" : ""}${short}e${power}`;
}

function readJson(text: string): { value: Json } | { problem: string } {
  try {
    const value: Json = JSON.parse(text);
    const numbers = text.replace(/"(\\.|[^"\\])*"/g, '""').match(/-?\d[\d.eE+-]*/g) ?? [];
    if (!numbers.every(isExact)) return { problem: "It holds a number of more digits than can be kept here." };
    return { value };
  } catch {
    return { problem: 'Write JSON, such as ["a"].' };
  }
}
