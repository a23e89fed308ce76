import type { Format } from "@/lib/format/format-of";

/** What stands for a missing value; an empty text is given, and empty. */
const notGiven = "not given";
const emptyText = "empty text";

const day = /^\d{4}-\d{2}-\d{2}$/;

/** A value of a group column in words. */
export function groupText(value: unknown, type: string, format: Format): string {
  if (value === null || value === undefined) return notGiven;
  if (value === "") return emptyText;
  if (Array.isArray(value))
    return value.length === 0 ? "nothing" : value.map((one) => groupText(one, "text", format)).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) >= 10_000 ? format.number(value) : String(value);
  if (typeof value !== "string") return JSON.stringify(value);
  if (type === "date" && day.test(value)) return format.day(value);
  if (type === "time" && !Number.isNaN(Date.parse(value))) return format.dateTime(value);
  return value;
}

/** A day or a time for an axis, where there is little room; anything else as it is. */
export function axisGroupText(value: unknown, type: string, format: Format): string {
  if (type === "date" && typeof value === "string" && day.test(value)) return format.shortDay(value);
  return groupText(value, type, format);
}
