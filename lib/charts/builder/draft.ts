import {
  type DraftFilter,
  draftFilters,
  isUnfinished,
  newDraftId,
  touched,
  unfinishedPart,
  writeFilters,
} from "@/lib/charts/builder/draft-filters";
import type {
  ChartDefinition,
  ChartDisplay,
  ChartFilter,
  ChartMetric,
  DerivedNumber,
} from "@/lib/charts/definition/definition";
import type { ChartColumn, ChartSource } from "@/lib/charts/definition/source";
import type { Aggregation, ChartKind } from "@/lib/charts/definition/words";
import { unitOf } from "@/lib/charts/display/texts";

export type DraftMetric = {
  id: number;
  key: string;
  label: string;
  aggregation: Aggregation;
  /** Empty: the records themselves are counted. */
  column: string;
  segment: DraftFilter[];
};

/** A chart as it is built. It may be half done; ids tell its parts apart while they are moved. */
export type Draft = {
  name: string;
  kind: ChartKind;
  source: string;
  groupBy: { id: number; column: string }[];
  metrics: DraftMetric[];
  filters: DraftFilter[];
  /** The goal as it is typed: in percent where such numbers are drawn. */
  display: Omit<ChartDisplay, "goal"> & { goal: { text: string; label: string } };
};

/** What is wrong with a draft, by the part that it is about: `name`, `filters.0.value`, `metrics.1.column`. */
export type Problems = ReadonlyMap<string, string>;

/** A chart that counts the records of a source, by county where it has any. */
export function newDraft(source: ChartSource | undefined): Draft {
  const groupBy = source?.columns.some(({ name }) => name === "county") ? [newGroup("county")] : [];
  return {
    name: "",
    kind: "bar",
    source: source?.name ?? "",
    groupBy,
    metrics: [newMetric([])],
    filters: [],
    display: draftDisplay(null, []),
  };
}

/** A metric that counts records, with a key that none of the others has. */
export function newMetric(others: { key: string }[]): DraftMetric {
  const taken = new Set(others.map(({ key }) => key));
  let number = 1;
  while (taken.has(`m${number}`)) number += 1;
  return { id: newDraftId(), key: `m${number}`, label: "", aggregation: "count", column: "", segment: [] };
}

export function newGroup(column: string): Draft["groupBy"][number] {
  return { id: newDraftId(), column };
}

/** A stored chart, made ready to be changed. */
export function draftOf(definition: ChartDefinition, columns: ChartColumn[], timeZone: string): Draft {
  const filters = (list: ChartFilter[]) => draftFilters(list, columns, timeZone);
  return {
    name: definition.name,
    kind: definition.kind,
    source: definition.source,
    groupBy: definition.groupBy.split(",").flatMap((name) => (name.trim() ? [newGroup(name.trim())] : [])),
    metrics: definition.metrics.map(({ key, label = "", aggregation, column = "", segment = [] }) => ({
      id: newDraftId(),
      key,
      label,
      aggregation,
      column,
      segment: filters(segment),
    })),
    filters: filters(definition.filters),
    display: draftDisplay(definition.display ?? null, definition.metrics),
  };
}

function draftDisplay(stored: ChartDisplay | null, metrics: { key: string }[]): Draft["display"] {
  const { goal, ...display } = stored ?? { derived: [], hidden: [] };
  const value = goal && (goalUnit(display, metrics) === "percent" ? short(goal.value * 100) : goal.value);
  return { ...display, goal: { text: value === undefined ? "" : String(value), label: goal?.label ?? "" } };
}

const short = (value: number) => Number(value.toPrecision(15));

/** The unit of the first number that is shown: the one that a goal is of. */
export function goalUnit({ derived, hidden }: Pick<ChartDisplay, "derived" | "hidden">, metrics: { key: string }[]) {
  const first = [...metrics, ...derived].find(({ key }) => !hidden.includes(key))?.key;
  return unitOf(derived.find(({ key }) => key === first));
}

