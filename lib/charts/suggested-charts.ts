import type { ChartDefinition } from "@/lib/charts/chart-definition";
import type { ChartSource } from "@/lib/charts/chart-source";

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
