import { type ChartSubject, cellOf } from "@/lib/charts/display/model";
import type { OnCell } from "@/lib/charts/display/points";
import { metricLabel, metricText, unitOf, valueText } from "@/lib/charts/display/texts";
import { cn } from "@/lib/utils";

/** The measures of a chart without groups, as large numbers. */
export function ChartNumbers({ subject, onCell }: { subject: ChartSubject; onCell?: OnCell }) {
  const { result, columns, format } = subject;
  const row = result.rows[0];
  const { goal } = result;
  return (
    <dl className="m-auto flex max-h-full flex-wrap justify-center gap-x-10 gap-y-6 overflow-y-auto p-2 text-center">
      {result.metrics.map((metric, index) => {
        const text = metricText(row?.values[metric.key] ?? null, metric, columns, format);
        const label = metricLabel(metric, columns);
        const cell = row ? cellOf(row, metric) : null;
        return (
          <div key={metric.key} className="flex min-w-0 flex-col-reverse gap-1">
            <dt className="wrap-anywhere text-muted-foreground text-sm">
              {label}
              {index === 0 &&
                goal &&
                ` · ${goal.label || "Goal"}: ${valueText(goal.value, format, unitOf(metric.derived))}`}
            </dt>
            <dd className={cn("font-semibold", result.metrics.length === 1 ? "text-[2.75rem]/12" : "text-2xl")}>
              {onCell && cell ? (
                <button
                  type="button"
                  title="Show records"
                  className="cursor-pointer rounded-md px-2 underline-offset-4 hover:underline"
                  onClick={() => onCell(cell)}
                >
                  {text}
                </button>
              ) : (
                text
              )}
            </dd>
          </div>
        );
      })}
    </dl>
  );
}
