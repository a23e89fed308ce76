import { formatValue, type NumberUnit } from "@/lib/charts/display/chart-text";
import { type ChartSeries, sliceColor } from "@/lib/charts/display/model";
import type { ChartPoint } from "@/lib/charts/display/points";
import type { Format } from "@/lib/format/format-of";

/** Dashes, so that lines differ by more than color. */
export const dashes = ["0", "6 3", "2 3", "8 3 2 3", "12 3", "4 4"];

/** The color of a series; with `dash`, as its line. */
export function Swatch({ color, dash }: { color: string; dash?: string | undefined }) {
  if (dash === undefined)
    return <span aria-hidden className="size-2.5 shrink-0 rounded-[2px]" style={{ background: color }} />;
  return (
    <svg aria-hidden="true" className="h-2.5 w-5 shrink-0">
      <line x1="0" x2="20" y1="5" y2="5" stroke={color} strokeWidth="2" strokeDasharray={dash} />
    </svg>
  );
}

/** The legend of the series; `lines` shows their dashes. */
export function ChartLegend({ series, lines }: { series: ChartSeries[]; lines: boolean }) {
  return (
    <ul aria-label="Legend" data-legend className="flex flex-wrap justify-center gap-x-4 gap-y-1 pt-2 text-xs">
      {series.map(({ id, label, color }, index) => (
        <li key={id} style={{ color }} className="flex min-w-0 max-w-48 items-center gap-1.5">
          <Swatch color={color} dash={lines ? dashes[index % dashes.length] : undefined} />
          <span title={label} className="truncate text-foreground">
            {label}
          </span>
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
          <span title={point.label} className="min-w-0 flex-1 truncate text-foreground">
            {point.label}
          </span>
          <span className="whitespace-nowrap text-foreground">
            {formatValue(point.values[0] ?? null, format, unit)}
          </span>
          {percent && (
            <span className="w-10 whitespace-nowrap text-right text-muted-foreground">
              {percentText((point.values[0] ?? 0) / total, format)}
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

const percentText = (part: number, { percent }: Format) =>
  part > 0 && part < 0.01 ? `< ${percent(0.01)}` : percent(Math.round(part * 100) / 100);
