import type { ChartRow } from "@/lib/charts/definition/result";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { aggregations, type ChartKind, metricLabel, type TimeUnit } from "@/lib/charts/definition/words";
import type { ShownMetric, ShownResult, ShownRow } from "@/lib/charts/display/derive-numbers";
import { combineNumbers, comparePlaces } from "@/lib/charts/display/fold-rest";
import { axisGroupText, groupText, type NumberUnit, unitOf, valueText } from "@/lib/charts/display/texts";
import type { Format } from "@/lib/format/format-of";

/** What a chart is drawn from: the columns of its source, and how the team writes. */
export type ChartSubject = { kind: ChartKind; result: ShownResult; columns: ChartColumn[]; format: Format };

/** What a bar, a slice or a cell stands for: one group, and one metric of it. */
export type ChartCell = { group: ChartRow["group"]; metricKey: string };

/** A line, or one part of each bar. `color` is a CSS colour of the palette. */
export type ChartSeries = { id: string; label: string; color: string };

/** A place on the axis. `values` and `cells` go with the series; there is no cell where several groups were folded. */
export type ChartPoint = {
  id: string;
  label: string;
  axisLabel: string;
  /** The value of the only axis column; undefined where the axis has several, or none. */
  value: unknown;
  /** How many groups were folded into it: 0 for a group of its own. */
  folded: number;
  values: (number | null)[];
  cells: (ChartCell | null)[];
};

/** A result made ready to be drawn. An `ordered` axis follows its values; `notes` say what is not drawn. */
export type ChartModel = {
  kind: ChartKind;
  series: ChartSeries[];
  points: ChartPoint[];
  ordered: boolean;
  /** Parts of one whole: drawn upon one another, or as slices with their percentages. */
  stacked: boolean;
  /** Of all that is drawn. */
  unit: NumberUnit;
  /** A line at a value. */
  goal: { value: number; label: string } | null;
  notes: string[];
};

const colors = [1, 2, 3, 4, 5, 6].map((number) => `var(--chart-${number})`);
const otherColor = "var(--chart-other)";
const mostOrdered = 120; // columns of an ordered bar chart
const mostFilled = 400; // points of a line, counting those on which there was nothing

/** A metric's number in words. The lowest and the highest day or moment are such, and no numbers. */
export function metricText(value: number | null, metric: ShownMetric, columns: ChartColumn[], format: Format): string {
  const type = momentType(metric, columns);
  if (value === null || type === null) return valueText(value, format, unitOf(metric.derived));
  const at = new Date(value).toISOString();
  return type === "date" ? format.day(at.slice(0, 10)) : format.dateTime(at);
}

/** Whether a metric is the lowest or highest day or moment, and which of them; null for a number. */
export function momentType({ aggregation, column, derived }: ShownMetric, columns: ChartColumn[]) {
  if (derived) return null;
  const type = columns.find(({ name }) => name === column)?.type;
  return aggregation !== "count" && (type === "date" || type === "time") ? type : null;
}

/** The columns that a result is grouped by, in order. */
export function groupColumns({ result, columns }: Pick<ChartSubject, "result" | "columns">): ChartColumn[] {
  const names = result.groupBy.split(",").map((name) => name.trim());
  return names
    .filter((name) => name !== "")
    .map((name) => columns.find((column) => column.name === name) ?? { name, label: name, type: "text" });
}

/** The label of a row: its group's values, or "All records" where nothing is grouped. */
export function rowLabel(row: ShownRow, columns: ChartColumn[], format: Format): string {
  const texts = columns.map((column) => groupText(row.group[column.name], column, format));
  return texts.length === 0 ? "All records" : texts.join(" · ");
}

/**
 * Makes a result ready to be drawn. Bars, slices and lines beyond what an eye tells apart are folded into "other", with
 * their count in its label. A fold is exact or it is not drawn: an average of averages would be wrong.
 */