/** A rate of the first two measures, with a key that nothing else has. */
export function newDerived(metrics: { key: string }[], derived: DerivedNumber[]): DerivedNumber {
  const taken = new Set([...metrics, ...derived].map(({ key }) => key));
  let number = 1;
  while (taken.has(`d${number}`)) number += 1;
  const [over = "", of = over] = metrics.map(({ key }) => key);
  const same = { key: `d${number}`, of };
  return metrics.length > 1 ? { ...same, kind: "rate", over, format: "percent" } : { ...same, kind: "cumulated" };
}

/** The same draft without what is derived from measures that are gone, or folds groups that are. */
export function settled(draft: Draft): Draft {
  const { derived, hidden, order, top, goal } = draft.display;
  const isMeasure = (key: string) => draft.metrics.some((metric) => metric.key === key);
  const kept = derived.filter((one) => isMeasure(one.of) && (one.kind !== "rate" || isMeasure(one.over)));
  const isNumber = (key: string) => isMeasure(key) || kept.some((one) => one.key === key);
  return {
    ...draft,
    display: {
      derived: kept,
      hidden: kept.length > 0 ? hidden.filter(isNumber) : [],
      order: order && isNumber(order.by) ? order : undefined,
      top: top && draft.groupBy.some(({ column }) => column === top.column) ? top : undefined,
      goal,
    },
  };
}

/**
 * The definition that a draft stands for, without filters that have no value yet, and what is wrong with it. A definition
 * with problems cannot run; one with `unfinished` filters can, and is not what a person means to save.
 */
export function definitionOf(
  draft: Draft,
  zone: { columns: ChartColumn[]; timeZone: string },
): { definition: ChartDefinition; problems: Problems; unfinished: Problems } {
  const problems = new Map<string, string>();
  const filters = (list: DraftFilter[], part: string): ChartFilter[] => {
    const written = writeFilters(list, zone);
    for (const [at, message] of written.problems) problems.set(`${part}.${at}`, message);
    return written.filters;
  };
  const all = [...draft.filters, ...draft.metrics.flatMap(({ segment }) => segment)];
  const unfinished = all.filter(isUnfinished).map((filter): [string, string] => {
    const missing = filter.column === "" ? "Choose a column" : "Give it a value";
    return [unfinishedPart(filter), `${missing}, or remove it.`];
  });

  const metrics = draft.metrics.map(({ key, label, aggregation, column, segment }, index): ChartMetric => {
    const part = `metrics.${index}`;
    if (aggregation !== "count" && column === "") problems.set(`${part}.column`, "Choose what to compute it of.");
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
    display: displayOf(draft, problems),
  };
  return { definition, problems, unfinished: new Map(unfinished) };
}

function displayOf({ display, metrics }: Draft, problems: Map<string, string>): ChartDisplay | null {
  const { derived, hidden, order, top, goal } = display;
  const text = goal.text.replace("%", "").trim();
  const typed = Number(text);
  if (text !== "" && !Number.isFinite(typed)) problems.set("display.goal", "Write the goal as a number.");
  if (derived.length + hidden.length === 0 && !order && !top && text === "") return null;
  const value = goalUnit(display, metrics) === "percent" ? short(typed / 100) : typed;
  const label = goal.label.trim();
  return {
    derived: derived.map(({ label: words = "", ...one }) => ({ ...one, ...(words.trim() && { label: words.trim() }) })),
    hidden,
    ...(order && { order }),
    ...(top && { top }),
    ...(text !== "" && { goal: { value, ...(label && { label }) } }),
  };
}

/** The same draft over another source: what it has no column for is left out. */
export function withSource(draft: Draft, source: ChartSource): Draft {
  const has = ({ column }: { column: string }) => source.columns.some(({ name }) => name === column);
  const filters = (list: DraftFilter[]) =>
    list.filter((one) => one.column === "" || has(one)).map((one) => touched(one));
  return {
    ...draft,
    source: source.name,
    groupBy: draft.groupBy.filter(has),
    filters: filters(draft.filters),
    metrics: draft.metrics.map((metric) => {
      const segment = filters(metric.segment);
      if (metric.column === "" || has(metric)) return { ...metric, segment };
      return { ...metric, segment, column: "", aggregation: "count" };
    }),
  };
}

/** What is wrong with a part or anything in it. */
export function problemIn(problems: Problems, part: string): string | undefined {
  for (const [at, message] of problems) if (at === part || at.startsWith(`${part}.`)) return message;
  return undefined;
}
