import { formatDay } from "@/lib/format/format-day";
import { formatNumber } from "@/lib/format/format-number";

/** What stands for a missing value; an empty text is given, and empty. */
const notGiven = "not given";
const emptyText = "empty text";

const day = /^\d{4}-\d{2}-\d{2}$/;

/** A value of a group column in words. Times are in the team's zone. */
export function groupText(value: unknown, type: string, timeZone: string): string {
  if (value === null || value === undefined) return notGiven;
  if (value === "") return emptyText;
  if (Array.isArray(value))
    return value.length === 0 ? "nothing" : value.map((one) => groupText(one, "text", timeZone)).join(", ");
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "number")
    return Number.isInteger(value) && Math.abs(value) >= 10_000 ? formatNumber(value) : String(value);
  if (typeof value !== "string") return JSON.stringify(value);
  if (type === "date" && day.test(value)) return formatDay(value);
  if (type === "time" && !Number.isNaN(Date.parse(value))) return timeText(value, timeZone);
  return value;
}

/** A day or a time for an axis, where there is little room; anything else as it is. */
export function axisGroupText(value: unknown, type: string, timeZone: string): string {
  if (type === "date" && typeof value === "string" && day.test(value)) return formatDay(value).slice(0, -5);
  return groupText(value, type, timeZone);
}

/** A moment in the team's zone. */
export function timeText(value: string, timeZone: string) {
  return new Intl.DateTimeFormat("en-GB", {
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  }).format(new Date(value));
}
