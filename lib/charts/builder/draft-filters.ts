import type { Draft, DraftFilter } from "@/lib/charts/builder/draft-schema";
import type { ChartAlternative, ChartCondition, ChartFilter } from "@/lib/charts/definition/definition";
import type { DraftOperator } from "@/lib/charts/definition/operators";
import { isPeriod } from "@/lib/charts/definition/period";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { isTimeType, takesList } from "@/lib/charts/definition/words";
import { fromWallClock, toWallClock } from "@/lib/format/days";
import { withoutSeparators } from "@/lib/forms/read-number";

export const newDraftId = () => Math.random();

export const newFilter = (): DraftFilter => ({ id: newDraftId(), column: "", operator: "eq", values: [""] });

/** A filter with a change; from then on its fields define it. */
export const updateFilter = (filter: DraftFilter, change: Partial<DraftFilter> = {}): DraftFilter => ({
  ...filter,
  ...change,
  untouched: undefined,
});

// Whether a filter has no value yet, so that it isn't applied.
function isUnfinished({ column, operator, values, untouched }: DraftFilter): boolean {
  if (untouched) return false;
  if (column === "") return true;
  if (operator === "missing" || operator === "given") return false;
  return takesList(operator) ? values.every((text) => text === "") : values.includes("");
}

// Filters of which a record has to match one: each begins with one that isn't an alternative.
function alternatives(list: DraftFilter[]): DraftFilter[][] {
  const groups: DraftFilter[][] = [];
  for (const filter of list) {
    const group = filter.or ? groups.at(-1) : undefined;
    if (group) group.push(filter);
    else groups.push([filter]);
  }
  return groups;
}

/** The filters to keep; what remains of alternatives stays together. */
export const keepFilters = (list: DraftFilter[], isKept: (filter: DraftFilter) => boolean): DraftFilter[] =>
  alternatives(list).flatMap((group) =>
    group.filter(isKept).map((condition, index) => (index === 0 ? { ...condition, or: undefined } : condition)),
  );

/** Whether a filter is one of several alternatives. */
export const hasAlternative = (list: DraftFilter[], filter: DraftFilter) =>
  alternatives(list).some((group) => group.length > 1 && group.includes(filter));

/** Where the definition has each filter of a draft: `0`, `1.any.2`; one from … to is two filters. Unfinished ones are left out. */
export function filterParts(list: DraftFilter[]): Map<DraftFilter, string[]> {
  const parts = new Map<DraftFilter, string[]>();
  let next = 0;
  for (const group of alternatives(list)) {
    const [only, ...others] = group.filter((condition) => !isUnfinished(condition));
    if (only === undefined) continue;
    if (others.length > 0) {
      for (const [index, condition] of [only, ...others].entries()) parts.set(condition, [`${next}.any.${index}`]);
    } else parts.set(only, only.operator === "between" ? [`${next++}`, `${next}`] : [`${next}`]);
    next += 1;
  }
  return parts;
}

/** The filters without a value yet, and the conditions of measures, each with what it is called. */
export const listUnfinished = ({ filters, metrics }: Pick<Draft, "filters" | "metrics">) =>
  [
    ...filters.map((filter) => ["filter", filter] as const),
    ...metrics.flatMap(({ segment }) => segment.map((filter) => ["condition", filter] as const)),
  ].filter(([, filter]) => isUnfinished(filter));

/** The part of a draft's problems that says that a filter has no value yet. */
export const unfinishedPart = ({ id }: DraftFilter) => `unfinished.${id}`;

/** Stored filters as a draft has them: two that say from … to become one. */
export function draftFilters(list: ChartFilter[], columns: ChartColumn[], timeZone: string): DraftFilter[] {
  const drafts: DraftFilter[] = [];
  let isPlain = false; // the filter before
  for (const filter of list) {
    if ("any" in filter) {
      const each = filter.any.map((part, index): DraftFilter => {
        const ends = ("all" in part ? part.all : [part]).map((end) => draftFilter(end, columns, timeZone));
        const [first = newFilter()] = ends;
        const fromTo = { operator: "between" as const, values: ends.flatMap(({ values }) => values) };
        return { ...first, ...("all" in part && { ...fromTo, untouched: part.all }), ...(index > 0 && { or: true }) };
      });
      drafts.push(...each);
      isPlain = false;
      continue;
    }
    const draft = draftFilter(filter, columns, timeZone);
    const from = isPlain ? drafts.at(-1) : undefined;
    isPlain = true;
    const isEnd = from?.operator === "gte" && draft.operator === "lte" && from.column === draft.column;
    const type = columns.find(({ name }) => name === draft.column)?.type ?? "text";
    const values = [...(from?.values ?? []), ...draft.values];
    if (isEnd && (type === "number" || isTimeType(type)) && !values.some(isPeriod))
      drafts.splice(-1, 1, { ...from, operator: "between", values, untouched: [...(from.untouched ?? []), filter] });
    else drafts.push(draft);
  }
  return drafts;
}

