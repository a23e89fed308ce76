"use client";

import type { ReactElement } from "react";
import {
  Area,
  Bar,
  BarChart,
  CartesianGrid,
  ComposedChart,
  LabelList,
  Line,
  Pie,
  PieChart,
  Rectangle,
  ReferenceLine,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import { dashes } from "@/components/charts/drawing/chart-legend";
import { ChartContainer, ChartTooltipContent } from "@/components/ui/chart";
import type { ChartCell, ChartModel, ChartPoint } from "@/lib/charts/display/model";
import { sliceColor } from "@/lib/charts/display/model";
import { axisValueText, type NumberUnit, valueText } from "@/lib/charts/display/texts";
import type { Format } from "@/lib/format/format-of";

const character = 6.3; // px, of 12 px text, on average
const still = { isAnimationActive: false };
const axisText = { fill: "var(--muted-foreground)", fontSize: 12 };

type Props = {
  model: ChartModel;
  format: Format;
  /** What it shows, for those who hear it. */
  label: string;
  /** px that the labels of bars may take. */
  labelSpace: number;
  onCell?: ((cell: ChartCell) => void) | undefined;
};

/** Draws bars, lines, areas and pies with Recharts. Loaded after the page: give it a box of a fixed size. */
export function DrawnChart(props: Props) {
  const { model } = props;
  const ids = model.series.map((_, index) => `s${index}`);
  const config = Object.fromEntries(
    model.series.map(({ label, color }, index) => [`s${index}`, { label, color: model.kind === "pie" ? "" : color }]),
  );
  // Recharts keeps its series in the order in which they came: others are another chart.
  const key = JSON.stringify(model.series.map(({ id }) => id));
  return (
    <ChartContainer key={key} config={config}>
      {chartOf(props, ids)}
    </ChartContainer>
  );
}

function chartOf(props: Props, ids: string[]): ReactElement {
  switch (props.model.kind) {
    case "pie":
      return <Slices {...props} />;
    case "line":
    case "area":
      return lines(props, ids);
    default:
      return props.model.ordered ? columns(props, ids) : bars(props, ids);
  }
}

// Names that are compared lie beside their bars, where there is room to read them.
function bars({ model, format, label, labelSpace, onCell }: Props, ids: string[]) {
  const { points, series, stacked, unit } = model;
  const longest = Math.max(...points.map(({ axisLabel }) => axisLabel.length));
  const width = Math.min(labelSpace, Math.ceil(longest * character) + 10);
  const single = series.length === 1;
  const valueSpace = single
    ? Math.max(...points.map(({ values }) => valueText(values[0] ?? null, format, unit).length)) * 7 + 8
    : 8;
  return (
    <BarChart
      layout="vertical"
      data={points}
      margin={{ top: 0, right: valueSpace, bottom: 0, left: 0 }}
      barCategoryGap={points.length > 6 ? "18%" : "28%"}
      barGap={1}
      stackOffset="sign"
      aria-label={label}
    >
      {!single && <CartesianGrid horizontal={false} stroke="var(--border)" />}
      <XAxis
        type="number"
        hide={single}
        tick={axisText}
        tickLine={false}
        axisLine={false}
        tickFormatter={(value: number) => axisValueText(value, format, unit)}
        tickCount={4}
      />
      <YAxis
        type="category"
        dataKey="id"
        width={width}
        interval={0}
        tickLine={false}
        axisLine={{ stroke: "var(--input)" }}
        tick={<NameTick points={points} most={Math.floor((width - 8) / character)} />}
      />
      {goalLine(model, "x", format)}
      {tooltip(model, ids, format)}
      {series.map((one, index) => (
        <Bar
          key={one.id}
          name={one.label}
          dataKey={({ values }: ChartPoint) => values[index]}
          fill={`var(--color-${ids[index]})`}
          maxBarSize={28}
          {...(stacked && { stackId: "all", stroke: "var(--background)" })}
          {...still}
          {...opens(points, index, onCell)}
          {...(single && { shape: <OwnColor points={points} /> })}
        >
          {single && (
            <LabelList
              position="right"
              fill="var(--foreground)"
              fontSize={12}
              valueAccessor={(_entry: unknown, at: number) => valueText(points[at]?.values[0] ?? null, format, unit)}
            />
          )}
        </Bar>
      ))}
    </BarChart>
  );
}

// Days and numbers follow one another from left to right.
function columns({ model, format, label, onCell }: Props, ids: string[]) {
  const { points, series, stacked } = model;
  return (
    <BarChart data={points} margin={marginOf(model)} barCategoryGap="15%" stackOffset="sign" aria-label={label}>
      {axes(model, format)}
      {tooltip(model, ids, format)}
      {series.map((one, index) => (
        <Bar
          key={one.id}
          name={one.label}
          dataKey={({ values }: ChartPoint) => values[index]}
          fill={`var(--color-${ids[index]})`}
          maxBarSize={40}
          {...(stacked && { stackId: "all", stroke: "var(--background)", strokeWidth: points.length > 40 ? 0.5 : 1 })}
          {...still}
          {...opens(points, index, onCell)}
          {...(series.length === 1 && { shape: <OwnColor points={points} /> })}
        >
          {index === series.length - 1 && hasNumbers(model) && numbers(model, format)}
        </Bar>
      ))}
    </BarChart>
  );
}

const mostNumbers = 8; // points that have room for theirs on the narrowest screen

// One number at each place, for those who read it on paper: of parts the whole.
const hasNumbers = ({ points, series, stacked }: ChartModel) =>
  points.length <= mostNumbers && (stacked || series.length === 1);

const marginOf = (model: ChartModel) => ({
  ...{ right: 8, bottom: 0, left: 0 },
  top: model.goal || hasNumbers(model) ? 20 : 8,
});

function numbers({ points, unit }: ChartModel, format: Format) {
  return (
    <LabelList
      position="top"
      offset={8}
      fill="var(--foreground)"
      fontSize={12}
      valueAccessor={(_entry: unknown, at: number) => {
        const given = points[at]?.values.filter((value) => value !== null) ?? [];
        return given.length === 0
          ? ""
          : axisValueText(
              given.reduce((sum, value) => sum + value, 0),
              format,
              unit,
            );
      }}
    />
  );
}

function lines({ model, format, label, onCell }: Props, ids: string[]) {
  const { kind, points, series, stacked } = model;
  return (
    <ComposedChart data={points} margin={{ ...marginOf(model), right: hasNumbers(model) ? 24 : 8 }} aria-label={label}>
      {axes(model, format)}
      {tooltip(model, ids, format)}
      {series.map((one, index) => {
        const shared = {
          name: one.label,
          dataKey: ({ values }: ChartPoint) => values[index],
          stroke: `var(--color-${ids[index]})`,
          strokeWidth: 2,
          type: "linear" as const,
          activeDot: (dot: { cx?: number; cy?: number; index?: number }) => (
            <Dot key={`${one.id} ${dot.index}`} {...dot} color={one.color} {...opens(points, index, onCell)} />
          ),
          ...still,
        };
        return kind === "area" ? (
          <Area
            key={one.id}
            {...shared}
            fill={`var(--color-${ids[index]})`}
            fillOpacity={stacked ? 0.75 : 0.2}
            {...(stacked && { stackId: "all", stroke: "var(--background)", strokeWidth: 1 })}
          />
        ) : (
          <Line
            key={one.id}
            {...shared}
            strokeDasharray={dashes[index % dashes.length] ?? "0"}
            dot={points.length > 40 ? false : { r: 2, strokeDasharray: "0", fill: one.color }}
          >
            {hasNumbers(model) && numbers(model, format)}
          </Line>
        );
      })}
    </ComposedChart>
  );
}

function Slices({ model, format, label, onCell }: Props) {
  const { points } = model;
  return (
    <PieChart accessibilityLayer={false} role="img" aria-label={label}>
      {tooltip(model, ["s0"], format)}
      <Pie
        data={points.map((one, index) => ({ ...one, fill: sliceColor(one, index) }))}
        dataKey={({ values }: ChartPoint) => values[0] ?? 0}
        nameKey="label"
        innerRadius="55%"
        outerRadius="100%"
        startAngle={90}
        endAngle={-270}
        stroke="var(--background)"
        strokeWidth={2}
        {...still}
        {...opens(points, 0, onCell)}
      />
    </PieChart>
  );
}

// A list, for Recharts looks for its parts among the children.
function axes({ points, stacked, unit, goal }: ChartModel, format: Format) {
  const names = new Map(points.map(({ id, axisLabel }) => [id, axisLabel]));
  const isCount = unit === "number" || unit === "difference";
  const whole =
    isCount && points.every(({ values }) => values.every((value) => value === null || Number.isInteger(value)));
  return [
    <CartesianGrid key="grid" vertical={false} stroke="var(--border)" />,
    <XAxis
      key="x"
      dataKey="id"
      interval="equidistantPreserveStart"
      minTickGap={16}
      tick={axisText}
      tickLine={false}
      tickMargin={6}
      axisLine={{ stroke: "var(--input)" }}
      tickFormatter={(id: string) => shortened(names.get(id) ?? "", 16)}
    />,
    <YAxis
      key="y"
      width={valueSpace(points, { stacked, whole, unit, least: Math.abs(goal?.value ?? 0), format })}
      tick={axisText}
      tickLine={false}
      axisLine={false}
      tickCount={5}
      allowDecimals={!whole}
      tickFormatter={(value: number) => axisValueText(value, format, unit)}
    />,
    ...goalLine({ goal, unit }, "y", format),
  ];
}

// In front of bars and areas, and within the axis, however far its value is.
function goalLine({ goal, unit }: Pick<ChartModel, "goal" | "unit">, axis: "x" | "y", format: Format) {
  if (!goal) return [];
  return [
    <ReferenceLine
      key="goal"
      {...{ [axis]: goal.value }}
      ifOverflow="extendDomain"
      stroke="var(--foreground)"
      strokeDasharray="4 3"
      label={{
        value: `${goal.label} ${valueText(goal.value, format, unit)}`,
        position: axis === "y" ? "insideBottomRight" : "insideTopRight",
        fill: "var(--foreground)",
        fontSize: 12,
      }}
    />,
  ];
}

// What the numbers of an axis take. Recharts could measure them, but does so before their font is there.
function valueSpace(
  points: ChartPoint[],
  {
    stacked,
    whole,
    unit,
    least,
    format,
  }: { stacked: boolean; whole: boolean; unit: NumberUnit; least: number; format: Format },
) {
  const sizes = points.map(({ values }) => {
    const given = values.map((value) => Math.abs(value ?? 0));
    return stacked ? given.reduce((sum, value) => sum + value, 0) : Math.max(...given);
  });
  const negative = points.some(({ values }) => values.some((value) => value !== null && value < 0));
  const most = 1.4 * Math.max(least, ...sizes); // an axis ends at a round number
  const longest = axisValueText(unit === "number" ? Math.ceil(most) : most, format, unit).length;
  return (Math.max(longest, whole ? 1 : 5) + Number(negative)) * 7.5 + 10;
}

function tooltip({ points, unit }: ChartModel, ids: string[], format: Format) {
  return (
    <Tooltip
      {...still}
      cursor={{ fill: "var(--muted)", stroke: "var(--input)", strokeWidth: 0.5 }}
      wrapperStyle={{ zIndex: 5 }}
      content={({ active, activeIndex }) => {
        const at = active ? points[Number(activeIndex)] : undefined;
        if (!at) return null;
        const values = Object.fromEntries(
          ids.map((id, index) => [id, valueText(at.values[index] ?? null, format, unit)]),
        );
        return <ChartTooltipContent label={at.label} values={values} />;
      }}
    />
  );
}

function opens(points: ChartPoint[], series: number, onCell: Props["onCell"]) {
  if (!onCell) return {};
  return {
    className: "cursor-pointer",
    onClick: (_item: unknown, index: number) => {
      const cell = points[index]?.cells[series];
      if (cell) onCell(cell);
    },
  };
}

const shortened = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1).trimEnd()}…` : text);

/** A name beside its bar: cut where there is no room, whole in its title. Recharts adds place and value. */
function NameTick({
  points,
  most,
  x = 0,
  y = 0,
  payload,
}: {
  points: ChartPoint[];
  most: number;
  x?: number;
  y?: number;
  payload?: { value: string };
}) {
  const name = points.find(({ id }) => id === payload?.value)?.axisLabel ?? "";
  return (
    <text x={x} y={y} dy="0.355em" textAnchor="end" {...axisText}>
      <title>{name}</title>
      {shortened(name, most)}
    </text>
  );
}

// Other groups together are no group: they do not look like one.
function OwnColor({ points, index, ...bar }: { points: ChartPoint[]; index?: number }) {
  const folded = points[index ?? -1]?.folded ?? 0;
  return <Rectangle {...bar} radius={2} {...(folded > 0 && { fill: "var(--chart-other)" })} />;
}

function Dot({
  cx,
  cy,
  index,
  color,
  className,
  onClick,
}: {
  cx?: number;
  cy?: number;
  index?: number;
  color: string;
  className?: string;
  onClick?: (item: unknown, index: number) => void;
}) {
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the table behind the chart has the same by keyboard
    <circle
      cx={cx}
      cy={cy}
      r={4}
      fill={color}
      stroke="var(--background)"
      strokeWidth={2}
      className={className}
      onClick={() => onClick?.(null, index ?? -1)}
    />
  );
}
