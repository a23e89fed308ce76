import type { ChartColumn } from "@/lib/charts/chart-source";
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
