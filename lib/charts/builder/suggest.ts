import type { ChartDefinition } from "@/lib/charts/definition/definition";
import type { ChartSource } from "@/lib/charts/definition/source";
import { type ChartKind, chartKinds } from "@/lib/charts/definition/words";
import {
  type ChartModel,
  type ChartSubject,
  chartModel,
  groupColumns,
  isOrdered,
  isTime,
} from "@/lib/charts/display/model";
import { momentType } from "@/lib/charts/display/texts";

/** How a kind suits a result: `why` is a sentence, and `instead` the kind that fits. */
export type KindFit = { fit: "fits" | "works" | "cannot"; why: string; instead: ChartKind };

type Subject = Omit<ChartSubject, "kind">;

const mostGrey = 0.5; // of all that is drawn

/**
 * Which kind is the one for a result, and which work. The others cannot show it: what they drew would be empty, misleading,
 * or one grey bar. Of no rows nothing is said.
 */
export function chartKindFits(subject: Subject): Map<ChartKind, KindFit> {
  if (subject.result.rows.length === 0) return new Map();
  const reasons = new Map(chartKinds.map((kind) => [kind, reasonAgainst(kind, subject)]));
  const instead = preferred(subject).find((kind) => reasons.get(kind) === null) ?? "table";
  return new Map(
    chartKinds.map((kind): [ChartKind, KindFit] => {
      const why = reasons.get(kind);
      if (why) return [kind, { fit: "cannot", why, instead }];
      return [kind, { fit: kind === instead ? "fits" : "works", why: strengths[kind], instead }];
    }),
  );
}

const strengths: Record<ChartKind, string> = {
  bar: "Bars compare groups at a glance.",
  "stacked-bar": "Each bar shows its parts.",
  line: "A line shows how it goes on.",
  area: "Areas show how much there is, as it goes on.",
  pie: "A pie shows parts of a whole.",
  table: "A table has every number.",
  number: "One number, large.",
};

// The first that can show it is the one that fits.
function preferred(subject: Subject): ChartKind[] {
  const groups = groupColumns(subject);
  if (groups.length === 0) return ["number"];
  if (groups.length > 2) return ["table"];
  const [first] = groups;
  if (groups.length === 1) return isTime(first) ? ["line", "bar"] : ["bar"];
  if (isTime(first)) return ["line", "stacked-bar", "bar"];
  return isOrdered(first) ? ["stacked-bar", "line", "bar"] : ["stacked-bar", "bar"];
}

function reasonAgainst(kind: ChartKind, subject: Subject): string | null {
  const { result, columns } = subject;
  const groups = groupColumns(subject);
  const [first] = groups;
  if (kind === "table") return null;
  if (kind === "number") return groups.length > 0 ? "A number has no groups, and this has." : null;
  if (result.metrics.every((metric) => momentType(metric, columns) !== null))
    return "Days and times can be written, and not drawn.";
  const isLine = kind === "line" || kind === "area";
  if (first === undefined)
    return kind === "bar" && result.metrics.length > 1 ? null : "Without groups there is nothing to compare.";
  if (isLine && !isOrdered(first)) return `“${first.label}” has no order that a line could follow.`;
  const model = chartModel({ ...subject, kind });
  if (isLine && model.points.length < 2) return "A line needs two points, and there is one.";
  const isWhole = kind === "pie" || kind === "stacked-bar" || (kind === "area" && groups.length > 1);
  if (isWhole && !model.stacked) return "Only counts and sums are parts of a whole: these numbers are not.";
  if (model.points.length === 0) return "No slice has a number above 0.";
  if (kind === "line") return null;
  const grey = greyPart(model);
  if (grey <= mostGrey) return null;
  const what = kind === "bar" ? "bar" : kind === "pie" ? "slice" : "part";
  return `There are too many groups to tell apart: ${subject.format.percent(grey)} of all would be one grey ${what}.`;
}

// What is drawn of groups beyond those that an eye tells apart.
function greyPart({ series, points }: ChartModel): number {
  let grey = 0;
  let all = 0;
  for (const { id, values } of points) {
    for (const [index, value] of values.entries()) {
      all += Math.abs(value ?? 0);
      if (id === "other" || series[index]?.id === "other") grey += Math.abs(value ?? 0);
    }
  }
  return all === 0 ? 0 : grey / all;
}

/** A chart to begin with, and why one would. */
export type SuggestedChart = { why: string; definition: ChartDefinition };

const count = { key: "count", aggregation: "count" } as const;

const suggestions: SuggestedChart[] = [
  {
    why: "Where the signatures come from.",
    definition: {
      name: "Signatures by county",
      kind: "bar",
      source: "signatures",
      groupBy: "county",
      metrics: [{ ...count, label: "Signatures" }],
      filters: [],
    },
  },
  {
    why: "How many were entered on each day.",
    definition: {
      name: "Pace",
      kind: "line",
      source: "signatures",
      groupBy: "entered_at_day",
      metrics: [{ ...count, label: "Signatures" }],
      filters: [],
    },
  },
  {
    why: "Why lines were turned down.",
    definition: {
      name: "Rejected lines by reason",
      kind: "pie",
      source: "lines",
      groupBy: "verdict",
      metrics: [{ ...count, label: "Rejected lines" }],
      filters: [{ column: "verdict", operator: "neq", value: "accepted" }],
    },
  },
];

/** The charts that an empty dashboard suggests: those whose source and columns are there. */
export function suggestedCharts(sources: ChartSource[]): SuggestedChart[] {
  return suggestions.filter(({ definition: { source, groupBy } }) =>
    sources.some(({ name, columns }) => name === source && columns.some((column) => column.name === groupBy)),
  );
}
