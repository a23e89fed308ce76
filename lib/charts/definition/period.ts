import type { ChartQuery } from "@/lib/charts/definition/definition";
import { conditionsOf, operatorLabel, periodLabel } from "@/lib/charts/definition/operators";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { isTimeType } from "@/lib/charts/definition/words";
import { dayIn } from "@/lib/format/days";
import type { Format } from "@/lib/format/format-of";

/** The relative dates that the builder offers. There's also `last … days`, including today, up to 999. */
export const periods = [
  "today",
  "yesterday",
  "this week",
  "last week",
  "this month",
  "last month",
  "this year",
] as const;

/** Whether a filter's date or time is relative, so that generating the chart resolves it. */
export function isPeriod(value: unknown): value is string {
  return (
    typeof value === "string" && /^(today|yesterday|last [1-9]\d{0,2} days|(this|last) (week|month|year))$/.test(value)
  );
}

/** The first and last date of a period, as seen from a date (YYYY-MM-DD). A test holds it equal to `private.chart_period`. */
export function daysOf(period: string, today: string): { first: string; last: string } {
  const [year = 0, month = 1, day = 1] = today.split("-").map(Number);
  const at = (months: number, days: number) =>
    new Date(Date.UTC(year, month - 1 + months, days)).toISOString().slice(0, 10);
  const [which = "", unit = ""] = period.split(" ");
  if (period === "today") return { first: today, last: today };
  if (period === "yesterday") return { first: at(0, day - 1), last: at(0, day - 1) };
  const back = which === "last" ? 1 : 0;
  switch (unit) {
    case "week": {
      const monday = day - ((new Date(`${today}T00:00Z`).getUTCDay() + 6) % 7) - 7 * back;
      return { first: at(0, monday), last: at(0, monday + 6) };
    }
    case "month":
      return { first: at(-back, 1), last: at(1 - back, 0) };
    case "year":
      return { first: at(1 - month - 12 * back, 1), last: at(13 - month - 12 * back, 0) };
    default:
      return { first: at(0, day + 1 - Number(unit)), last: today };
  }
}

/**
 * What relative dates meant when a chart was computed, in its filters and segments, each once: `Date signed in the last 7
 * days (Nov 16, 2026 to Nov 22, 2026)`.
 */
export function periodNotes(
  { filters, metrics }: Pick<ChartQuery, "filters" | "metrics">,
  { columns, generatedAt, format }: { columns: ChartColumn[]; generatedAt: string; format: Format },
): string[] {
  const all = conditionsOf([...filters, ...metrics.flatMap(({ segment = [] }) => segment)]);
  const notes = all.flatMap(({ column, operator, value }) => {
    const of = columns.find(({ name }) => name === column);
    if (!of || !isTimeType(of.type) || !isPeriod(value)) return [];
    const { first, last } = daysOf(value, dayIn(format.timeZone, generatedAt));
    const days = first === last ? format.day(first) : `${format.day(first)} to ${format.day(last)}`;
    const compared = operator === "eq" ? "" : `${operatorLabel(operator, of.type)} `;
    return [`${of.label} ${compared}${periodLabel(value, operator)} (${days})`];
  });
  return [...new Set(notes)];
}
