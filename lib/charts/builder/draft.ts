import {
  draftFilters,
  keepFilters,
  listUnfinished,
  newDraftId,
  unfinishedPart,
  updateFilter,
  writeFilters,
} from "@/lib/charts/builder/draft-filters";
import type { Draft, DraftFilter, DraftMetric } from "@/lib/charts/builder/draft-schema";
import { goalPace } from "@/lib/charts/builder/goal-pace";
import type {
  ChartDefinition,
  ChartDisplay,
  ChartFilter,
  ChartMetric,
  DerivedNumber,
} from "@/lib/charts/definition/definition";
import type { ChartColumn, ChartSource } from "@/lib/charts/definition/source";
import { needsColumn } from "@/lib/charts/definition/words";
import { isInPercent, metricLabel, numberUnit } from "@/lib/charts/display/chart-text";
import { canHaveRightAxis, isGoalOnRight, rightKeys } from "@/lib/charts/display/right-axis";
import { withoutPercentSign } from "@/lib/forms/read-number";

/** The problems of a draft by their part: `name`, `filters.0.value`, `metrics.1.column`. */
export type Problems = ReadonlyMap<string, string>;

/** A chart that counts the records of a source, by county if it has one, or that compares a goal's totals with its pace. */
export function newDraft({ name, columns }: Pick<ChartSource, "name" | "columns"> = { name: "", columns: [] }): Draft {
  const groupBy = columns.some((column) => column.name === "county") ? "county" : "";
  const metrics: ChartMetric[] = [{ key: "m1", aggregation: "count" }];
  const counted: ChartDefinition = { name: "", kind: "bar", source: name, groupBy, metrics, filters: [] };
  return toDraft(name === goalPace.source ? goalPace : counted, columns, "UTC");
}

/** A metric that counts records. */
export function newMetric(others: HasKey[]): DraftMetric {
  return { id: newDraftId(), key: nextFreeKey("m", others), label: "", aggregation: "count", column: "", segment: [] };
}

type HasKey = { key: string };
type AxisInput = Pick<Draft, "kind"> & {
  groupBy: unknown[];
  metrics: HasKey[];
  display: Pick<ChartDisplay, "derived" | "hidden"> & { axis?: { right?: { keys: string[] } | undefined } | undefined };
};
type MeasureInput = Pick<ChartMetric, "key" | "segment"> & Partial<Pick<ChartMetric, "aggregation">>;

function nextFreeKey(letter: string, others: HasKey[]): string {
  let number = 1;
  while (others.some(({ key }) => key === `${letter}${number}`)) number += 1;
  return `${letter}${number}`;
}

export const newGroup = (column: string) => ({ id: newDraftId(), column });

/** A stored chart as a draft. */
export function toDraft(definition: ChartDefinition, columns: ChartColumn[], timeZone: string): Draft {
  const filters = (list: ChartFilter[]) => draftFilters(list, columns, timeZone);
  const groupBy = definition.groupBy.split(",").flatMap((name) => (name.trim() ? [newGroup(name.trim())] : []));
  return {
    name: definition.name,
    kind: definition.kind,
    source: definition.source,
    groupBy,
    metrics: definition.metrics.map(({ key, label = "", aggregation, column = "", segment = [] }) => ({
      id: newDraftId(),
      key,
      label,
      aggregation,
      column,
      segment: filters(segment),
    })),
    filters: filters(definition.filters),
    display: draftDisplay(definition.display ?? null, { ...definition, groupBy }),
  };
}

function draftDisplay(stored: ChartDisplay | null, chart: Omit<AxisInput, "display">): Draft["display"] {
  const { goal, axis = {}, ...display } = stored ?? { derived: [], hidden: [] };
  const drawn = { ...chart, display: { ...display, axis } };
  const text = (value: number | undefined, side: AxisSide = "left") =>
    value === undefined ? "" : String(isAxisInPercent(drawn, side) ? roundTo15Digits(value * 100) : value);
  return {
    ...display,
    goal: { text: text(goal?.value, goalSide(drawn)), label: goal?.label ?? "" },
    axis: {
      title: axis.title ?? "",
      min: text(axis.min),
      max: text(axis.max),
      right: {
        keys: axis.right?.keys ?? [],
        title: axis.right?.title ?? "",
        min: text(axis.right?.min, "right"),
        max: text(axis.right?.max, "right"),
      },
    },
  };
}

const roundTo15Digits = (value: number) => Number(value.toPrecision(15));

/** The keys of the numbers that are shown, by their axis. */
export function keysByAxis({ kind, groupBy, metrics, display: { derived, hidden, axis } }: AxisInput) {
  const shown = [...metrics, ...derived].map(({ key }) => key).filter((key) => !hidden.includes(key));
  const right = rightKeys(kind, groupBy.length, shown, axis?.right?.keys);
  return { left: shown.filter((key) => !right.has(key)), right: [...right] };
}

