import type {
  ChartCondition,
  ChartFilter,
  ChartMetric,
  ChartQuery,
  DerivedNumber,
} from "@/lib/charts/definition/definition";
import { operatorLabel } from "@/lib/charts/definition/operators";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { aggregations, recordNounPlural } from "@/lib/charts/definition/words";
import { groupNames, type ShownMetric, type ShownRow } from "@/lib/charts/display/fold-others";
import { type Format, formatOf } from "@/lib/format/format-of";
import { capitalized, plural, withinSentence } from "@/lib/format/text";
import { verdicts, verdictWords } from "@/lib/signatures/verdicts";

const missingLabel = "not given";
/** The values of a line's result, which are stored with other words. Blank lines are in no chart. */
export const resultLabels = new Map<string, string>(
  verdicts.filter((verdict) => verdict !== "blank").map((verdict) => [verdict, capitalized(verdictWords[verdict])]),
);
const emptyText = "empty text";
const noValue = "no value"; // the average of nothing

const day = /^\d{4}-\d{2}-\d{2}$/;

type TextColumn = Pick<ChartColumn, "type" | "part"> & Partial<ChartColumn>;

/** A value of a group column in words; a missing one with the column's label, if there is one: `No county`. */
export function formatGroupValue(value: unknown, column: TextColumn, format: Format): string {
  const { name, label, type, part } = column;
  if (value === null || value === undefined) return label ? `No ${withinSentence(label)}` : missingLabel;
  if (value === "") return emptyText;
  if (Array.isArray(value))
    return value.length === 0
      ? "nothing"
      : value.map((item) => formatGroupValue(item, { type: "text" }, format)).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    if (part?.unit === "weekday") return format.weekday(value);
    if (part?.unit === "hour") return format.hour(value);
    return Number.isInteger(value) && Math.abs(value) >= 10_000 ? format.whole(value) : String(value);
  }
  if (name === "verdict") return resultLabels.get(String(value)) ?? String(value);
  if (typeof value !== "string") return JSON.stringify(value);
  if (type === "date" && day.test(value)) {
    if (part?.unit === "week") return format.week(value);
    return part?.unit === "month" ? format.month(value) : format.day(value);
  }
  if (type === "time" && !Number.isNaN(Date.parse(value))) return format.dateTime(value);
  return value;
}

/** A group value for an axis, where days, weeks and months are shortened. */
export function axisGroupText(value: unknown, column: TextColumn, format: Format): string {
  if (column.type === "date" && typeof value === "string" && day.test(value))
    return column.part?.unit === "month" ? format.shortMonth(value) : format.shortDay(value);
  return formatGroupValue(value, column, format);
}

/** The label of a row: its group values, or "All" when nothing is grouped. */
export function rowLabel(row: ShownRow, columns: ChartColumn[], format: Format, text = formatGroupValue): string {
  return columns.map((column) => text(row.group[column.name], column, format)).join(" · ") || "All";
}

/** How a number is written. Numbers of one unit share an axis. */
export type NumberUnit = "number" | "whole" | "percent" | "difference" | "wholeDifference" | "relativeChange";

/** The unit of a derived number, or of a plain measure when there is none. */
export function numberUnit(derived: DerivedNumber | undefined): NumberUnit {
  if (derived?.kind === "change") return derived.format === "percent" ? "relativeChange" : "difference";
  const isPart = derived?.kind === "share" || (derived?.kind === "rate" && derived.format === "percent");
  return isPart ? "percent" : "number";
}

/** How a metric's number is written: counts without decimals. */
export function metricUnit({ aggregation, derived }: ShownMetric): NumberUnit {
  const unit = numberUnit(derived);
  if (!["count", "distinct", "registered"].includes(aggregation) || derived?.kind === "rate") return unit;
  return unit === "number" ? "whole" : unit === "difference" ? "wholeDifference" : unit;
}

/** How the numbers of metrics on one axis are written. */
export function commonUnit(metrics: ShownMetric[]): NumberUnit {
  const [unit, ...others] = new Set(metrics.map(metricUnit));
  return unit === undefined || others.length > 0 ? numberUnit(metrics[0]?.derived) : unit;
}

/** A metric's number for people. */
export function formatValue(value: number | null, format: Format, unit: NumberUnit = "number"): string {
  return value === null ? noValue : format[unit](value);
}

/** Whether numbers are written as percentages. */
export const isInPercent = (unit: NumberUnit) => unit === "percent" || unit === "relativeChange";

/** A number for an axis, shortened: `12K`, `1.5M`. */
export function axisValueText(value: number, format: Format, unit: NumberUnit = "number"): string {
  return !isInPercent(unit) && Math.abs(value) >= 10_000 ? format.compact(value) : format[unit](value);
}

/** Whether a metric is the lowest or highest day or moment, and which of them; null for a number. */
export function momentType({ aggregation, column, derived }: ShownMetric, columns: ChartColumn[]) {
  if (derived) return null;
  const type = columns.find(({ name }) => name === column)?.type;
  return aggregations[aggregation].keepsType && (type === "date" || type === "time") ? type : null;
}

