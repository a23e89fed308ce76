"use client";

import { type ComponentProps, createContext, type ReactNode, use } from "react";
import { ResponsiveContainer } from "recharts";
import { cn } from "@/lib/utils";

/** Names and colours of the series of a chart, by id. A colour is any of CSS, a token too. */
export type ChartConfig = Record<string, { label: string; color: string }>;

const Config = createContext<ChartConfig>({});

/** The frame of a Recharts chart: fills its box, and gives each series its colour as `--color-<id>`. */
export function ChartContainer({
  config,
  className,
  children,
  ...props
}: ComponentProps<"div"> & { config: ChartConfig; children: ReactNode }) {
  const colors = Object.fromEntries(Object.entries(config).map(([id, { color }]) => [`--color-${id}`, color]));
  return (
    <Config value={config}>
      <div
        data-slot="chart"
        style={colors}
        className={cn(
          "size-full min-w-0 text-xs [&_.recharts-layer]:outline-none [&_.recharts-surface]:overflow-visible [&_.recharts-surface:focus-visible]:outline-2 [&_.recharts-surface:focus-visible]:outline-ring [&_.recharts-surface]:outline-offset-4 print:relative print:[&_.recharts-surface]:size-full! print:[&_.recharts-wrapper]:absolute! print:[&_.recharts-wrapper]:inset-0 print:[&_.recharts-wrapper]:size-full!",
          className,
        )}
        {...props}
      >
        <ResponsiveContainer initialDimension={{ width: 1, height: 1 }}>{children}</ResponsiveContainer>
      </div>
    </Config>
  );
}

/** The tooltip of a chart: a label, and the value of each series. `children` are below. */
export function ChartTooltipContent({
  label,
  values,
  children,
}: {
  label: ReactNode;
  /** Texts by the id of the series, in the order of the series. */
  values: Record<string, string>;
  children?: ReactNode;
}) {
  const config = use(Config);
  return (
    <div
      data-slot="chart-tooltip"
      className="flex max-w-72 flex-col gap-1 rounded-md border bg-popover px-2.5 py-2 text-sm shadow-popover"
    >
      <p className="wrap-anywhere font-medium">{label}</p>
      <ul className="flex flex-col gap-0.5">
        {Object.entries(values).map(([id, text]) => (
          <li key={id} className="flex items-baseline gap-2">
            <span aria-hidden className="size-2.5 shrink-0 rounded-[2px]" style={{ background: config[id]?.color }} />
            <span className="wrap-anywhere min-w-0 flex-1 text-muted-foreground">{config[id]?.label}</span>
            <span className="whitespace-nowrap font-medium">{text}</span>
          </li>
        ))}
      </ul>
      {children && <p className="text-muted-foreground text-xs">{children}</p>}
    </div>
  );
}
