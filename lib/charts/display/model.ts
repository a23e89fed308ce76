import { isOrdered, isTime } from "@/lib/charts/definition/columns";
import type { ChartDisplay, ChartFilter } from "@/lib/charts/definition/definition";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { type ChartKind, kindLabels, recordNoun, recordNounPlural } from "@/lib/charts/definition/words";
import {
  axisGroupText,
  commonUnit,
  formatValue,
  metricLabel,
  momentType,
  type NumberUnit,
  numberUnit,
  rowLabel,
} from "@/lib/charts/display/chart-text";
import { colorAt, knownColor, otherColor } from "@/lib/charts/display/colors";
import type { ShownResult } from "@/lib/charts/display/derive-numbers";
import {
  addsUp,
  canCombine,
  combineNumbers,
  comparePlaces,
  groupKey,
  groupNames,
  otherLabel,
  type ShownMetric,
  type ShownRow,
} from "@/lib/charts/display/fold-others";
import { lastCoveredDay, markPartial, partialNotes } from "@/lib/charts/display/partial-periods";
import {
  axisPosition,
  type ChartPoint,
  carryTotals,
  emptyValue,
  fillGaps,
  fittingPoints,
  foldPoints,
  largestFirst,
  onlyInTable,
  positivePoints,
} from "@/lib/charts/display/points";
import { isGoalOnRight, rightKeys } from "@/lib/charts/display/right-axis";
import type { Format } from "@/lib/format/format-of";
import { capitalized, withinSentence } from "@/lib/format/text";

/** What a chart is drawn from: the columns of its source, the team's formats, and the filters of its records. */
export type ChartSubject = {
  kind: ChartKind;
  result: ShownResult;
  columns: ChartColumn[];
  format: Format;
  filters?: ChartFilter[];
};

/** A line, or one part of each bar. `color` is a CSS color of the palette. */
type ChartSeries = { id: string; label: string; color: string; onRight?: true };

type Drawn = { series: ChartSeries[]; metrics: ShownMetric[]; points: ChartPoint[] };

/** A result ready to be drawn. With `hasOrder` the axis follows its values; `notes` say what isn't drawn. */
export type ChartModel = {
  kind: ChartKind;
  series: ChartSeries[];
  points: ChartPoint[];
  hasOrder: boolean;
  /** Parts of a whole: drawn on top of each other, or as slices with percentages. */
  stacked: boolean;
  /** The unit of all numbers on the left axis. */
  unit: NumberUnit;
  /** A line at a value. */
  goal: { value: number; label: string } | null;
  /** The title of the numbers' axis, and where it begins and ends. Only lines begin elsewhere than at zero. */
  axis: Pick<NonNullable<ChartDisplay["axis"]>, "title" | "min" | "max">;
  /** The second axis, of the series that are `onRight`. */
  right: (ChartModel["axis"] & { unit: NumberUnit; title: string; hasGoal: boolean }) | null;
  notes: string[];
};

const maxParts = 6; // lines or measures: more are hard to distinguish
const maxSlices = maxParts + 1; // with "other"
const maxColumns = 120; // of a bar chart over days or numbers

/** The columns that a result is grouped by, in order. */
export function groupColumns({ result, columns }: Pick<ChartSubject, "result" | "columns">): ChartColumn[] {
  return groupNames(result.groupBy).map(
    (name) => columns.find((column) => column.name === name) ?? { name, label: name, type: "text" },
  );
}

/**
 * Makes a result ready to be drawn. Bars, slices and lines beyond what people can distinguish are folded into "other".
 * What can't be folded exactly isn't drawn: an average of averages would be wrong.
 */
