import {
  AreaChart,
  ChartBarBig,
  ChartBarStacked,
  ChartLine,
  ChartPie,
  Hash,
  LayoutDashboard,
  type LucideIcon,
  Table2,
  TableProperties,
} from "lucide-react";
import { useId } from "react";
import { Problem } from "@/components/charts/builder/fields";
import type { ChartBuilderState } from "@/components/charts/builder/use-chart-builder";
import { problemIn } from "@/lib/charts/builder/draft";
import { type ChartKind, chartKinds, kindLabels } from "@/lib/charts/definition/words";

const icons: Record<ChartKind, LucideIcon> = {
  bar: ChartBarBig,
  "stacked-bar": ChartBarStacked,
  line: ChartLine,
  area: AreaChart,
  pie: ChartPie,
  "heat-map": LayoutDashboard,
  pivot: TableProperties,
  table: Table2,
  number: Hash,
};

/** The chart types. The best fit is marked, and each says why it fits or doesn't. */
export function BuilderKinds({ builder: { draft, update, preview, parts } }: { builder: ChartBuilderState }) {
  const { fits } = preview;
  const id = useId();
  const problem = problemIn(parts.problems, "kind");
  return (
    <div className="flex flex-col gap-1">
      <div className="grid grid-cols-3 gap-1">
        {chartKinds.map((kind) => {
          const Icon = icons[kind];
          const fit = fits?.get(kind);
          return (
            <label
              key={kind}
              title={fit?.reason}
              className="relative flex h-16 cursor-pointer flex-col items-center gap-1 rounded-md border border-input px-1 pt-3 text-center text-xs leading-tight hover:bg-muted has-checked:border-primary has-checked:bg-primary-soft has-focus-visible:outline-2 has-focus-visible:outline-ring has-focus-visible:outline-offset-2 data-[fit=cannot]:border-dashed data-[fit=cannot]:text-muted-foreground lg:h-20"
              data-fit={fit?.fit}
            >
              <input
                type="radio"
                name="kind"
                value={kind}
                aria-describedby={problem ? `${id}-problem ${id}-${kind}` : `${id}-${kind}`}
                aria-invalid={draft.kind === kind && problem !== undefined}
                checked={draft.kind === kind}
                onChange={() => update({ kind })}
                className="sr-only"
              />
              <Icon aria-hidden className="size-4" />
              <span>
                {kindLabels[kind]}
                {/* Where a phone has no room for it, choosing the type says why. */}
                {fit?.brief && (
                  <span aria-hidden className="block max-sm:hidden">
                    {fit.brief}
                  </span>
                )}
              </span>
              <span id={`${id}-${kind}`} hidden>
                {fit?.reason}
              </span>
              {fit?.fit === "fits" && (
                <span aria-hidden className="absolute top-1 right-1.5 text-primary leading-none">
                  best fit
                </span>
              )}
            </label>
          );
        })}
      </div>
      {/* Tall enough for every text, so that nothing below moves. */}
      <div className="min-h-8 sm:min-h-4">
        <Problem id={`${id}-problem`}>{problem}</Problem>
        {problem === undefined && <p className="text-muted-foreground text-xs">{fits?.get(draft.kind)?.reason}</p>}
      </div>
    </div>
  );
}