export function chartModel(subject: ChartSubject, mostPoints = 10): ChartModel {
  const { kind, format } = subject;
  const columns = groupColumns(subject);
  const first = columns[0];
  const drawsTime = kind === "line" || kind === "area";
  const splits = columns.length > 1 && (drawsTime || kind === "stacked-bar");
  const axisIsOne = columns.length === 1 || splits;
  const ordered = kind !== "pie" && axisIsOne && isOrdered(first);
  const notes: string[] = [];
  const model = splits ? splitByGroups(subject, columns, notes) : seriesByMetrics(subject, columns, notes);

  const { series, metrics } = model;
  let { points } = model;
  if (kind === "pie") points = withoutNothing(points, notes, format);
  // Days follow the calendar, whatever the order of the table.
  if (ordered && subject.result.ordered) points = points.toSorted((a, b) => comparePlaces(a.value, b.value));
  if (ordered && first && (isTime(first) || first.part)) {
    const missing = points.filter((one) => placeOf(one) === null);
    if (drawsTime && missing.length > 0) notes.push(`Without “${first.label}”: only in the table.`);
    points = [...fillGaps(points, { column: first, metrics, format }), ...(drawsTime ? [] : missing)];
  }
  points = carryOn(points, metrics);
  if (!drawsTime) {
    const inOrder = subject.result.ordered === true;
    if (!ordered && !inOrder) points = largestFirst(points, splits);
    const most = kind === "pie" ? colors.length : ordered ? mostOrdered : mostPoints;
    points = fold(points, { most, latest: isTime(first), inOrder, whole: splits, metrics, notes, format });
  }
  const adds = metrics.every(
    ({ aggregation, derived }) =>
      aggregations[aggregation].addsUp && derived?.kind !== "rate" && derived?.kind !== "change",
  );
  const isWhole = kind === "stacked-bar" || kind === "pie" || (kind === "area" && splits);
  if (isWhole && !adds) notes.push("Only counts and sums are parts of a whole: compare these numbers one by one.");
  const { goal } = subject.result;
  return {
    ...{ kind, series, points, ordered, notes },
    stacked: isWhole && adds,
    unit: unitOf(metrics[0]?.derived),
    goal: goal && kind !== "pie" ? { value: goal.value, label: goal.label || "Goal" } : null,
  };
}

/** Whether a column holds days or moments. */
export const isTime = (column: ChartColumn | undefined) => column?.type === "date" || column?.type === "time";
/** Whether the values of a column follow one another on an axis. */
export const isOrdered = (column: ChartColumn | undefined) => isTime(column) || column?.type === "number";

function point(row: ShownRow, columns: ChartColumn[], format: Format): ChartPoint {
  const axis = columns.map((column) => axisGroupText(row.group[column.name], column, format));
  return {
    id: JSON.stringify(columns.map(({ name }) => row.group[name] ?? null)),
    label: rowLabel(row, columns, format),
    axisLabel: axis.length === 0 ? "All records" : axis.join(" · "),
    value: columns.length === 1 && columns[0] ? (row.group[columns[0].name] ?? null) : undefined,
    folded: row.rest ?? 0,
    values: [],
    cells: [],
  };
}

// There are records behind a measure of a group, and none of its own behind what is derived or folded.
const cellOf = (row: ShownRow, { key, derived }: ShownMetric) =>
  derived || row.rest !== undefined ? null : { group: row.group, metricKey: key };

// A bar, slice or line for each measure.
function seriesByMetrics(
  { kind, result, columns: all, format }: ChartSubject,
  columns: ChartColumn[],
  notes: string[],
) {
  const numbers = result.metrics.filter((metric) => momentType(metric, all) === null);
  const unit = unitOf(numbers[0]?.derived);
  const metrics = numbers
    .filter(({ derived }) => unitOf(derived) === unit)
    .slice(0, kind === "pie" ? 1 : colors.length);
  if (metrics.length < result.metrics.length)
    notes.push(onlyInTable(result.metrics.length - metrics.length, "measure", format));
  return {
    series: metrics.map((metric, index) => ({
      id: metric.key,
      label: metricLabel(metric, all),
      color: colorAt(index),
    })),
    metrics,
    points: result.rows.map((row) => ({
      ...point(row, columns, format),
      values: metrics.map(({ key }) => row.values[key] ?? null),
      cells: metrics.map((metric) => cellOf(row, metric)),
    })),
  };
}

