import type { ChartDefinition } from "@/lib/charts/definition/definition";

/** Valid lines and an even pace to the goal, added up by day: how many days there are says nothing. */
export const goalPace: ChartDefinition = {
  name: "",
  kind: "line",
  source: "goal_pace",
  groupBy: "entered_at_day",
  metrics: [
    { key: "m1", aggregation: "sum", column: "lines_valid" },
    { key: "m2", aggregation: "sum", column: "lines_needed" },
  ],
  filters: [],
  display: {
    derived: [
      { key: "d1", label: "Valid lines", kind: "cumulated", of: "m1" },
      { key: "d2", label: "Even pace", kind: "cumulated", of: "m2" },
    ],
    hidden: ["m1", "m2"],
  },
};