export function chartModel(subject: ChartSubject, maxPoints = 10): ChartModel {
  const { kind, format, result } = subject;
  const columns = groupColumns(subject);
  const [first] = columns;
  const drawsTime = kind === "line" || kind === "area";
  const splits = columns.length > 1 && (drawsTime || kind === "stacked-bar");
  const hasOrder = kind !== "pie" && (columns.length === 1 || splits) && isOrdered(first);
  // Without days, running totals add up in the order of the rows.
  const hasTotals = !columns.some(isOrdered) && result.metrics.some(({ derived }) => derived?.kind === "cumulated");
  const inOrder = result.order !== undefined || hasTotals;
  const notes: string[] = [];
  const drawn = splits ? splitByGroups(subject, columns, notes) : seriesByMetrics(subject, columns, notes);
  const { metrics, series } = drawn;
  const onLeft = metrics.filter((_, index) => !series[index]?.onRight);
  const onRight = metrics.filter((_, index) => series[index]?.onRight);
  const context = { metrics, format, notes };

  let points = kind === "pie" ? positivePoints(drawn.points, context) : drawn.points;
  // Days follow the calendar, whatever the order of the table.
  if (hasOrder && inOrder) points = points.toSorted((a, b) => comparePlaces(a.value, b.value));
  if (hasOrder && first && (isTime(first) || first.part)) {
    const missing = points.filter((point) => axisPosition(point) === null);
    if (drawsTime && missing.length > 0)
      notes.push(`${capitalized(recordNounPlural(result.source))} without “${first.label}” appear only in the table.`);
    const lastDay = first.type === "date" ? lastCoveredDay(subject, first) : undefined;
    points = [...fillGaps(points, first, context, lastDay), ...(drawsTime ? [] : missing)];
  }
  points = carryTotals(points, metrics);
  if (!drawsTime) {
    if (!hasOrder && !inOrder) points = largestFirst(points, splits);
    const max =
      kind === "pie" ? maxSlices : hasOrder ? maxColumns : fittingPoints(kind === "bar" ? onLeft.length : 1, maxPoints);
    points = foldPoints(points, context, { max, latest: isTime(first), inOrder, rankByTotal: splits });
  }
  if (hasOrder && first?.type === "date") {
    points = markPartial(points, subject);
    notes.push(...partialNotes(subject));
  }
  notes.push(...per100(metrics, subject), ...withoutGroup(subject, columns, metrics));
  const areParts = metrics.every((item) => addsUp(item) && !["rate", "change"].includes(item.derived?.kind ?? ""));
  const isWhole = kind === "stacked-bar" || kind === "pie" || (kind === "area" && splits);
  if (isWhole && !areParts) notes.push("These numbers don't add up to a whole. Compare them one by one.");
  const { goal, axis: { right, min, ...chosen } = {} } = result;
  const namesOf = (all: ShownMetric[]) =>
    all.map((item) => metricLabel(item, subject.columns, result.source)).join(", ");
  // If there are two axes, each says what it is for.
  const title = chosen.title || (onRight.length > 0 && namesOf(onLeft));
  return {
    kind,
    series,
    points,
    hasOrder,
    notes,
    stacked: isWhole && areParts,
    unit: commonUnit(onLeft),
    goal: goal && kind !== "pie" ? { value: goal.value, label: goal.label || "Goal" } : null,
    axis: { ...chosen, ...(title && { title }), ...(kind === "line" && min !== undefined && { min }) },
    right:
      onRight.length > 0
        ? {
            min: right?.min,
            max: right?.max,
            unit: commonUnit(onRight),
            title: right?.title || namesOf(onRight),
            hasGoal: isGoalOnRight(onLeft, onRight),
          }
        : null,
  };
}

// A legend would say it, which a single measure doesn't have.
function per100([metric, ...others]: ShownMetric[], { columns, result }: ChartSubject) {
  if (metric?.derived?.kind !== "rate" || metric.derived.format !== "per100") return [];
  return others.every(({ key }) => key === metric.key) ? [`${metricLabel(metric, columns, result.source)}.`] : [];
}

// Lines without a county are mostly invalid ones, so the rates of counties look better than they are.
function withoutGroup({ result, format }: ChartSubject, [column, ...more]: ChartColumn[], metrics: ShownMetric[]) {
  const rate = metrics.find(({ derived }) => derived?.kind === "rate")?.derived;
  if (!column || more.length > 0 || column.type !== "text" || rate?.kind !== "rate") return [];
  const without = result.rows.find(({ group }) => group[column.name] === null)?.values[rate.over] ?? 0;
  const records = format.count(without, recordNoun(result.source));
  return without > 0 ? [`Not in the other rates: ${records} with no ${withinSentence(column.label)}.`] : [];
}

function toPoint(row: ShownRow, columns: ChartColumn[], format: Format) {
  const names = columns.map(({ name }) => name);
  const [only, ...others] = columns;
  const value = only && others.length === 0 ? (row.group[only.name] ?? null) : undefined;
  return {
    id: groupKey(row, names),
    label: rowLabel(row, columns, format),
    axisLabel: rowLabel(row, columns, format, axisGroupText),
    value,
    color: only && value !== undefined ? knownColor(value, only) : undefined,
  };
}

const numberOf = (row: ShownRow, { key }: ShownMetric) => row.values[key] ?? null;

/** The measure whose records a number counts; a rate or share opens those of its numerator, a total, change or zero none. */
export function cellOf(row: ShownRow, { key, aggregation, derived }: ShownMetric) {
  const metricKey = derived?.of ?? key;
  const isEmpty = aggregation === "count" && row.values[metricKey] === 0;
  const countsNone = aggregation === "registered" || derived?.kind === "cumulated" || derived?.kind === "change";
  return isEmpty || countsNone || row.foldedCount !== undefined ? null : { group: row.group, metricKey };
}

// A bar, slice or line for each measure.
function seriesByMetrics(subject: ChartSubject, columns: ChartColumn[], notes: string[]): Drawn {
  const { kind, result, columns: all, format } = subject;
  const numbers = result.metrics.filter((metric) => momentType(metric, all) === null);
  const keys = numbers.map(({ key }) => key);
  const right = rightKeys(kind, columns.length, keys, result.axis?.right?.keys);
  const unitOn = (isRight: boolean) => numberUnit(numbers.find(({ key }) => right.has(key) === isRight)?.derived);
  const metrics = numbers
    .filter(({ key, derived }) => numberUnit(derived) === unitOn(right.has(key)))
    .slice(0, kind === "pie" ? 1 : maxParts);
  const omittedCount = result.metrics.length - metrics.length;
  if (omittedCount > 0) notes.push(onlyInTable(omittedCount, "measure", format));
  return {
    series: metrics.map((metric, index) => ({
      id: metric.key,
      label: metricLabel(metric, all, result.source),
      color: colorAt(index),
      ...(right.has(metric.key) && { onRight: true }),
    })),
    metrics,
    points: result.rows.map((row) => ({
      ...toPoint(row, columns, format),
      folded: row.foldedCount ?? 0,
      values: metrics.map((metric) => numberOf(row, metric)),
      cells: metrics.map((metric) => cellOf(row, metric)),
    })),
  };
}

