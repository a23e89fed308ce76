import type { ChartDefinition, ChartMetric } from "@/lib/charts/chart-definition";
import type { ChartFilter } from "@/lib/charts/chart-filter";
import type { ChartColumn, ChartSource } from "@/lib/charts/chart-source";
import type { Aggregation, ChartKind, FilterOperator } from "@/lib/charts/chart-words";
import type { ChartDisplay, DerivedNumber } from "@/lib/charts/display";
import { isPeriod } from "@/lib/charts/period";
import { unitOf } from "@/lib/charts/value-text";
import { fromWallClock, toWallClock } from "@/lib/format/wall-clock";

/** The operators of a filter, two that need no value, and one that writes two filters: from … to, both included. */
export type DraftOperator = FilterOperator | "missing" | "given" | "between";

/** A filter as it is typed: texts, whatever the column's type. `in` has several; its last is still being typed. */
export type DraftFilter = {
  id: number;
  column: string;
  operator: DraftOperator;
  values: string[];
  /** As it is stored, while nothing of it is changed: a field shows less of some values than they hold. */
  untouched?: ChartFilter[] | undefined;
};

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

let lastId = 0;
const newId = () => {
  lastId += 1;
  return lastId;
};

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
  return { id: newId(), key: `m${number}`, label: "", aggregation: "count", column: "", segment: [] };
}

export function newFilter(column: string): DraftFilter {
  return { id: newId(), column, operator: "eq", values: [""] };
}

