import { isOrdered, isTime } from "@/lib/charts/definition/columns";
import type { ChartDefinition } from "@/lib/charts/definition/definition";
import type { ChartSource } from "@/lib/charts/definition/source";
import { type ChartKind, chartKinds, isGridKind, kindLabels } from "@/lib/charts/definition/words";
import { momentType } from "@/lib/charts/display/chart-text";
import { type ChartModel, type ChartSubject, chartModel, groupColumns } from "@/lib/charts/display/model";
import { hasTrend, shownPeriod } from "@/lib/charts/display/trend";

/** How well a kind suits a result, why, and the kind that fits best. */
export type KindFit = {
  fit: "fits" | "works" | "cannot";
  reason: string;
  /** In a few words, why it can't be used. */
  brief?: string;
  instead: ChartKind;
  /** The reason is the current records: too few, or too many groups. */
  isForNow?: boolean;
};

type Reason = Pick<KindFit, "reason" | "isForNow"> & { brief: string };

type Subject = Omit<ChartSubject, "kind">;

const maxOtherShare = 0.5;

/** Which kind fits a result best, which work, and which would be empty, misleading or one gray bar. Empty without rows. */
export function chartKindFits(subject: Subject): Map<ChartKind, KindFit> {
  if (subject.result.rows.length === 0) return new Map();
  const reasons = new Map(chartKinds.map((kind) => [kind, reasonAgainst(kind, subject)]));
  const instead = preferred(subject).find((kind) => reasons.get(kind) === null) ?? "table";
  return new Map(
    chartKinds.map((kind): [ChartKind, KindFit] => {
      const reason = reasons.get(kind);
      if (reason) return [kind, { fit: "cannot", ...reason, instead }];
      return [kind, { fit: kind === instead ? "fits" : "works", reason: strengths[kind], instead }];
    }),
  );
}

const strengths: Record<ChartKind, string> = {
  bar: "Bars compare groups at a glance.",
  "stacked-bar": "Each bar shows its parts.",
  line: "A line shows change along its axis.",
  area: "Areas show amounts along their axis.",
  pie: "A pie shows parts of a whole.",
  "heat-map": "A heat map shows each combination of two groups.",
  pivot: "A pivot table shows each combination of two groups, with totals.",
  table: "A table lists every number.",
  number: "One large number. Grouped by day, week, or month, it shows the change.",
};

// The first that can show the result fits best.
function preferred(subject: Subject): ChartKind[] {
  const groups = groupColumns(subject);
  if (groups.length === 0) return ["number"];
  if (groups.length > 2) return ["table"];
  const [first] = groups;
  if (groups.length === 1) return isTime(first) ? ["line", "bar"] : ["bar"];
  if (groups.every((column) => column.type === "number" && column.part)) return ["heat-map", "stacked-bar", "bar"];
  if (isTime(first)) return ["line", "stacked-bar", "bar"];
  return isOrdered(first) ? ["stacked-bar", "line", "bar"] : ["stacked-bar", "bar"];
}

function reasonAgainst(kind: ChartKind, subject: Subject): Reason | null {
  const { result, columns } = subject;
  const groups = groupColumns(subject);
  const [first] = groups;
  if (kind === "table") return null;
  if (kind === "number") {
    if (groups.length === 0) return null;
    if (!hasTrend(subject))
      return {
        brief: "needs no group, or a date group",
        reason: "A number shows a total, or the last day, week, or month.",
      };
    if (shownPeriod({ ...subject, kind })) return null;
    return { brief: "no date yet", reason: "There's no day, week, or month to show yet.", isForNow: true };
  }
  if (result.metrics.every((metric) => momentType(metric, columns) !== null))
    return { brief: "no dates", reason: "Dates and times can't be drawn as bars, lines, or slices." };
  if (isGridKind(kind)) {
    const reason = `A ${kindLabels[kind].toLowerCase()} needs exactly two groups.`;
    return groups.length === 2 ? null : { brief: "needs two groups", reason };
  }
  if (kind === "pie") {
    if (groups.length > 1) return { brief: "needs one group", reason: "A pie shows the groups of one column only." };
    if (result.metrics[0]?.derived?.kind === "cumulated")
      return { brief: "not for running totals", reason: "Running totals don't add up to a whole." };
  }
  const isLine = kind === "line" || kind === "area";
  if (first === undefined)
    return kind === "bar" && result.metrics.length > 1
      ? null
      : { brief: "needs a group", reason: "Without groups there's nothing to compare." };
  if (isLine && !isOrdered(first)) {
    const later = groups.find(isOrdered);
    return later
      ? {
          brief: "needs dates first",
          reason: `A line needs dates or numbers first. Make “${later.label}” the first group.`,
        }
      : { brief: "needs dates or numbers", reason: `A line needs dates or numbers, and “${first.label}” has neither.` };
  }
  const model = chartModel({ ...subject, kind });
  if (isLine && model.points.length < 2)
    return { brief: "needs two points", reason: "A line needs at least two points.", isForNow: true };
  const isWhole = kind === "pie" || kind === "stacked-bar" || (kind === "area" && groups.length > 1);
  if (isWhole && !model.stacked)
    return { brief: "only counts or sums", reason: "Only counts and sums add up to a whole." };
  if (model.points.length === 0)
    return { brief: "nothing above 0", reason: "No group has a number above 0.", isForNow: true };
  if (kind === "line") return null;
  const other = otherShare(model);
  if (other <= maxOtherShare) return null;
  const what = kind === "bar" ? "bar" : kind === "pie" ? "slice" : "part";
  const reason = `Too many groups: ${subject.format.percent(other)} would be one gray ${what}.`;
  return { brief: "too many groups", reason, isForNow: true };
}

// The share of “Other” in the drawn total.
function otherShare({ series, points }: ChartModel): number {
  let other = 0;
  let all = 0;
  for (const { id, values } of points) {
    for (const [index, value] of values.entries()) {
      all += Math.abs(value ?? 0);
      if (id === "other" || series[index]?.id === "other") other += Math.abs(value ?? 0);
    }
  }
  return all === 0 ? 0 : other / all;
}

/** A chart to begin with, and what it shows. */
export type SuggestedChart = { reason: string; definition: ChartDefinition };

const counted = (label: string) => [{ key: "count", aggregation: "count" as const, label }];
const signatures = { source: "signatures", metrics: counted("Signatures"), filters: [] };

const suggestions: SuggestedChart[] = [
  {
    reason: "Where signatures come from.",
    definition: { ...signatures, name: "Signatures by county", kind: "bar", groupBy: "county" },
  },
  {
    reason: "How many valid signatures are entered each day.",
    definition: { ...signatures, name: "Signatures by day", kind: "line", groupBy: "entered_at_day" },
  },
  {
    reason: "How many lines are invalid, and why.",
    definition: {
      name: "Invalid lines by status",
      kind: "pie",
      source: "lines",
      groupBy: "verdict",
      metrics: counted("Invalid lines"),
      filters: [{ column: "verdict", operator: "neq", value: "accepted" }],
    },
  },
];

/** The suggestions for an empty dashboard whose source and column exist. */
export function suggestedCharts(sources: ChartSource[]): SuggestedChart[] {
  return suggestions.filter(({ definition: { source, groupBy } }) =>
    sources.some(({ name, columns }) => name === source && columns.some((column) => column.name === groupBy)),
  );
}