function draftFilter(filter: ChartCondition, columns: ChartColumn[], timeZone: string): DraftFilter {
  const { column, operator, value } = filter;
  const type = columns.find(({ name }) => name === column)?.type;
  const same = { id: newDraftId(), column };
  const text = (item: unknown) => {
    if (typeof item !== "string") return JSON.stringify(item);
    return type === "time" && !isPeriod(item) ? toWallClock(item, timeZone) : item;
  };
  if (value === null && operator === "eq") return { ...same, operator: "missing", values: [""] };
  if (value === null && operator === "neq") return { ...same, operator: "given", values: [""] };
  const untouched = [filter];
  const days = operator === "eq" && type && isTimeType(type) ? /^last (\d+) days$/.exec(text(value)) : null;
  if (days?.[1]) return { ...same, operator: "last", values: [days[1]], untouched };
  const beginning = operator === "ilike" && typeof value === "string" ? /^([^%_]+)%$/s.exec(value) : null;
  if (beginning?.[1]) return { ...same, operator: "starts", values: [beginning[1]], untouched };
  const values = takesList(operator) && Array.isArray(value) ? [...value.map(text), ""] : [text(value)];
  return { ...same, operator, values, untouched };
}

/** A draft's filters as a definition has them, without unfinished ones, and their problems by position: `0.value`. */
export function writeFilters(
  list: DraftFilter[],
  { columns, timeZone }: { columns: ChartColumn[]; timeZone: string },
): { filters: ChartFilter[]; problems: [string, string][] } {
  const filters: ChartFilter[] = [];
  const problems: [string, string][] = [];
  const parts = filterParts(list);
  const write = (filter: DraftFilter): ChartCondition[] => {
    const { column, operator, values, untouched } = filter;
    if (untouched) return untouched;
    const type = columns.find(({ name }) => name === column)?.type ?? "text";
    const needsValue = operator !== "missing" && operator !== "given";
    const typed = takesList(operator) && values.at(-1) === "" ? values.slice(0, -1) : values;
    const read = needsValue ? typed.map((text) => readValue(text, type, operator, timeZone)) : [];
    const wrong = read.find((result) => "problem" in result);
    if (wrong) problems.push([`${parts.get(filter)?.[0]}.value`, wrong.problem]);
    return filtersWith(
      column,
      operator,
      read.map((result) => ("value" in result ? result.value : null)),
    );
  };
  for (const group of alternatives(list)) {
    const filled = group.filter((condition) => !isUnfinished(condition)).map(write);
    if (filled.length === 1) filters.push(...filled.flat());
    else if (filled.length > 1) {
      filters.push({ any: filled.flatMap((all): ChartAlternative[] => (all.length > 1 ? [{ all }] : all)) });
    }
  }
  return { filters, problems };
}

function filtersWith(column: string, operator: DraftOperator, values: Json[]): ChartCondition[] {
  const [value = null, end = null] = values;
  const filter = (stored: ChartCondition["operator"], compared: Json = value) => ({
    column,
    operator: stored,
    value: compared,
  });
  if (operator === "missing") return [filter("eq", null)];
  if (operator === "given") return [filter("neq", null)];
  if (operator === "between") return [filter("gte"), filter("lte", end)];
  if (operator === "starts") return [filter("ilike")];
  return [operator === "last" ? filter("eq") : filter(operator, takesList(operator) ? values : value)];
}

type Json = ChartCondition["value"];

function readValue(
  text: string,
  type: ChartColumn["type"],
  operator: DraftOperator,
  timeZone: string,
): { value: Json } | { problem: string } {
  if (operator === "last") {
    const isCount = /^[1-9]\d{0,2}$/.test(text.trim());
    return isCount ? { value: `last ${text.trim()} days` } : { problem: "Enter a number of days from 1 to 999." };
  }
  switch (type) {
    case "number": {
      const digits = withoutSeparators(text);
      const number = Number(digits);
      if (digits !== "" && Number.isFinite(number) && isExact(digits)) return { value: number };
      // The database also accepts text.
      return /^(-?\d+(\.\d+)?|NaN|-?Infinity)$/.test(digits) ? { value: digits } : { problem: "Enter a number." };
    }
    case "date":
      return isPeriod(text) || /^\d{4}-\d{2}-\d{2}$/.test(text) ? { value: text } : { problem: "Choose a date." };
    case "time": {
      if (isPeriod(text)) return { value: text };
      const moment = fromWallClock(text, timeZone);
      return moment === null ? { problem: "Choose a date and time." } : { value: moment };
    }
    case "boolean":
      return { value: text !== "false" };
    case "uuid":
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text.trim())
        ? { value: text.trim() }
        : { problem: "Enter the complete ID." };
    case "array":
    case "json":
      return type === "array" && (operator === "contains" || operator === "not-contains")
        ? { value: text }
        : readJson(text);
    case "text":
      if (operator !== "starts") return { value: text };
      // A pattern has no way to escape them.
      return /[%_]/.test(text)
        ? { problem: "“Starts with” can't look for % or _. Choose “contains” instead." }
        : { value: `${text}%` };
  }
}

// Whether JavaScript can hold the number exactly.
function isExact(text: string) {
  return sameDigits(text) === sameDigits(String(Number(text)));
}

// Equal for texts of equal numbers: `0.50e2` and `50` are both `5e1`.
function sameDigits(text: string) {
  const [, sign = "", integerDigits = "", fraction = "", exponent = "0"] =
    /^([-+]?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(text) ?? [];
  const digits = (integerDigits + fraction).replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  const power = Number(exponent) - fraction.length + digits.length - short.length;
  return short === "" ? "0" : `${sign === "-" ? "-" : ""}${short}e${power}`;
}

function readJson(text: string): { value: Json } | { problem: string } {
  try {
    const value: Json = JSON.parse(text);
    const numbers = text.replace(/"(\\.|[^"\\])*"/g, '""').match(/-?\d[\d.eE+-]*/g) ?? [];
    if (!numbers.every(isExact)) return { problem: "One of the numbers has too many digits." };
    return { value };
  } catch {
    return { problem: 'Enter JSON, such as ["a"].' };
  }
}
