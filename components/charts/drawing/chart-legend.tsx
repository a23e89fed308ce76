import { formatValue, type NumberUnit } from "@/lib/charts/display/chart-text";
import { sliceColor } from "@/lib/charts/display/colors";
import type { ChartModel } from "@/lib/charts/display/model";
import type { ChartPoint } from "@/lib/charts/display/points";
import type { Format } from "@/lib/format/format-of";
import { cn } from "@/lib/utils";

/** Dashes, so that lines differ by more than color. */
export const dashes = ["0", "6 3", "2 3", "8 3 2 3", "12 3", "4 4"];

/** The color of a series; with `dash`, as its line; `round`: as its dots. */
export function Swatch({ color, dash, round }: { color: string; dash?: string | undefined; round?: boolean }) {
  if (dash === undefined)
    return (
      <span
        aria-hidden
        className={cn("size-2.5 shrink-0", round ? "rounded-full" : "rounded-[2px]")}
        style={{ background: color }}
      />
    );
  return (
    <svg aria-hidden="true" className="h-2.5 w-5 shrink-0">
      <line x1="0" x2="20" y1="5" y2="5" stroke={color} strokeWidth="2" strokeDasharray={dash} />
    </svg>
  );
}

/** Whether the bars of a chart are names. A line from name to name would mean nothing, so dots are drawn instead. */
export const hasNamedBars = ({ kind, hasOrder }: ChartModel) => kind === "bar" && !hasOrder;

/** The legend of the series; those drawn as lines with their dashes, those drawn as dots with a dot. */
export function ChartLegend({ model }: { model: ChartModel }) {
  const { kind, series } = model;
  return (
    <ul aria-label="Legend" data-legend className="flex flex-wrap justify-center gap-x-4 gap-y-1 pt-2 text-xs">
      {series.map(({ id, label, color, onRight = false }, index) => (
        <li key={id} style={{ color }} className="flex min-w-0 items-center gap-1.5">
          <Swatch
            color={color}
            dash={kind === "line" || (onRight && !hasNamedBars(model)) ? dashes[index % dashes.length] : undefined}
            round={onRight}
          />
          <span title={label} className="max-w-64 truncate text-foreground">
            {label}
          </span>
          {onRight && <span className="shrink-0 text-muted-foreground">(right axis)</span>}
        </li>
      ))}
    </ul>
  );
}

type SliceProps = { points: ChartPoint[]; percent: boolean; unit: NumberUnit; format: Format };

/** The legend of the slices with their numbers; `percent` adds their shares. */
export function SliceLegend({ points, percent, unit, format }: SliceProps) {
  const total = points.reduce((sum, { values }) => sum + (values[0] ?? 0), 0);
  return (
    <ul aria-label="Legend" data-legend className="flex min-w-0 max-w-96 flex-1 flex-col gap-1 text-sm">
      {points.map((point, index) => (
        <li key={point.id} style={{ color: sliceColor(point, index) }} className="flex items-center gap-2">
          <Swatch color={sliceColor(point, index)} />
          <span className="wrap-anywhere min-w-0 flex-1 text-foreground">{point.label}</span>
          <span className="whitespace-nowrap text-foreground">
            {formatValue(point.values[0] ?? null, format, unit)}
          </span>
          {percent && (
            <span className="w-8 whitespace-nowrap text-right text-muted-foreground">
              {percentText((point.values[0] ?? 0) / total, format)}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

/** What a drawing leaves out. */
export function Notes({ notes }: { notes: string[] }) {
  if (notes.length === 0) return null;
  return (
    <p data-note className="pt-1 text-muted-foreground text-xs">
      {notes.join(" ")}
    </p>
  );
}

const percentText = (part: number, { percent }: Format) =>
  part > 0 && part < 0.01 ? `< ${percent(0.01)}` : percent(Math.round(part * 100) / 100);
