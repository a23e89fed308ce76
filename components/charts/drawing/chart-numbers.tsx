import { ArrowDown, ArrowUp, Minus } from "lucide-react";
import { recordNounPlural } from "@/lib/charts/definition/words";
import {
  formatValue,
  isInPercent,
  metricLabel,
  metricText,
  metricUnit,
  type NumberUnit,
} from "@/lib/charts/display/chart-text";
import type { ShownMetric } from "@/lib/charts/display/fold-others";
import { type ChartSubject, cellOf } from "@/lib/charts/display/model";
import type { OnCellClick } from "@/lib/charts/display/points";
import { shownPeriod, type Trend } from "@/lib/charts/display/trend";
import type { Format } from "@/lib/format/format-of";
import { cn } from "@/lib/utils";

type Goal = NonNullable<ChartSubject["result"]["goal"]>;
type Shown = Trend["numbers"][number];

/** The measures of a chart as large numbers; of a chart by day, week or month those of the last one, with their change. */
export function ChartNumbers({ subject, onCell }: { subject: ChartSubject; onCell?: OnCellClick }) {
  const { result, columns, format } = subject;
  const { goal } = result;
  const trend = shownPeriod(subject);
  const [row] = result.rows;
  const plain = (metric: ShownMetric): Shown => ({ metric, value: row?.values[metric.key] ?? null, row, change: null });
  const numbers = trend?.numbers ?? result.metrics.map(plain);
  const soFar = trend?.soFar?.values.map((value, index) => {
    const metric = result.metrics[index];
    const text = metric && metricText(value, metric, columns, format);
    return metric && numbers.length > 1 ? `${metricLabel(metric, columns, result.source)} ${text}` : text;
  });
  return (
    <div className="m-auto flex max-h-full flex-col items-center gap-4 overflow-y-auto p-2 text-center">
      <dl className="flex flex-wrap justify-center gap-x-10 gap-y-6">
        {numbers.map(({ metric, value, row: numberRow, change }, index) => {
          const text = metricText(value, metric, columns, format);
          const cell = numberRow ? cellOf(numberRow, metric) : null;
          return (
            <div key={metric.key} className="flex min-w-0 max-w-72 flex-col gap-1">
              <dt className="wrap-anywhere order-2 text-muted-foreground text-sm">
                {metricLabel(metric, columns, result.source)}
                {trend && ` · ${trend.period}`}
                {index === 0 && goal && ` · ${goalText(goal, value, metricUnit(metric), format)}`}
              </dt>
              <dd className={cn("order-1 font-semibold", numbers.length === 1 ? "text-[2.75rem]/12" : "text-2xl")}>
                {onCell && cell ? (
                  <button
                    type="button"
                    title={`Show ${recordNounPlural(result.source)}`}
                    className="cursor-pointer rounded-md px-2 underline-offset-4 hover:underline"
                    onClick={() => onCell(cell)}
                  >
                    {text}
                  </button>
                ) : (
                  text
                )}
              </dd>
              {change && <Change text={change} />}
            </div>
          );
        })}
      </dl>
      {trend?.soFar && (
        <p data-note className="text-muted-foreground text-sm">
          {trend.soFar.period} so far: {soFar?.join(", ")}
        </p>
      )}
    </div>
  );
}

// For counts, it also says how much of the goal is reached.
function goalText({ label, value: goal }: Goal, value: number | null, unit: NumberUnit, format: Format) {
  const part = value !== null && goal > 0 && !isInPercent(unit) ? ` · ${format.percent(value / goal)}` : "";
  return `${label || "Goal"}: ${formatValue(goal, format, unit)}${part}`;
}

// Words and an arrow, but no color: whether a rise is good depends on what is counted.
function Change({ text }: { text: string }) {
  const Arrow = text.startsWith("+") ? ArrowUp : text.startsWith("No") ? Minus : ArrowDown;
  return (
    <dd className="order-3 text-balance text-sm">
      <Arrow aria-hidden className="mr-1 inline size-4 align-text-bottom" />
      {text}
    </dd>
  );
}