/** The keys on the right axis once calculations change: one that gets another unit than the left axis moves there. */
export function rightKeysByUnit(draft: Draft, derived: DerivedNumber[]): string[] {
  const { keys } = draft.display.axis.right;
  if (!canHaveRightAxis(draft.kind, draft.groupBy.length)) return keys;
  const unitIn = (all: DerivedNumber[], key: string) => numberUnit(all.find((number) => number.key === key));
  const isChanged = (key: string) => unitIn(derived, key) !== unitIn(draft.display.derived, key);
  const [first] = keysByAxis(draft).left.filter((key) => !isChanged(key));
  const changed = first ? derived.map(({ key }) => key).filter(isChanged) : [];
  const moved = changed.filter((key) => unitIn(derived, key) !== unitIn(derived, first ?? ""));
  return [...keys.filter((key) => !isChanged(key)), ...moved];
}

export type AxisSide = "left" | "right";

/** Where the problems of an axis are. */
export const axisPart: Record<AxisSide, string> = { left: "display.axis", right: "display.right" };

/** The axis that the goal is on. */
export function goalSide(drawn: AxisInput): AxisSide {
  const { left, right } = keysByAxis(drawn);
  const derivedOf = (keys: string[]) =>
    keys.map((key) => ({ derived: drawn.display.derived.find((derivedNumber) => derivedNumber.key === key) }));
  return isGoalOnRight(derivedOf(left), derivedOf(right)) ? "right" : "left";
}

/** Whether the first number that is shown on an axis is a percentage. */
export function isAxisInPercent(drawn: AxisInput, side: AxisSide = "left") {
  const [first] = keysByAxis(drawn)[side];
  return isInPercent(numberUnit(drawn.display.derived.find(({ key }) => key === first)));
}

/**
 * A rate. Its denominator is registered voters, otherwise the first measure without a segment. With a single measure, a
 * running total.
 */
export function newDerivedMetric(metrics: MeasureInput[], derived: DerivedNumber[]): DerivedNumber {
  const voters = metrics.find(({ aggregation }) => aggregation === "registered");
  const over = (voters ?? metrics.find(({ segment = [] }) => segment.length === 0) ?? metrics[0])?.key ?? "";
  const baseKey = metrics.find(({ key }) => key !== over)?.key ?? over;
  const base = { key: nextFreeKey("d", [...metrics, ...derived]), of: baseKey };
  if (metrics.length <= 1) return { ...base, kind: "cumulated" };
  return { ...base, kind: "rate", over, format: voters ? "per100" : "percent" };
}

/** Removes references to measures or groups that no longer exist. */
export function withoutDanglingReferences(draft: Draft): Draft {
  const { derived, hidden, order, top, axis, ...drawn } = draft.display;
  const isMeasure = (key: string) => draft.metrics.some((metric) => metric.key === key);
  const remaining = derived.filter((item) => isMeasure(item.of) && (item.kind !== "rate" || isMeasure(item.over)));
  const isNumber = (key: string) => isMeasure(key) || remaining.some((derivedNumber) => derivedNumber.key === key);
  const isGrouped = (name: string) => draft.groupBy.some(({ column }) => column === name);
  return {
    ...draft,
    display: {
      derived: remaining,
      hidden: remaining.length > 0 ? hidden.filter(isNumber) : [],
      order: order && ("by" in order ? isNumber(order.by) : isGrouped(order.column)) ? order : undefined,
      top: top && isGrouped(top.column) ? top : undefined,
      axis: { ...axis, right: { ...axis.right, keys: axis.right.keys.filter(isNumber) } },
      ...drawn,
    },
  };
}

/**
 * Converts a draft to a definition without unfinished filters, and returns its problems. With problems it can't run. With
 * `unfinished` filters it can run but shouldn't be saved.
 */
export function toDefinition(
  draft: Draft,
  zone: { columns: ChartColumn[]; timeZone: string },
): { definition: ChartDefinition; problems: Problems; unfinished: Problems } {
  const problems = new Map<string, string>();
  const filters = (list: DraftFilter[], part: string): ChartFilter[] => {
    const result = writeFilters(list, zone);
    for (const [path, message] of result.problems) problems.set(`${part}.${path}`, message);
    return result.filters;
  };
  const unfinished = new Map<string, string>();
  for (const [noun, filter] of listUnfinished(draft)) {
    const missing = filter.column === "" ? "Choose a column" : "Enter a value";
    unfinished.set(unfinishedPart(filter), `${missing}, or remove this ${noun}.`);
  }

  const metrics = draft.metrics.map(({ key, label, aggregation, column, segment }, index): ChartMetric => {
    const part = `metrics.${index}`;
    if (needsColumn(aggregation) && column === "") problems.set(`${part}.column`, "Choose a column.");
    const conditions = filters(segment, `${part}.segment`);
    return {
      key,
      aggregation,
      ...(label.trim() !== "" && { label: label.trim() }),
      ...(column !== "" && { column }),
      ...(conditions.length > 0 && { segment: conditions }),
    };
  });
  const definition = {
    name: draft.name.trim(),
    kind: draft.kind,
    source: draft.source,
    groupBy: draft.groupBy.map(({ column }) => column).join(","),
    metrics,
    filters: filters(draft.filters, "filters"),
    display: toDisplay(draft, problems),
  };
  return { definition, problems, unfinished };
}