export function newGroup(column: string): Draft["groupBy"][number] {
  return { id: newId(), column };
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
      id: newId(),
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

function draftFilters(list: ChartFilter[], columns: ChartColumn[], timeZone: string): DraftFilter[] {
  const drafts: DraftFilter[] = [];
  for (const filter of list) {
    const draft = draftFilter(filter, columns, timeZone);
    const from = drafts.at(-1);
    const isEnd = from?.operator === "gte" && draft.operator === "lte" && from.column === draft.column;
    const type = columns.find(({ name }) => name === draft.column)?.type ?? "text";
    const values = [...(from?.values ?? []), ...draft.values];
    if (isEnd && hasSpans(type) && !values.some(isPeriod))
      drafts.splice(-1, 1, { ...from, operator: "between", values, untouched: [...(from.untouched ?? []), filter] });
    else drafts.push(draft);
  }
  return drafts;
}

/** Whether values of a type lie between two others. */
export const hasSpans = (type: ChartColumn["type"]) => type === "number" || type === "date" || type === "time";

/** How many filters of a definition one row of the builder writes. */
export const filtersOf = ({ operator }: DraftFilter) => (operator === "between" ? 2 : 1);

function draftFilter(filter: ChartFilter, columns: ChartColumn[], timeZone: string): DraftFilter {
  const { column, operator, value } = filter;
  const type = columns.find(({ name }) => name === column)?.type;
  const text = (one: unknown) => {
    if (typeof one !== "string") return JSON.stringify(one);
    return type === "time" && !isPeriod(one) ? toWallClock(one, timeZone) : one;
  };
  if (value === null && operator === "eq") return { id: newId(), column, operator: "missing", values: [""] };
  if (value === null && operator === "neq") return { id: newId(), column, operator: "given", values: [""] };
  return {
    id: newId(),
    column,
    operator,
    values: operator === "in" && Array.isArray(value) ? [...value.map(text), ""] : [text(value)],
    untouched: [filter],
  };
}

/** The definition that a draft stands for, and what is wrong with it. A definition with problems cannot run. */
export function definitionOf(
  draft: Draft,
  { columns, timeZone }: { columns: ChartColumn[]; timeZone: string },
): { definition: ChartDefinition; problems: Problems } {
  const problems = new Map<string, string>();
  const filters = (list: DraftFilter[], part: string): ChartFilter[] => {
    const written: ChartFilter[] = [];
    for (const { column, operator, values, untouched } of list) {
      const at = `${part}.${written.length}.value`;
      const type = columns.find(({ name }) => name === column)?.type ?? "text";
      const typed = operator === "in" && values.at(-1) === "" ? values.slice(0, -1) : values;
      const read = typed.map((text) => readValue(text, type, operator, timeZone));
      const wrong = read.find((one) => "problem" in one);
      const given = read.map((one) => ("value" in one ? one.value : null));
      const [value = null, end = null] = given;
      if (untouched) written.push(...untouched);
      else if (operator === "missing") written.push({ column, operator: "eq", value: null });
      else if (operator === "given") written.push({ column, operator: "neq", value: null });
      else {
        if (wrong) problems.set(at, wrong.problem);
        else if (operator === "in" && read.length === 0) problems.set(at, "Add at least one value.");
        if (operator === "between")
          written.push({ column, operator: "gte", value }, { column, operator: "lte", value: end });
        else written.push({ column, operator, value: operator === "in" ? given : value });
      }
    }
    return written;
  };

  const metrics = draft.metrics.map(({ key, label, aggregation, column, segment }, index): ChartMetric => {
    const part = `metrics.${index}`;
    if (aggregation !== "count" && column === "") problems.set(`${part}.column`, "Choose what to compute it of.");
    return {
      key,
      aggregation,
      ...(label.trim() !== "" && { label: label.trim() }),
      ...(column !== "" && { column }),
      ...(segment.length > 0 && { segment: filters(segment, `${part}.segment`) }),
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
  return { definition, problems };
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

type Json = ChartFilter["value"];

function readValue(
  text: string,
  type: ChartColumn["type"],
  operator: DraftOperator,
  timeZone: string,
): { value: Json } | { problem: string } {
  switch (type) {
    case "number": {
      const number = Number(text.trim());
      if (text.trim() !== "" && Number.isFinite(number) && isExact(text.trim())) return { value: number };
      // The database takes its text.
      return /^(-?\d+(\.\d+)?|NaN|-?Infinity)$/.test(text.trim())
        ? { value: text.trim() }
        : { problem: "Write a number." };
    }
    case "date":
      if (isPeriod(text)) return { value: text };
      return /^\d{4}-\d{2}-\d{2}$/.test(text) ? { value: text } : { problem: "Choose a day." };
    case "time": {
      if (isPeriod(text)) return { value: text };
      const moment = fromWallClock(text, timeZone);
      return moment === null ? { problem: "Choose a day and a time." } : { value: moment };
    }
    case "boolean":
      return { value: text !== "false" };
    case "uuid":
      return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text.trim())
        ? { value: text.trim() }
        : { problem: "Write a whole id." };
    case "array":
    case "json":
      return type === "array" && operator === "contains" ? { value: text } : readJson(text);
    case "text":
      return operator === "ilike" && text === "" ? { problem: "Write a pattern, such as Ken%." } : { value: text };
  }
}

// Whether JavaScript holds just the number that was written, and no neighbour of it.
function isExact(text: string) {
  return sameDigits(text) === sameDigits(String(Number(text)));
}

// Equal for texts of equal numbers: `0.50e2` and `50` are both `5e1`.
function sameDigits(text: string) {
  const [, sign = "", whole = "", fraction = "", exponent = "0"] =
    /^([-+]?)(\d*)\.?(\d*)(?:e([-+]?\d+))?$/i.exec(text) ?? [];
  const digits = (whole + fraction).replace(/^0+/, "");
  const short = digits.replace(/0+$/, "");
  const power = Number(exponent) - fraction.length + digits.length - short.length;
  return short === "" ? "0" : `${sign === "-" ? "-" : ""}${short}e${power}`;
}

function readJson(text: string): { value: Json } | { problem: string } {
  try {
    const value: Json = JSON.parse(text);
    const numbers = text.replace(/"(\\.|[^"\\])*"/g, '""').match(/-?\d[\d.eE+-]*/g) ?? [];
    if (!numbers.every(isExact)) return { problem: "It holds a number of more digits than can be kept here." };
    return { value };
  } catch {
    return { problem: 'Write JSON, such as ["a"].' };
  }
}

/** A filter with a change: from now on it is what its fields say. */
export function touched(filter: DraftFilter, change: Partial<DraftFilter> = {}): DraftFilter {
  return { ...filter, ...change, untouched: undefined };
}

/** The same draft over another source: what it has no column for is left out. */
export function withSource(draft: Draft, source: ChartSource): Draft {
  const has = ({ column }: { column: string }) => source.columns.some(({ name }) => name === column);
  const filters = (list: DraftFilter[]) => list.filter(has).map((one) => touched(one));
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
