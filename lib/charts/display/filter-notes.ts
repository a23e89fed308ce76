import { isTime } from "@/lib/charts/definition/columns";
import type { ChartCondition, ChartDisplay, ChartFilter, ChartQuery } from "@/lib/charts/definition/definition";
import { listConditions, operatorLabel, periodLabel } from "@/lib/charts/definition/operators";
import { isPeriod, resolvePeriod } from "@/lib/charts/definition/period";
import type { ChartRow } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { isTimeType } from "@/lib/charts/definition/words";
import { formatGroupValue } from "@/lib/charts/display/chart-text";
import { daySpan } from "@/lib/charts/display/day-span";
import { groupNames } from "@/lib/charts/display/fold-others";
import { dayIn } from "@/lib/format/days";
import type { Format } from "@/lib/format/format-of";

/** The columns of a source, and when its numbers were computed: relative dates are those of that time. */
type Computed = { columns: ChartColumn[]; generatedAt: string; format: Format };

/** `carried`: what the dashboard's filter cuts off is in the running totals. */
type Noted = Pick<ChartQuery, "filters" | "metrics" | "groupBy"> & {
  display?: ChartDisplay | null | undefined;
  narrowed?: ChartFilter[];
  carried?: ChartRow[] | null;
};

const maxValues = 5; // of a list

/**
 * The filters of a chart in words: `Only where County is King or City is Kent, and Date signed is in the last 7 days (Nov 16,
 * 2026 to Nov 22, 2026)`. Also the relative dates in its segments, and when a running total begins if filters cut it.
 */
export function filterNotes(chart: Noted, computed: Computed): string[] {
  const { filters, metrics } = chart;
  const written = filters.map((filter) => filterText(filter, computed));
  const periods = listConditions(metrics.flatMap(({ segment = [] }) => segment))
    .filter((condition) => isPeriodCondition(condition, computed))
    .map((condition) => conditionText(condition, computed));
  const first = beginOfTotals(chart, computed);
  return [
    ...(written.length > 0 ? [`Only where ${written.join(", and ")}`] : []),
    ...new Set(periods),
    ...(first ? [`Running total since ${computed.format.day(first)}`] : []),
  ];
}

function beginOfTotals({ filters, narrowed = [], carried, groupBy, display }: Noted, computed: Computed) {
  if (!display?.derived.some(({ kind }) => kind === "cumulated")) return undefined;
  const { columns, generatedAt, format } = computed;
  const [axis] = groupNames(groupBy).flatMap((name) => columns.filter((item) => item.name === name && isTime(item)));
  const all = carried ? filters : [...filters, ...narrowed];
  return axis && daySpan(all, axis, { columns, generatedAt, timeZone: format.timeZone }).first;
}

function filterText(filter: ChartFilter, computed: Computed) {
  if (!("any" in filter)) return conditionText(filter, computed);
  return filter.any
    .map((part) => ("all" in part ? part.all : [part]).map((each) => conditionText(each, computed)).join(" and "))
    .join(" or ");
}

const findColumn = ({ column }: ChartCondition, { columns }: Computed): ChartColumn =>
  columns.find(({ name }) => name === column) ?? { name: column, label: column, type: "text" };

function isPeriodCondition(condition: ChartCondition, computed: Computed) {
  return isTimeType(findColumn(condition, computed).type) && isPeriod(condition.value);
}

function conditionText(condition: ChartCondition, computed: Computed): string {
  const { operator, value } = condition;
  const { generatedAt, format } = computed;
  const column = findColumn(condition, computed);
  const { label, type } = column;
  if (isTimeType(type) && isPeriod(value)) {
    const { first, last } = resolvePeriod(value, dayIn(format.timeZone, generatedAt));
    const days = first === last ? format.day(first) : `${format.day(first)} to ${format.day(last)}`;
    return `${label} ${operatorLabel(operator, type)} ${periodLabel(value, operator)} (${days})`;
  }
  if (value === null && operator === "eq") return `${label} ${operatorLabel("missing", type)}`;
  if (value === null && operator === "neq") return `${label} ${operatorLabel("given", type)}`;
  if (operator === "ilike") {
    const beginning = /^([^%_]+)%$/s.exec(String(value))?.[1];
    return beginning ? `${label} ${operatorLabel("starts", type)} ${beginning}` : `${label} matches ${value}`;
  }
  const values = [value].flat();
  const words = values
    .slice(0, maxValues)
    .map((item) => (item === null ? "empty" : formatGroupValue(item, column, format)));
  const more = values.length > maxValues ? `, and ${format.number(values.length - maxValues)} more` : "";
  return `${label} ${operatorLabel(operator, type)} ${words.join(", ")}${more}`;
}
