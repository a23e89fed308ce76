import type { DraftOperator } from "@/lib/charts/builder/draft-filters";
import type { DashboardFilter } from "@/lib/charts/definition/dashboard-filter";
import type { DerivedNumber } from "@/lib/charts/definition/definition";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { type Aggregation, aggregations, type ChartKind, type ColumnType } from "@/lib/charts/definition/words";
import type { FilterChoices } from "@/lib/charts/store/dashboard";
import type { Format } from "@/lib/format/format-of";

/** The kinds of charts in words. */
export const kindWords: Record<ChartKind, string> = {
  bar: "Bars",
  "stacked-bar": "Stacked",
  line: "Lines",
  area: "Areas",
  pie: "Pie",
  table: "Table",
  number: "Number",
};

/** What can be derived from measures, in words. */
export const derivedWords: Record<DerivedNumber["kind"], string> = {
  rate: "Rate of",
  cumulated: "Sum so far of",
  share: "Share of all of",
  change: "Change of",
};

const operatorWords: Record<DraftOperator, string> = {
  eq: "is",
  neq: "is not",
  gt: "is more than",
  gte: "is at least",
  lt: "is less than",
  lte: "is at most",
  in: "is one of",
  contains: "contains",
  starts: "starts with",
  ilike: "is like (% any, _ one)",
  missing: "is empty",
  given: "is not empty",
  between: "is between",
  last: "is in the last …",
};

/** The operators on days and moments, where they are called otherwise. */
export const timeWords: Partial<Record<DraftOperator, string>> = {
  gt: "is after",
  gte: "is on or after",
  lt: "is before",
  lte: "is on or before",
};

const textWords: Partial<Record<DraftOperator, string>> = {
  gt: "comes after, in the alphabet",
  gte: "is or comes after, in the alphabet",
  lt: "comes before, in the alphabet",
  lte: "is or comes before, in the alphabet",
};

const spans: DraftOperator[] = ["between", "gte", "lte", "gt", "lt"];
const presence: DraftOperator[] = ["missing", "given"];
const usefulOperators: Record<ColumnType, DraftOperator[]> = {
  text: ["eq", "neq", "in", "contains", "starts", ...presence],
  number: ["eq", "neq", ...spans, "in", ...presence],
  date: ["eq", "last", ...spans, "neq", "in", ...presence],
  time: ["eq", "last", ...spans, ...presence],
  boolean: ["eq", ...presence],
  uuid: ["eq", "neq", "in", ...presence],
  array: ["contains", ...presence],
  json: ["contains", ...presence],
};

/** The operators that are of use on a column's type, in words, and the chosen one, which may be another. */
export function operatorChoices(
  type: ColumnType,
  chosen?: DraftOperator,
): { operator: DraftOperator; words: string }[] {
  const operators = new Set([...usefulOperators[type], ...(chosen ? [chosen] : [])]);
  const own = type === "text" ? textWords : type === "date" || type === "time" ? timeWords : {};
  return [...operators].map((operator) => ({ operator, words: own[operator] ?? operatorWords[operator] }));
}

/** A period in words, behind those of an operator: `in the last 7 days`. */
export function periodWords(period: string, operator: DraftOperator): string {
  const words = /days$/.test(period) ? `the ${period}` : period;
  return operator === "eq" && period.includes(" ") ? `in ${words}` : words;
}

/** The columns that an aggregation can compute something of. Of parts of days and moments, only the chosen one. */
export function columnsFor<Column extends ChartColumn>(
  aggregation: Aggregation,
  columns: Column[],
  chosen = "",
): Column[] {
  return columns.filter(
    ({ name, type, part }) => name === chosen || (!part && aggregations[aggregation].types.includes(type)),
  );
}

/** A dashboard's filter in words, for paper and images: `Only keyed last 7 days · county King`. Null where it is none. */
export function filterWords(
  { days, from, to, county, clerk, circulator }: DashboardFilter,
  { clerks }: Pick<FilterChoices, "clerks">,
  format: Format,
): string | null {
  const words = [
    days && `keyed ${days}`,
    from && `keyed from ${format.day(from)}`,
    to && `keyed until ${format.day(to)}`,
    county !== undefined && `county ${county || "not given"}`,
    clerk && `clerk ${clerks.find(({ id }) => id === clerk)?.name ?? "somebody else"}`,
    circulator && `circulator ${circulator}`,
  ].filter(Boolean);
  return words.length === 0 ? null : `Only ${words.join(" · ")}`;
}
