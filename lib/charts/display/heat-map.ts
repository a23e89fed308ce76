import { isOrdered } from "@/lib/charts/definition/columns";
import type { ChartColumn } from "@/lib/charts/definition/source";
import { axisGroupText, momentType } from "@/lib/charts/display/chart-text";
import { listPeriods } from "@/lib/charts/display/derive-numbers";
import {
  addsUp,
  combineNumbers,
  comparePlaces,
  groupKey,
  type ShownMetric,
  type ShownRow,
} from "@/lib/charts/display/fold-others";
import { type ChartSubject, groupColumns } from "@/lib/charts/display/model";
import { emptyValue } from "@/lib/charts/display/points";

type Place = ShownRow["group"][string];
type HeatRow = {
  id: string;
  label: string;
  cells: { value: number | null; row: ShownRow | undefined }[];
  total: number | null;
};

export type HeatMap = {
  metric: ShownMetric;
  across: { id: string; label: string }[];
  rows: HeatRow[];
  /** The largest number of a cell, without its sign. */
  largest: number;
  /** The total of each column, then of all; null for numbers that don't add up. */
  total: (number | null)[] | null;
};

/**
 * A result of two groups as a grid of its first number. Nothing is folded. Null without two groups or a number, and for more
 * than 3,000 cells.
 */
export function heatMap(subject: ChartSubject): HeatMap | null {
  const { result, columns, format } = subject;
  const metric = result.metrics.find((candidate) => momentType(candidate, columns) === null);
  const [side, top, ...more] = groupColumns(subject);
  if (!metric || !side || !top || more.length > 0) return null;
  const [sides, tops] = [listPlacesOnAxis(result.rows, side), listPlacesOnAxis(result.rows, top)];
  const filled = [withGaps(sides, side), withGaps(tops, top)] as const;
  const [down, across] = isSmall(...filled) ? filled : [sides, tops];
  if (!isSmall(down, across)) return null;
  const rowByKey = new Map(result.rows.map((row) => [groupKey(row, [side.name, top.name]), row]));
  const sum = (values: (number | null)[]) => combineNumbers(metric, values);
  const rows = down.map((place): HeatRow => {
    const cells = across.map((value) => {
      const row = rowByKey.get(groupKey({ group: { [side.name]: place, [top.name]: value } }, [side.name, top.name]));
      return { value: row ? (row.values[metric.key] ?? null) : emptyValue(metric), row };
    });
    const label = axisGroupText(place, side, format);
    return { id: JSON.stringify(place), label, cells, total: sum(cells.map(({ value }) => value)) };
  });
  const totals = across.map((_, index) => sum(rows.map(({ cells }) => cells[index]?.value ?? null)));
  const isWhole = addsUp(metric) && !metric.derived;
  return {
    metric,
    rows,
    across: across.map((place) => ({ id: JSON.stringify(place), label: axisGroupText(place, top, format) })),
    largest: Math.max(0, ...rows.flatMap(({ cells }) => cells.map(({ value }) => Math.abs(value ?? 0)))),
    total: isWhole ? [...totals, sum(rows.map(({ total }) => total))] : null,
  };
}

// The values of a column, each once: days, weekdays and hours in their order, others as the rows have them.
function listPlacesOnAxis(rows: ShownRow[], column: ChartColumn): Place[] {
  const places = [
    ...new Map(rows.map((row) => [groupKey(row, [column.name]), row.group[column.name] ?? null])).values(),
  ];
  return isOrdered(column) ? places.toSorted(comparePlaces) : places;
}

const maxCells = 3_000;
const isSmall = (down: unknown[], across: unknown[]) => down.length * across.length <= maxCells;

// Adds days, weekdays and hours without records between the first and the last.
function withGaps(places: Place[], column: ChartColumn): Place[] {
  if (column.type !== "date" && !column.part) return places;
  const periods = listPeriods(places, column, maxCells).toReversed();
  const isComplete = places.every((place) => place === null || periods.some((period) => period === place));
  return isComplete ? [...periods, ...places.filter((place) => place === null)] : places;
}
