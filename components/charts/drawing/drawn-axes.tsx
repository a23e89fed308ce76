import { CartesianGrid, ReferenceLine, Tooltip, useChartWidth, XAxis, YAxis, type YAxisProps } from "recharts";
import { hasNamedBars, Swatch } from "@/components/charts/drawing/chart-legend";
import { axisScale, heightsOf } from "@/lib/charts/display/axis-scale";
import { axisValueText, formatValue, isInPercent } from "@/lib/charts/display/chart-text";
import { type ChartModel, onAxis } from "@/lib/charts/display/model";
import type { ChartPoint } from "@/lib/charts/display/points";
import type { Format } from "@/lib/format/format-of";

const characterWidth = 6.3; // px, of 12 px text, on average
const digitWidth = 7.5; // px
const axisText = { fill: "var(--muted-foreground)", fontSize: 12 };
const plain = { tick: axisText, tickLine: false, axisLine: false };
const baseline = { stroke: "var(--input)" };

const shortened = (text: string, maxLength: number) =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1).trimEnd()}…` : text;

type Props = { model: ChartModel; format: Format };

// Names below bars are slanted: all of them fit, and none is left out.
function slanted(names: string[]) {
  const width = characterWidth * Math.min(maxSlanted, Math.max(...names.map(({ length }) => length)));
  return { interval: 0, angle: -35, textAnchor: "end", height: Math.ceil(width * 0.58) + 18 } as const;
}
const maxSlanted = 14; // characters

/** Days, weeks, numbers or names from left to right, and the values up the sides. */
export function UprightAxes({ model, format, padding = 0 }: Props & { padding?: number }) {
  const { points, right } = model;
  const names = new Map(points.map(({ id, axisLabel }) => [id, axisLabel]));
  return (
    <>
      <CartesianGrid vertical={false} stroke="var(--border)" />
      <XAxis
        dataKey="id"
        interval="equidistantPreserveStart"
        minTickGap={16}
        padding={{ left: padding, right: padding }}
        {...plain}
        tickMargin={6}
        axisLine={baseline}
        tickFormatter={(id: string) => shortened(names.get(id) ?? "", hasNamedBars(model) ? maxSlanted : 16)}
        {...(hasNamedBars(model) && slanted([...names.values()]))}
      />
      <ValueAxis model={onAxis(model, false)} format={format} />
      {right && <ValueAxis model={onAxis(model, true)} format={format} yAxisId="right" orientation="right" />}
      <GoalLine
        model={onAxis(model, right?.hasGoal ?? false)}
        format={format}
        axis="y"
        {...(right?.hasGoal && { yAxisId: "right" })}
      />
    </>
  );
}

function ValueAxis({ model, format, ...side }: Props & Pick<YAxisProps, "yAxisId" | "orientation">) {
  return (
    <YAxis
      {...side}
      width={valueAxisWidth(model, format)}
      {...plain}
      {...valueRange(model)}
      tickFormatter={(value: number) => axisValueText(value, format, model.unit)}
    />
  );
}

// Values beyond the limits that someone has set for the axis are cut off.
const valueRange = (model: ChartModel) => ({
  ...axisScale(model, isWholeAxis(model)),
  allowDataOverflow: model.axis.min !== undefined || model.axis.max !== undefined,
});

const isWholeAxis = ({ points, unit }: ChartModel) =>
  !isInPercent(unit) &&
  points.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)));

// Bars with their numbers next to them need no round limit: the longest fills the card.
const filledRange = ({ goal, points }: ChartModel) => {
  const all = [0, goal?.value ?? 0, ...heightsOf(points, false)];
  return { domain: [Math.min(...all), Math.max(...all)] };
};

/** The titles of the numbers' axes, above the drawing. */
export function AxisTitles({ model: { axis, right } }: Pick<Props, "model">) {
  const width = useChartWidth() ?? 0;
  const fitting = (title: string) => (right ? shortened(title, Math.floor(width / 2 / characterWidth) - 1) : title);
  return [axis.title, right?.title].map(
    (title, index) =>
      title && (
        // biome-ignore lint/suspicious/noArrayIndexKey: the left axis and the right one
        <text key={index} x={index * width} y={12} textAnchor={index === 0 ? "start" : "end"} {...axisText}>
          <title>{title}</title>
          {fitting(title)}
        </text>
      ),
  );
}

// Recharts could measure the labels, but would do so before their font is loaded.
function valueAxisWidth(model: ChartModel, format: Format) {
  const { points, stacked, unit, goal, axis } = model;
  const heights = heightsOf(points, stacked);
  const sizes = heights.map((height) => Math.abs(height));
  const hasNegative = heights.some((height) => height < 0);
  const max = 1.4 * Math.max(Math.abs(goal?.value ?? 0), Math.abs(axis.max ?? 0), ...sizes); // an axis ends at a round number
  const { length } = axisValueText(unit === "number" || unit === "whole" ? Math.ceil(max) : max, format, unit);
  return (Math.max(length, isWholeAxis(model) ? 1 : 5) + Number(hasNegative)) * digitWidth + 10;
}

/** Names down the side, at most `labelSpace` px wide, next to horizontal bars. */
export function NameAxes({ model, format, labelSpace }: Props & { labelSpace: number }) {
  const { points, series, unit, axis } = model;
  const isSingle = series.length === 1;
  const hasPositive = points.some(({ values: [value] }) => (value ?? 0) > 0);
  const maxNameLength = Math.max(...points.map(({ axisLabel }) => axisLabel.length));
  const width = Math.min(labelSpace, Math.ceil(maxNameLength * characterWidth) + 10);
  const names = new Map(points.map(({ id, axisLabel }) => [id, axisLabel]));
  return (
    <>
      {!isSingle && <CartesianGrid horizontal={false} stroke="var(--border)" />}
      <XAxis
        type="number"
        hide={isSingle}
        {...plain}
        {...(isSingle && axis.max === undefined && hasPositive ? filledRange(model) : valueRange(model))}
        tickFormatter={(value: number) => axisValueText(value, format, unit)}
      />
      <YAxis
        type="category"
        dataKey="id"
        width={width}
        interval={0}
        {...plain}
        axisLine={baseline}
        tick={<NameTick names={names} maxLength={Math.floor((width - 8) / characterWidth)} />}
      />
      <GoalLine model={model} format={format} axis="x" />
    </>
  );
}

type TickProps = {
  names: ReadonlyMap<string, string>;
  maxLength: number;
  x?: number;
  y?: number;
  payload?: { value: string };
};

// Its title is the whole name. Recharts passes position and value.
function NameTick({ names, maxLength, x, y, payload }: TickProps) {
  const name = names.get(payload?.value ?? "") ?? "";
  return (
    <text x={x} y={y} dy="0.355em" textAnchor="end" {...axisText}>
      <title>{name}</title>
      {shortened(name, maxLength)}
    </text>
  );
}

// Whether lines end above the goal: its label is then readable below it.
function goesBelow({ kind, goal, points }: ChartModel) {
  const last = heightsOf(points.slice(-Math.ceil(points.length / 3)), false);
  return kind === "line" && goal !== null && last.filter((value) => value >= goal.value).length * 2 > last.length;
}

// The axis reaches the goal, unless someone has set its ends.
function GoalLine({ model, format, axis, ...side }: Props & { axis: "x" | "y" } & Pick<YAxisProps, "yAxisId">) {
  const { goal, unit } = model;
  return (
    goal && (
      <ReferenceLine
        {...side}
        {...{ [axis]: goal.value }}
        ifOverflow="discard"
        stroke="var(--foreground)"
        strokeDasharray="4 3"
        label={{
          value: `${goal.label} ${formatValue(goal.value, format, unit)}`,
          position: axis === "x" ? "top" : goesBelow(model) ? "insideTopRight" : "insideBottomRight",
          fill: "var(--foreground)",
          fontSize: 12,
          // Readable where a line of data crosses it.
          stroke: "var(--background)",
          strokeWidth: 4,
          paintOrder: "stroke",
        }}
      />
    )
  );
}

const total = ({ values }: ChartPoint, parts: number[]) => parts.reduce((sum, index) => sum + (values[index] ?? 0), 0);

/** The tooltip: the group under the pointer, with the values of all series, and of a stack their total. */
export function PlaceTooltip({ model: { kind, points, series, unit, right, stacked }, format }: Props) {
  const parts = series.flatMap(({ onRight }, index) => (onRight ? [] : index));
  return (
    <Tooltip
      isAnimationActive={false}
      cursor={{ fill: "var(--muted)", stroke: "var(--input)", strokeWidth: 0.5 }}
      wrapperStyle={{ zIndex: 5 }}
      content={({ active, activeIndex }) => {
        const point = active ? points[Number(activeIndex)] : undefined;
        if (!point) return null;
        return (
          <div
            data-slot="chart-tooltip"
            className="flex max-w-72 flex-col gap-1 rounded-md border bg-popover print:hidden px-2.5 py-2 text-sm shadow-popover"
          >
            <p className="wrap-anywhere font-medium">{point.label}</p>
            <ul className="flex flex-col gap-0.5">
              {series.map(({ id, label, color, onRight }, index) => (
                <li key={id} className="flex items-baseline gap-2">
                  <Swatch color={kind === "pie" ? "" : color} />
                  <span className="wrap-anywhere min-w-0 flex-1 text-muted-foreground">
                    {label}
                    {onRight && " (right axis)"}
                  </span>
                  <span className="whitespace-nowrap font-medium">
                    {formatValue(point.values[index] ?? null, format, (onRight && right?.unit) || unit)}
                  </span>
                </li>
              ))}
              {stacked && parts.length > 1 && (
                <li className="mt-0.5 flex justify-between gap-2 border-t pt-1 font-medium">
                  <span>Total</span>
                  <span className="whitespace-nowrap">{formatValue(total(point, parts), format, unit)}</span>
                </li>
              )}
            </ul>
          </div>
        );
      }}
    />
  );
}