// The first group column is the axis; the others make a line or a part of each bar, of the first measure.
function splitByGroups({ result, columns: all, format }: ChartSubject, columns: ChartColumn[], notes: string[]) {
  const metric = result.metrics.find((one) => momentType(one, all) === null);
  const [axis, ...rest] = columns;
  if (!metric || !axis) return { series: [], metrics: [], points: [] };
  if (result.metrics.length > 1) notes.push(onlyInTable(result.metrics.length - 1, "measure", format));

  const parts = new Map<string, { label: string; values: number[]; rest: boolean }>();
  const places = new Map<string, { place: ChartPoint; rows: Map<string, ShownRow> }>();
  for (const row of result.rows) {
    const part = JSON.stringify(rest.map(({ name }) => row.group[name] ?? null));
    const known = parts.get(part) ?? { label: rowLabel(row, rest, format), values: [], rest: row.rest !== undefined };
    const value = row.values[metric.key] ?? null;
    if (value !== null) known.values.push(value);
    parts.set(part, known);
    const place = { ...point(row, [axis], format), folded: 0 };
    const at = places.get(place.id) ?? { place, rows: new Map() };
    at.rows.set(part, row);
    places.set(place.id, at);
  }

  const ranked = [...parts].sort(([, a], [, b]) => Number(a.rest) - Number(b.rest) || size(b.values) - size(a.values));
  // One group more is drawn too: as "other (1 group)" it would take as much room, and say less.
  const drawn = ranked.length === colors.length + 1 ? ranked : ranked.slice(0, colors.length);
  const others = ranked.slice(drawn.length).map(([part]) => part);
  const folds = others.length > 0 && aggregations[metric.aggregation].combine && !metric.derived;
  if (others.length > 0 && !folds) notes.push(onlyInTable(others.length, "group", format));

  const series: ChartSeries[] = drawn.map(([part, { label, rest: isRest }], index) => ({
    id: part,
    label,
    color: isRest ? otherColor : colorAt(index),
  }));
  if (folds) series.push({ id: "other", label: otherLabel(others.length, format), color: otherColor });
  const points = [...places.values()].map(({ place, rows }): ChartPoint => {
    const own = drawn.map(([part]) => rows.get(part));
    const numberOf = (row: ShownRow | undefined) => (row ? (row.values[metric.key] ?? null) : nothingOf(metric));
    const folded = others.flatMap((part) => rows.get(part) ?? []).map(numberOf);
    return {
      ...place,
      values: [...own.map(numberOf), ...(folds ? [combine(metric, folded)] : [])],
      cells: [...own.map((row) => (row ? cellOf(row, metric) : null)), ...(folds ? [null] : [])],
    };
  });
  return { series, metrics: series.map(() => metric), points };
}

function withoutNothing(points: ChartPoint[], notes: string[], format: Format) {
  const drawn = points.filter(({ values: [value] }) => typeof value === "number" && value > 0);
  const left = points.length - drawn.length;
  if (left > 0) notes.push(`${onlyInTable(left, "group", format)} A slice needs a number above 0.`);
  return drawn;
}

// What is not given comes last, and behind it all others together.
function largestFirst(points: ChartPoint[], whole: boolean) {
  return points.toSorted(
    (a, b) =>
      Number(a.folded > 0) - Number(b.folded > 0) ||
      Number(a.value === null) - Number(b.value === null) ||
      rank(b, whole) - rank(a, whole),
  );
}

// The whole bar where it has parts, else the first measure.
function rank({ values }: ChartPoint, whole: boolean) {
  return (whole ? values.reduce((sum, value) => (sum ?? 0) + (value ?? 0), 0) : values[0]) ?? Number.NEGATIVE_INFINITY;
}

// At most so many points: the latest or the largest as they are, and all others folded into one.
function fold(
  points: ChartPoint[],
  {
    most,
    latest,
    inOrder,
    whole,
    metrics,
    notes,
    format,
  }: {
    most: number;
    latest: boolean;
    inOrder: boolean;
    whole: boolean;
    metrics: ShownMetric[];
    notes: string[];
    format: Format;
  },
): ChartPoint[] {
  if (points.length <= most) return points;
  const byRank = () => (inOrder ? points : points.toSorted((a, b) => rank(b, whole) - rank(a, whole)));
  const ranked = latest ? points.toReversed() : byRank();
  // What is not given is told apart from what is merely rare.
  const missing = points.filter(({ value }) => value === null);
  const kept = new Set([...missing, ...ranked].slice(0, most - 1));
  const folded = points.filter((one) => !kept.has(one));
  const values = metrics.map((metric, index) =>
    combine(
      metric,
      folded.map((one) => one.values[index] ?? null),
    ),
  );
  const drawn = points.filter((one) => kept.has(one));
  if (values.every((value) => value === null)) {
    notes.push(onlyInTable(folded.length, "group", format));
    return drawn;
  }
  const label = latest ? format.count(folded.length, "earlier group") : otherLabel(folded.length, format);
  const other: ChartPoint = {
    id: "other",
    label,
    axisLabel: latest ? "earlier" : label,
    value: undefined,
    folded: folded.length,
    values,
    cells: values.map(() => null),
  };
  return latest ? [other, ...drawn] : [...drawn, other];
}

