import type { ChartCondition, ChartFilter } from "@/lib/charts/definition/definition";
import { type ColumnType, filterOperators, isTimeType } from "@/lib/charts/definition/words";

/** All conditions of filters, including those within alternatives. */
export const listConditions = (filters: ChartFilter[]): ChartCondition[] =>
  filters.flatMap((part) => ("any" in part ? part.any.flatMap((inner) => ("all" in inner ? inner.all : inner)) : part));

/** The operators as people choose them: the stored ones, and five that are written with those. */
export const draftOperators = [...filterOperators, "missing", "given", "between", "starts", "last"] as const;
export type DraftOperator = (typeof draftOperators)[number];

/** What each is called; on days and moments, and on texts, where that differs. */
const labels: Record<DraftOperator, { usual: string; time?: string; text?: string }> = {
  eq: { usual: "is" },
  neq: { usual: "is not" },
  gt: { usual: "is more than", time: "is after", text: "is after (A–Z)" },
  gte: { usual: "is at least", time: "is on or after", text: "is at or after (A–Z)" },
  lt: { usual: "is less than", time: "is before", text: "is before (A–Z)" },
  lte: { usual: "is at most", time: "is on or before", text: "is at or before (A–Z)" },
  in: { usual: "is one of" },
  "not-in": { usual: "is not one of" },
  contains: { usual: "contains" },
  "not-contains": { usual: "does not contain" },
  starts: { usual: "starts with" },
  ilike: { usual: "matches (% any text, _ one character)" },
  missing: { usual: "is empty" },
  given: { usual: "is not empty" },
  between: { usual: "is between" },
  last: { usual: "is in the last …" },
};

const spans: DraftOperator[] = ["between", "gte", "lte", "gt", "lt"];
const presence: DraftOperator[] = ["missing", "given"];
const usefulOperators: Record<ColumnType, DraftOperator[]> = {
  text: ["eq", "neq", "in", "not-in", "contains", "not-contains", "starts", ...presence],
  number: ["eq", "neq", ...spans, "in", "not-in", ...presence],
  date: ["eq", "last", ...spans, "neq", "in", "not-in", ...presence],
  time: ["last", "eq", ...spans, ...presence],
  boolean: ["eq", ...presence],
  uuid: ["eq", "neq", "in", "not-in", ...presence],
  array: ["contains", "not-contains", ...presence],
  json: ["contains", "not-contains", ...presence],
};

/** The operators that are of use on a column's type, with their labels, and the chosen one, which may be another. */
export function operatorChoices(type: ColumnType, chosen?: DraftOperator): [operator: DraftOperator, label: string][] {
  const operators = new Set([...usefulOperators[type], ...(chosen ? [chosen] : [])]);
  return [...operators].map((operator) => [operator, operatorLabel(operator, type)]);
}

/** What an operator is called on a column of a type. */
export function operatorLabel(operator: DraftOperator, type: ColumnType): string {
  const { usual, time = usual, text = usual } = labels[operator];
  return isTimeType(type) ? time : type === "text" ? text : usual;
}

/** Whether an operator's values have the column's type, so that they are kept when another such operator is chosen. */
export const takesValues = (operator: DraftOperator) => !["missing", "given", "last"].includes(operator);

/** Whether a filter can compare with days relative to when the chart is generated. */
export const takesPeriods = (operator: DraftOperator, type: ColumnType) =>
  isTimeType(type) && ["eq", "gt", "gte", "lt", "lte"].includes(operator);

/** A period as it follows the label of an operator: `in the last 7 days`. */
export function periodLabel(period: string, operator: DraftOperator): string {
  const label = /days$/.test(period) ? `the ${period}` : period;
  return operator === "eq" && period.includes(" ") ? `in ${label}` : label;
}
