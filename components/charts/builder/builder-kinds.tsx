import {
  AreaChart,
  ChartBarBig,
  ChartBarStacked,
  ChartLine,
  ChartPie,
  Hash,
  type LucideIcon,
  Table2,
} from "lucide-react";
import { kindWords } from "@/lib/charts/builder-words";
import { type ChartKind, chartKinds } from "@/lib/charts/chart-words";

const icons: Record<ChartKind, LucideIcon> = {
  bar: ChartBarBig,
  "stacked-bar": ChartBarStacked,
  line: ChartLine,
  area: AreaChart,
  pie: ChartPie,
  table: Table2,
  number: Hash,
};

/** How a chart is drawn: one of seven, by arrow keys too. */
export function BuilderKinds({ kind, onKind }: { kind: ChartKind; onKind: (kind: ChartKind) => void }) {
  return (
    <div className="grid grid-cols-4 gap-1">
      {chartKinds.map((one) => {
        const Icon = icons[one];
        return (
          <label
            key={one}
            className="flex h-14 cursor-pointer flex-col items-center justify-center gap-1 rounded-md border border-input text-xs hover:bg-muted has-checked:border-primary has-checked:bg-primary-soft has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2"
          >
            <input
              type="radio"
              name="kind"
              value={one}
              checked={kind === one}
              onChange={() => onKind(one)}
              className="sr-only"
            />
            <Icon aria-hidden className="size-4" />
            {kindWords[one]}
          </label>
        );
      })}
    </div>
  );
}
