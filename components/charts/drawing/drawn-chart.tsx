import { type ReactNode, type RefObject, useEffect, useRef } from "react";
import {
  Area,
  Bar,
  BarChart,
  ComposedChart,
  LabelList,
  Line,
  Pie,
  PieChart,
  Rectangle,
  ResponsiveContainer,
  useActiveTooltipDataPoints,
  useChartWidth,
} from "recharts";
import { dashes, hasNamedBars, Notes } from "@/components/charts/drawing/chart-legend";
import { AxisTitles, NameAxes, PlaceTooltip, UprightAxes } from "@/components/charts/drawing/drawn-axes";
import { usePaperWidth } from "@/components/charts/drawing/use-paper-width";
import { cutOffNotes, isOnAxis } from "@/lib/charts/display/axis-scale";
import { axisValueText, formatValue } from "@/lib/charts/display/chart-text";
import { sliceColor } from "@/lib/charts/display/colors";
import { type ChartModel, onAxis } from "@/lib/charts/display/model";
import type { ChartCell, ChartPoint, OnCellClick } from "@/lib/charts/display/points";
import type { Format } from "@/lib/format/format-of";

type Props = {
  model: ChartModel;
  format: Format;
  /** Describes the chart to screen readers. */
  label: string;
  /** The largest width of the bars' labels, in px. */
  labelSpace: number;
  onCell?: OnCellClick;
};
type Chosen = { chosen: RefObject<ChartPoint | null> }; // by the arrow keys

/** Draws bars, lines, areas and pies with Recharts. Loaded after the page: give it a box of a fixed size. */
export function DrawnChart(props: Props) {
  const { model, format } = props;
  const { kind, series } = model;
  // Recharts keeps the order in which series were added, so other series are another chart.
  const key = JSON.stringify(series.map(({ id }) => id));
  const chosen = useRef<ChartPoint>(null);
  const box = useRef<HTMLDivElement>(null);
  const width = usePaperWidth(box);
  const notes = [false, true]
    .slice(0, model.right ? 2 : 1)
    .flatMap((isRight) => cutOffNotes(onAxis(model, isRight), format));
  return (
    <div key={key} className="flex size-full flex-col">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the chart in it has the focus */}
      <div
        ref={box}
        onKeyDown={(event) => {
          if (event.key !== "Enter") return;
          event.preventDefault(); // or it also presses the button that gets the focus
          // Opens the first of several series: the table opens each.
          openCell(
            chosen.current?.cells.find((cell) => cell !== null),
            props.onCell,
          );
        }}
        className="min-h-0 min-w-0 flex-1 text-xs [&_.recharts-layer]:outline-none [&_.recharts-surface]:overflow-visible [&_.recharts-surface:focus-visible]:outline-2 [&_.recharts-surface:focus-visible]:outline-ring [&_.recharts-surface]:outline-offset-4 print:relative print:[&_.recharts-tooltip-cursor]:hidden print:[&_.recharts-wrapper]:absolute! print:[&_.recharts-wrapper]:inset-0"
      >
        <ResponsiveContainer initialDimension={{ width: 1, height: 1 }} {...(width && kind !== "pie" && { width })}>
          {kind === "pie" ? (
            <Slices {...props} />
          ) : kind === "line" || kind === "area" ? (
            <Lines {...props} chosen={chosen} />
          ) : (
            <Bars {...props} chosen={chosen} />
          )}
        </ResponsiveContainer>
      </div>
      {kind !== "pie" && <Notes notes={notes} />}
    </div>
  );
}

const noAnimation = { isAnimationActive: false };
const background = "var(--background)";
const titleSpace = 20; // px, also of a goal above horizontal bars
const axisSpace = 50; // px
const maxLabeled = 8; // points that have room for their values on the narrowest screen

