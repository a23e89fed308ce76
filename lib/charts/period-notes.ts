import { periodWords, timeWords } from "@/lib/charts/builder-words";
import type { ChartQuery } from "@/lib/charts/chart-definition";
import type { ChartColumn } from "@/lib/charts/chart-source";
import { daysOf, isPeriod } from "@/lib/charts/period";
import { dayIn } from "@/lib/format/day-in";
import type { Format } from "@/lib/format/format-of";

/**
 * What the relative filters of a chart meant when it was computed: `Signed on in the last 7 days (Nov 16, 2026 to Nov 22,
 * 2026)`. Those of segments too, each once.
 */
export function periodNotes(
  { filters, metrics }: Pick<ChartQuery, "filters" | "metrics">,
  { columns, generatedAt, format }: { columns: ChartColumn[]; generatedAt: string; format: Format },
): string[] {
  const all = [...filters, ...metrics.flatMap(({ segment = [] }) => segment)];
  const notes = all.flatMap(({ column, operator, value }) => {
    const of = columns.find(({ name }) => name === column);
    if (!of || (of.type !== "date" && of.type !== "time") || !isPeriod(value)) return [];
    const { first, last } = daysOf(value, dayIn(format.timeZone, generatedAt));
    const days = first === last ? format.day(first) : `${format.day(first)} to ${format.day(last)}`;
    const words = operator === "eq" ? "" : `${timeWords[operator] ?? ""} `;
    return [`${of.label} ${words}${periodWords(value, operator)} (${days})`];
  });
  return [...new Set(notes)];
}