// What lies between two days, weeks or hours with records is drawn too: a line would pass over it as if it were like its
// neighbours, and bars would stand side by side.
function fillGaps(
  points: ChartPoint[],
  { column, metrics, format }: { column: ChartColumn; metrics: ShownMetric[]; format: Format },
): ChartPoint[] {
  const given = points.filter((one) => placeOf(one) !== null);
  const known = new Map(given.map((one) => [placeOf(one), one]));
  const places = [...known.keys()].filter((place) => place !== null);
  const [start, end] = [places[0], places.at(-1)];
  // Two moments can be of one millisecond: none of them is left out.
  if (start === undefined || end === undefined || places.length < Math.max(2, given.length)) return given;
  const unit = column.part?.unit;
  const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
  const step = (unit && steps[unit]) ?? Math.min(...gaps);
  if (unit !== "month" && gaps.some((gap) => gap % step !== 0)) return given;
  const filled: ChartPoint[] = [];
  for (let place = start; place <= end; place = unit === "month" ? monthAfter(place) : place + step) {
    const value =
      column.type === "number"
        ? place
        : new Date(place).toISOString().slice(0, column.type === "date" ? 10 : undefined);
    filled.push(known.get(place) ?? nothingAt(value, { column, metrics, format }));
    if (filled.length > mostFilled) return given;
  }
  return filled;
}

const day = 86_400_000; // ms
const steps: Partial<Record<TimeUnit, number>> = { day, week: 7 * day, weekday: 1, hour: 1 };
const monthAfter = (place: number) => new Date(place).setUTCMonth(new Date(place).getUTCMonth() + 1);

const placeOf = ({ value }: ChartPoint) => {
  if (typeof value === "number") return value;
  const moment = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(moment) ? null : moment;
};

function nothingAt(
  value: string | number,
  { column, metrics, format }: { column: ChartColumn; metrics: ShownMetric[]; format: Format },
) {
  return {
    id: JSON.stringify([value]),
    label: groupText(value, column, format),
    axisLabel: axisGroupText(value, column, format),
    value,
    folded: 0,
    values: metrics.map(nothingOf),
    cells: metrics.map(() => null),
  };
}

// Where there was nothing, a sum up to there is what it was before.
function carryOn(points: ChartPoint[], metrics: ShownMetric[]): ChartPoint[] {
  const sums = metrics.map(({ derived }) => derived?.kind === "cumulated");
  if (!sums.includes(true)) return points;
  let before = metrics.map(() => 0);
  return points.map((one) => {
    const values = one.values.map((value, index) => (sums[index] ? (value ?? before[index] ?? 0) : value));
    before = values.map((value) => value ?? 0);
    return { ...one, values };
  });
}

const combine = (metric: ShownMetric, values: (number | null)[]) =>
  metric.derived ? null : combineNumbers(metric, values);

const size = (values: number[]) => values.reduce((sum, value) => sum + Math.abs(value), 0);
const nothingOf = ({ aggregation, derived }: ShownMetric) => (aggregation === "count" && !derived ? 0 : null);

/** The colour of a slice. */
export const sliceColor = ({ folded }: ChartPoint, index: number) => (folded > 0 ? otherColor : colorAt(index));
const colorAt = (index: number) => colors[index] ?? otherColor;
const otherLabel = (groups: number, { count }: Format) => `other (${count(groups, "group")})`;
const onlyInTable = (left: number, one: string, { count }: Format) =>
  `${count(left, `more ${one}`)} only in the table.`;