/** A problem for each shown measure whose label is already used. */
export function findSameLabels({ metrics, source, display }: ChartDefinition, columns: ChartColumn[]): Problems {
  const known = new Set<string>();
  const problems = new Map<string, string>();
  for (const [row, metric] of metrics.entries()) {
    if (display?.hidden.includes(metric.key)) continue;
    const label = metricLabel(metric, columns, source);
    if (known.has(label)) problems.set(`metrics.${row}.label`, `“${label}” is already a measure. Enter another label.`);
    known.add(label);
  }
  return problems;
}

type AxisFields = Record<"title" | "min" | "max", string>;

function toDisplay(draft: Draft, problems: Map<string, string>): ChartDisplay | null {
  const { kind, display } = draft;
  const { derived, hidden, order, top, decimals, goal, axis } = display;
  const read = (typed: string, part: string, problem: string, side: AxisSide = "left") => {
    const text = withoutPercentSign(typed);
    if (text === "") return undefined;
    const value = Number(text);
    if (!Number.isFinite(value)) problems.set(part, problem);
    return isAxisInPercent(draft, side) ? roundTo15Digits(value / 100) : value;
  };
  const readAxis = (typed: AxisFields, side: AxisSide, hasMin: boolean) => {
    const part = axisPart[side];
    const min = hasMin ? read(typed.min, `${part}.min`, "Enter the minimum as a number.", side) : undefined;
    const max = read(typed.max, `${part}.max`, "Enter the maximum as a number.", side);
    if (min !== undefined && max !== undefined && min >= max)
      problems.set(`${part}.max`, "The maximum must be above the minimum.");
    const title = typed.title.trim();
    return { ...(title && { title }), ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  };
  const value = read(goal.text, "display.goal", "Enter the goal as a number.", goalSide(draft));
  const label = goal.label.trim();
  const { keys, ...right } = axis.right;
  const rightAxisFields = keysByAxis(draft).right.length > 0 ? right : { ...right, min: "", max: "" };
  const drawn = {
    ...readAxis(axis, "left", kind === "line"),
    ...(keys.length > 0 && { right: { keys, ...readAxis(rightAxisFields, "right", true) } }),
  };
  const hasAxis = Object.keys(drawn).length > 0;
  const isPlain = derived.length + hidden.length === 0 && !order && !top && decimals === undefined && !hasAxis;
  if (isPlain && value === undefined) return null;
  return {
    derived: derived.map(({ label: text = "", ...rest }) => ({ ...rest, ...(text.trim() && { label: text.trim() }) })),
    hidden,
    ...(order && { order }),
    ...(top && { top }),
    ...(value !== undefined && { goal: { value, ...(label && { label }) } }),
    ...(decimals !== undefined && { decimals }),
    ...(hasAxis && { axis: drawn }),
  };
}

/** The draft with another source, without parts whose columns don't exist there. A goal's totals fit no other source. */
export function withSource(draft: Draft, source: ChartSource): Draft {
  const has = ({ column }: { column: string }) => source.columns.some(({ name }) => name === column);
  const filters = (list: DraftFilter[]) =>
    keepFilters(list, (filter) => filter.column === "" || has(filter)).map((filter) => updateFilter(filter));
  const kept = { name: draft.name, kind: draft.kind, filters: filters(draft.filters) };
  if ([draft.source, source.name].includes(goalPace.source)) return { ...newDraft(source), ...kept };
  return {
    ...draft,
    ...kept,
    source: source.name,
    groupBy: draft.groupBy.filter(has),
    metrics: draft.metrics.map((metric) => {
      const segment = filters(metric.segment);
      if (metric.column === "" || has(metric)) return { ...metric, segment };
      return { ...metric, segment, column: "", aggregation: "count" };
    }),
  };
}

/** The first problem of a part or anything in it. */
export const problemIn = (problems: Problems, part: string) =>
  [...problems].find(([path]) => path === part || path.startsWith(`${part}.`))?.[1];
