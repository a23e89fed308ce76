import type { DerivedNumber } from "@/lib/charts/definition/definition";
import type { ChartColumn } from "@/lib/charts/definition/source";
import type { ChartModel } from "@/lib/charts/display/model";
import type { Format } from "@/lib/format/format-of";

/** What stands for a missing value; an empty text is given, and empty. */
const notGiven = "not given";
const emptyText = "empty text";

const day = /^\d{4}-\d{2}-\d{2}$/;

/** A value of a group column in words. */
export function groupText(value: unknown, column: Pick<ChartColumn, "type" | "part">, format: Format): string {
  const { type, part } = column;
  if (value === null || value === undefined) return notGiven;
  if (value === "") return emptyText;
  if (Array.isArray(value))
    return value.length === 0 ? "nothing" : value.map((one) => groupText(one, { type: "text" }, format)).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number") {
    if (part?.unit === "weekday") return format.weekday(value);
    if (part?.unit === "hour") return format.hour(value);
    return Number.isInteger(value) && Math.abs(value) >= 10_000 ? format.number(value) : String(value);
  }
  if (typeof value !== "string") return JSON.stringify(value);
  if (type === "date" && day.test(value)) {
    if (part?.unit === "week") return format.week(value);
    return part?.unit === "month" ? format.month(value) : format.day(value);
  }
  if (type === "time" && !Number.isNaN(Date.parse(value))) return format.dateTime(value);
  return value;
}

/** A day or a week for an axis, where there is little room; anything else as it is. */
export function axisGroupText(value: unknown, column: Pick<ChartColumn, "type" | "part">, format: Format): string {
  const isDay = column.type === "date" && column.part?.unit !== "month";
  if (isDay && typeof value === "string" && day.test(value)) return format.shortDay(value);
  return groupText(value, column, format);
}

/** What stands for a number that there is none of: the average of nothing. */
const noValue = "no value";

/** What a number is one of: how it is written, and with which others it shares an axis. */
export type NumberUnit = "number" | "percent" | "difference" | "relativeChange";

/** The unit of a derived number; that of a measure without one. */
export function unitOf(derived: DerivedNumber | undefined): NumberUnit {
  switch (derived?.kind) {
    case "rate":
      return derived.format;
    case "share":
      return "percent";
    case "change":
      return derived.format === "percent" ? "relativeChange" : "difference";
    default:
      return "number";
  }
}

/** A metric's number for people. */
export function valueText(value: number | null, format: Format, unit: NumberUnit = "number"): string {
  return value === null ? noValue : format[unit](value);
}

/** The same for an axis, where there is little room: `12K`, `1.5M`. */
export function axisValueText(value: number, format: Format, unit: NumberUnit = "number"): string {
  const isCount = unit === "number" || unit === "difference";
  return isCount && Math.abs(value) >= 10_000 ? format.compact(value) : format[unit](value);
}

const words = {
  bar: "bar chart",
  "stacked-bar": "stacked bar chart",
  line: "line chart",
  area: "area chart",
  pie: "pie chart",
  table: "table",
  number: "number",
};

/** What a drawing shows, in one sentence for those who hear it: its kind, how much is in it, and its largest part. */
export function chartSummary(name: string, { kind, series, points, unit, goal }: ChartModel, format: Format): string {
  const all = points.flatMap(({ label, values }) => values.map((value, index) => ({ label, value, index })));
  const largest = all.reduce<(typeof all)[number] | undefined>(
    (most, one) =>
      (one.value !== null && (most?.value ?? null) === null) || (one.value ?? 0) > (most?.value ?? 0) ? one : most,
    undefined,
  );
  const measure = series.length === 1 ? series[0]?.label : format.count(series.length, "series", "series");
  const peak = largest ? ` The largest: ${largest.label}, ${valueText(largest.value, format, unit)}.` : "";
  const line = goal ? ` ${goal.label}: ${valueText(goal.value, format, unit)}.` : "";
  return `${name}: ${words[kind]} of ${measure ?? "nothing"}, ${format.count(points.length, "place")}.${peak}${line} The table has all numbers.`;
}
