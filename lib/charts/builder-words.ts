import { type DraftOperator, hasSpans } from "@/lib/charts/builder-draft";
import type { ChartColumn } from "@/lib/charts/chart-source";
import type { Aggregation, ChartKind } from "@/lib/charts/chart-words";
import { aggregationsFor, operatorsFor } from "@/lib/charts/chart-words";
import type { DerivedNumber } from "@/lib/charts/display";

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

/** The aggregations in words. */
export const aggregationWords: Record<Aggregation, string> = {
  count: "Count",
  sum: "Sum",
  avg: "Average",
  min: "Lowest",
  max: "Highest",
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
  ilike: "is like (% any, _ one)",
  missing: "is not given",
  given: "is given",
  between: "is between",
};

/** The operators on days and moments, where they are called otherwise. */
export const timeWords: Partial<Record<DraftOperator, string>> = {
  gt: "is after",
  gte: "is on or after",
  lt: "is before",
  lte: "is on or before",
};

/** The operators that fit a column's type, in words. */
export function operatorChoices(type: ChartColumn["type"]): { operator: DraftOperator; words: string }[] {
  const operators: DraftOperator[] = [
    ...operatorsFor(type),
    ...(hasSpans(type) ? (["between"] as const) : []),
    "missing",
    "given",
  ];
  const isTime = type === "date" || type === "time";
  return operators.map((operator) => ({
    operator,
    words: (isTime && timeWords[operator]) || operatorWords[operator],
  }));
}

/** A period in words, behind those of an operator: `in the last 7 days`. */
export function periodWords(period: string, operator: DraftOperator): string {
  const words = /days$/.test(period) ? `the ${period}` : period;
  return operator === "eq" && period.includes(" ") ? `in ${words}` : words;
}

/** The columns that an aggregation can compute something of. Of parts of days and moments, only the chosen one. */
export function columnsFor(aggregation: Aggregation, columns: ChartColumn[], chosen = ""): ChartColumn[] {
  return columns.filter(
    ({ name, type, part }) => name === chosen || (!part && aggregationsFor(type).includes(aggregation)),
  );
}
