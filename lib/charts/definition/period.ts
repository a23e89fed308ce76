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

/** The first and last date of a period, as seen from a date (YYYY-MM-DD). A test compares it with `private.chart_period`. */
export function resolvePeriod(period: string, today: string): { first: string; last: string } {
  const [year = 0, month = 1, day = 1] = today.split("-").map(Number);
  const shifted = (months: number, days: number) =>
    new Date(Date.UTC(year, month - 1 + months, days)).toISOString().slice(0, 10);
  const [which = "", unit = ""] = period.split(" ");
  if (period === "today") return { first: today, last: today };
  if (period === "yesterday") return { first: shifted(0, day - 1), last: shifted(0, day - 1) };
  const back = which === "last" ? 1 : 0;
  switch (unit) {
    case "week": {
      const monday = day - ((new Date(`${today}T00:00Z`).getUTCDay() + 6) % 7) - 7 * back;
      return { first: shifted(0, monday), last: shifted(0, monday + 6) };
    }
    case "month":
      return { first: shifted(-back, 1), last: shifted(1 - back, 0) };
    case "year":
      return { first: shifted(1 - month - 12 * back, 1), last: shifted(13 - month - 12 * back, 0) };
    default:
      return { first: shifted(0, day + 1 - Number(unit)), last: today };
  }
}