// The first group column is the axis. Each group of the others is a line or a part of each bar, of the first measure.
function splitByGroups(subject: ChartSubject, columns: ChartColumn[], notes: string[]): Drawn {
  const { result, columns: all, format } = subject;
  const metric = result.metrics.find((candidate) => momentType(candidate, all) === null);
  const [axis, ...rest] = columns;
  if (!metric || !axis) return { series: [], metrics: [], points: [] };
  if (result.metrics.length > 1) notes.push(onlyInTable(result.metrics.length - 1, "measure", format));

  const otherNames = rest.map(({ name }) => name);
  const partOf = (row: ShownRow) => groupKey(row, otherNames);
  const parts = [...Map.groupBy(result.rows, partOf)].map(([id, rows]) => {
    const [row] = rows;
    const shown = row && toPoint(row, rest, format);
    const isOther = row?.foldedCount !== undefined;
    const size = rows.reduce((sum, shownRow) => sum + Math.abs(numberOf(shownRow, metric) ?? 0), 0);
    return { id, label: shown?.label ?? "", isOther, size, color: isOther ? otherColor : shown?.color };
  });
  const ranked = parts.toSorted((a, b) => Number(a.isOther) - Number(b.isOther) || b.size - a.size);
  // Folding a single part into "Other (1 group)" would save no room.
  const plotted = ranked.length === maxParts + 1 ? ranked : ranked.slice(0, maxParts);
  const others = ranked.slice(plotted.length);
  const folds = others.length > 0 && canCombine(metric);
  if (others.length > 0 && !folds) notes.push(onlyInTable(others.length, "group", format));

  const series = plotted.map(({ id, label, color }, index) => ({ id, label, color: color ?? colorAt(index) }));
  const partsOfSeries = plotted.map(({ id }) => [id]);
  if (folds) {
    series.push({ id: "other", label: otherLabel(others.length), color: otherColor });
    partsOfSeries.push(others.map(({ id }) => id));
  }
  const places = Map.groupBy(result.rows, (row) => groupKey(row, [axis.name]));
  const points = [...places.values()].flatMap((rows) => {
    const [first] = rows;
    if (!first) return [];
    const byPart = new Map(rows.map((row) => [partOf(row), row]));
    const drawn = partsOfSeries.map((ids) => ids.flatMap((id) => byPart.get(id) ?? []));
    const values = drawn.map((own) => {
      const [only = emptyValue(metric), ...others] = own.map((row) => numberOf(row, metric));
      return others.length > 0 ? combineNumbers(metric, [only, ...others]) : only;
    });
    const cells = drawn.map(([row], index) => (row && index < plotted.length ? cellOf(row, metric) : null));
    return { ...toPoint(first, [axis], format), folded: 0, values, cells };
  });
  return { series, metrics: series.map(() => metric), points };
}

/** The part of a model that is on one of its axes. */
export function onAxis(model: ChartModel, isRight: boolean): ChartModel {
  const { series, points, right } = model;
  if (!right) return model;
  const isThere = (_: unknown, index: number) => (series[index]?.onRight ?? false) === isRight;
  const part = {
    ...model,
    series: series.filter(isThere),
    points: points.map((point) => ({ ...point, values: point.values.filter(isThere) })),
  };
  const goal = right.hasGoal === isRight ? model.goal : null;
  return isRight ? { ...part, unit: right.unit, axis: right, goal } : { ...part, goal };
}

/** What a drawing shows, in a few sentences for screen readers: its kind, how much it has, and its largest number. */
export function chartSummary(name: string, model: ChartModel, format: Format): string {
  const { kind, series, unit, goal, right } = model;
  const { points } = onAxis(model, false);
  const all = points.flatMap(({ label, values }) => values.flatMap((value) => (value == null ? [] : { label, value })));
  const [largest] = all.toSorted((a, b) => b.value - a.value);
  const measure = series.length === 1 ? series[0]?.label : format.count(series.length, "series", "series");
  const what = `${name}: ${kindLabels[kind].toLowerCase()} chart of ${measure ?? "nothing"}`;
  const peak = largest ? ` Largest: ${largest.label}, ${formatValue(largest.value, format, unit)}.` : "";
  const line = goal ? ` ${goal.label}: ${formatValue(goal.value, format, right?.hasGoal ? right.unit : unit)}.` : "";
  return `${what}, ${format.count(points.length, "group")}.${peak}${line} The table lists all numbers.`;
}