// Names have room next to horizontal bars. Bars go from left to right for days, and if there is a right axis.
function Bars({ model, format, label, labelSpace, onCell, chosen }: Props & Chosen) {
  const { points, series, stacked, hasOrder, unit, right } = model;
  const upright = hasOrder || right !== null;
  const isSingle = series.length === 1;
  const values = points.map(({ values: [value = null] }) =>
    value !== null && !isOnAxis(model.axis, value) ? "" : formatValue(value, format, unit),
  );
  const valueSpace = isSingle ? Math.max(...values.map(({ length }) => length)) * 7 + 8 : 8;
  const horizontal = {
    layout: "vertical",
    margin: marginOf(titleSpace * (Number(!!model.axis.title) + Number(!!model.goal)), valueSpace),
    barCategoryGap: points.length > 6 ? "18%" : "28%",
    barGap: 1,
  } as const;
  return (
    <BarChart
      data={points}
      stackOffset="sign"
      aria-label={label}
      {...(upright ? { margin: chartMargin(model, right ? 0 : 8), barCategoryGap: "15%" } : horizontal)}
    >
      {upright ? (
        <UprightAxes model={model} format={format} />
      ) : (
        <NameAxes model={model} format={format} labelSpace={labelSpace} />
      )}
      <AxisTitles model={model} />
      <PlaceTooltip model={model} format={format} />
      <RememberChosen chosen={chosen} />
      {series.map((item, index) =>
        item.onRight ? (
          <SeriesLine key={item.id} model={model} index={index} onCell={onCell} chosen={chosen} />
        ) : (
          <Bar
            key={item.id}
            name={item.label}
            // A part without a number still has the total of its stack above it.
            dataKey={({ values }: ChartPoint) => values[index] ?? (stacked ? 0 : null)}
            fill={item.color}
            maxBarSize={upright ? 40 : 28}
            {...(stacked && {
              stackId: "all",
              stroke: background,
              strokeWidth: hasOrder && points.length > 40 ? 0.5 : 1,
            })}
            {...noAnimation}
            {...(onCell && {
              className: "cursor-pointer",
              onClick: ({ originalDataIndex }) => openCell(points[originalDataIndex]?.cells[index], onCell),
            })}
            shape={<OwnShape points={points} isSingle={isSingle} />}
          >
            {!hasOrder && isSingle && labels("right", points, values)}
            {hasOrder && index === series.length - 1 && <TotalLabels model={model} format={format} />}
          </Bar>
        ),
      )}
    </BarChart>
  );
}

// Numbers at the points, for printouts; the total of a stack.
const hasTotals = ({ points, series, stacked }: ChartModel) =>
  points.length <= maxLabeled && (stacked || series.length === 1);

const marginOf = (top: number, right: number) => ({ top, right, bottom: 0, left: 0 });
const chartMargin = (model: ChartModel, right: number) =>
  marginOf((model.goal || hasTotals(model) ? 20 : 8) + (model.axis.title ? titleSpace : 0), right);

function TotalLabels({ model, format }: Pick<Props, "model" | "format">) {
  const width = useChartWidth() ?? 0;
  if (!hasTotals(model)) return null;
  const totals = model.points.map(({ values }) => {
    const present = values.filter((value) => value !== null);
    const total = present.reduce((sum, value) => sum + value, 0);
    return present.length === 0 || !isOnAxis(model.axis, total) ? "" : axisValueText(total, format, model.unit);
  });
  const longest = Math.max(...totals.map(({ length }) => length)) * 7; // px
  if (longest * totals.length > width - axisSpace) return null; // they would overlap
  return labels("top", model.points, totals);
}

// Recharts leaves bars without a number out, so a label is found by its point, not by its place.
function labels(position: "top" | "right", points: ChartPoint[], values: string[]) {
  const texts = new Map(points.map(({ id }, index) => [id, values[index]]));
  return (
    <LabelList
      position={position}
      offset={position === "top" ? 8 : 5}
      fill="var(--foreground)"
      fontSize={12}
      // Readable where the goal's line crosses it.
      stroke={background}
      strokeWidth={3}
      paintOrder="stroke"
      valueAccessor={({ payload }: { payload?: ChartPoint }) => texts.get(payload?.id ?? "")}
    />
  );
}