/** What a metric of a source is called: its label, or what it computes and of which records: `Valid lines`. */
export function metricLabel(metric: ChartMetric, columns: ChartColumn[], source: string): string {
  const { label, aggregation, column, segment = [] } = metric;
  if (label) return label;
  const filters = segment.map((filter) => segmentWords(filter, columns));
  const names = filters.flatMap(({ isNamed, text }) => (isNamed ? text : [])).join(", ");
  const others = filters.flatMap(({ isNamed, text }) => (isNamed ? [] : text)).join(" and ");
  const measured = column ? columnText(column, columns) : "";
  const type = columns.find(({ name }) => name === column)?.type;
  // `Lines entered` has no plural.
  const isNoun = aggregation === "distinct" && (type === "text" || (type === "number" && /^\w+$/.test(measured)));
  const { label: computes } = aggregations[aggregation];
  const isMoment = momentType(metric, columns) !== null;
  const words = isMoment ? (aggregation === "min" ? "Earliest" : "Latest") : measured ? `${computes} of` : computes;
  const computed = `${isNoun ? `Unique ${plural(measured)}` : `${words} ${measured}`}${names && `, ${names}`}`.trim();
  const counted = capitalized(`${names} ${recordNounPlural(source)}${measured && ` with ${measured}`}`.trim());
  return `${aggregation === "count" ? counted : computed}${others && ` where ${others}`}`;
}

const columnText = (name: string, columns: ChartColumn[]) =>
  withinSentence(columns.find((column) => column.name === name)?.label ?? name);

// A result, county or clerk says what it is of; other values need their column.
function segmentWords(filter: ChartFilter, columns: ChartColumn[]) {
  const alternatives = ("any" in filter ? filter.any : [filter]).map((part) => ("all" in part ? part.all : [part]));
  const isNamed = alternatives.flat().every(({ operator, value }) => {
    const values = [value].flat();
    const isName = values.every((item) => typeof item === "string" || (typeof item === "boolean" && operator === "eq"));
    return (operator === "eq" || operator === "in") && isName && values.length > 0;
  });
  const words = (condition: ChartCondition) => conditionWords(condition, columns, isNamed);
  return { isNamed, text: alternatives.map((all) => all.map(words).join(" and ")).join(" or ") };
}

const maxNames = 3; // of a list

function conditionWords({ column, operator, value }: ChartCondition, columns: ChartColumn[], isNamed: boolean) {
  const label = columnText(column, columns);
  const type = columns.find(({ name }) => name === column)?.type ?? "text";
  if (value === null && operator === "eq") return `${label} ${operatorLabel("missing", type)}`;
  if (value === null && operator === "neq") return `${label} ${operatorLabel("given", type)}`;
  const values = [value].flat().map((item) => {
    if (typeof item === "boolean" && isNamed) return item ? label : `not ${label}`;
    if (column === "verdict") return (resultLabels.get(String(item)) ?? String(item)).toLowerCase();
    return item === null ? missingLabel : String(item);
  });
  const more = values.length > maxNames ? [`${values.length - maxNames} more`] : [];
  const names = [...values.slice(0, maxNames), ...more].join(" or ");
  return isNamed ? names : `${label} ${operator === "ilike" ? "matches" : operatorLabel(operator, type)} ${names}`;
}

/** What a derived number is called: its label, or what it computes of which measures: `Valid / Lines`. */
export function derivedLabel(
  number: DerivedNumber,
  metrics: ChartMetric[],
  columns: ChartColumn[],
  source: string,
): string {
  const label = (key: string) => {
    const metric = metrics.find((candidate) => candidate.key === key);
    return metric ? metricLabel(metric, columns, source) : key;
  };
  if (number.label) return number.label;
  switch (number.kind) {
    case "rate":
      if (number.format !== "per100") return `${label(number.of)} / ${label(number.over)}`;
      return `${label(number.of)} per 100 ${withinSentence(label(number.over))}`;
    case "cumulated":
      return `${label(number.of)}, running total`;
    case "share":
      return `${label(number.of)}, share of total`;
    case "change":
      return `${label(number.of)}, change`;
  }
}

/** A name for a chart, such as `Lines by county`. */
export function suggestedName({ metrics: [metric], groupBy, source }: ChartQuery, columns: ChartColumn[]): string {
  if (!metric) return "";
  const groups = groupNames(groupBy).map((name) => columnText(name, columns));
  return metricLabel(metric, columns, source) + (groups.length > 0 ? ` by ${groups.join(" and ")}` : "");
}

/** The format in which these written numbers, such as those of a table's column, all have as many decimals as one of them. */
export function columnFormat(format: Format, texts: string[]): Format {
  const decimalSign = formatOf(format, 1).number(0).slice(1, 2);
  const decimals = texts.map((text) => /^\p{N}*/u.exec(text.split(decimalSign)[1] ?? "")?.[0].length ?? 0);
  return formatOf(format, Math.max(0, ...decimals));
}

/** A metric's number in words; the lowest or highest day or moment as a date. */
export function metricText(value: number | null, metric: ShownMetric, columns: ChartColumn[], format: Format): string {
  const type = momentType(metric, columns);
  const unit = metricUnit(metric);
  if (value !== null && unit === "percent") return format.rate(value); // so that a column aligns
  if (value === null || type === null) return formatValue(value, format, unit);
  const timestamp = new Date(value).toISOString();
  return type === "date" ? format.day(timestamp.slice(0, 10)) : format.dateTime(timestamp);
}