function Lines({ model, format, label, onCell, chosen }: Props & Chosen) {
  const { kind, points, series, stacked, right } = model;
  return (
    <ComposedChart data={points} margin={chartMargin(model, right ? 0 : 8)} aria-label={label}>
      <UprightAxes model={model} format={format} padding={hasTotals(model) ? 20 : 0} />
      <AxisTitles model={model} />
      <PlaceTooltip model={model} format={format} />
      <RememberChosen chosen={chosen} />
      {series.map((item, index) =>
        kind === "area" && !item.onRight ? (
          <Area
            key={item.id}
            {...lineOf({ model, index, onCell, chosen })}
            fill={item.color}
            fillOpacity={stacked ? 0.75 : 0.2}
            {...(stacked && { stackId: "all", stroke: background, strokeWidth: 1 })}
          />
        ) : (
          <SeriesLine key={item.id} model={model} index={index} onCell={onCell} chosen={chosen}>
            <TotalLabels model={model} format={format} />
          </SeriesLine>
        ),
      )}
    </ComposedChart>
  );
}

type LineProps = Pick<Props, "model" | "onCell"> & Chosen & { index: number; children?: ReactNode };

function lineOf({ model: { series }, index, onCell, chosen }: LineProps) {
  const { label, color = "", onRight } = series[index] ?? {};
  return {
    name: label,
    dataKey: ({ values }: ChartPoint) => values[index],
    stroke: color,
    strokeWidth: 2,
    type: "linear" as const,
    ...(onRight && { yAxisId: "right" }),
    // It's the point under the pointer.
    activeDot: {
      stroke: background,
      ...(onCell && { className: "cursor-pointer", onClick: () => openCell(chosen.current?.cells[index], onCell) }),
    },
    ...noAnimation,
  };
}

// A line from name to name would mean nothing, so dots are drawn instead.
function SeriesLine({ children, ...props }: LineProps) {
  const { model, index } = props;
  const isDots = hasNamedBars(model);
  const line = lineOf(props);
  const small = { r: 2, strokeDasharray: "0", fill: line.stroke };
  const large = { r: 5, stroke: background, strokeWidth: 2, fill: line.stroke };
  return (
    <Line
      {...line}
      {...(isDots ? { strokeWidth: 0 } : { strokeDasharray: dashes[index % dashes.length] ?? "0" })}
      dot={isDots ? large : model.points.length > 40 ? false : small}
    >
      {children}
    </Line>
  );
}

function Slices({ model, format, label, onCell }: Props) {
  const { points } = model;
  return (
    <PieChart accessibilityLayer={false} role="img" aria-label={label}>
      <PlaceTooltip model={model} format={format} />
      <Pie
        data={points.map((point, index) => ({ ...point, fill: sliceColor(point, index) }))}
        dataKey={({ values }: ChartPoint) => values[0] ?? 0}
        nameKey="label"
        innerRadius="55%"
        outerRadius="100%"
        startAngle={90}
        endAngle={-270}
        stroke={background}
        strokeWidth={2}
        {...noAnimation}
        {...(onCell && {
          className: "cursor-pointer",
          onClick: (_slice, index) => openCell(points[index]?.cells[0], onCell),
        })}
      />
    </PieChart>
  );
}

function RememberChosen({ chosen }: Chosen) {
  const [point = null] = useActiveTooltipDataPoints<ChartPoint>() ?? [];
  useEffect(() => {
    if (point) chosen.current = point; // also when the focus returns from its records
  });
  return null;
}

const openCell = (cell: ChartCell | null | undefined, onCell: OnCellClick) => cell && onCell?.(cell);

type BarShape = { points: ChartPoint[]; isSingle: boolean; originalDataIndex?: number };

// A bar of several groups must not look like one group. With a shape, parts of height 0 still have their stack's label.
function OwnShape({ points, isSingle, originalDataIndex = -1, ...bar }: BarShape) {
  const isFolded = isSingle && (points[originalDataIndex]?.folded ?? 0) > 0;
  return <Rectangle {...bar} radius={isSingle ? 2 : 0} {...(isFolded && { fill: "var(--chart-other)" })} />;
}
