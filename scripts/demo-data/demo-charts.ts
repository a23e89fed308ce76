import type { ChartDefinition } from "../../lib/charts/definition/definition.ts";
import { capitalized } from "../../lib/format/text.ts";
import { verdicts, verdictWords } from "../../lib/signatures/verdicts.ts";
import type { Database } from "../local-stack/open-database.ts";

// A metric for each verdict, so that together they count all lines.
const verdictMetrics = verdicts
  .filter((verdict) => verdict !== "blank")
  .map((verdict): ChartDefinition["metrics"][number] => ({
    key: verdict.replace(/-./g, (letter) => letter.charAt(1).toUpperCase()),
    label: capitalized(verdictWords[verdict]),
    aggregation: "count",
    segment: [{ column: "verdict", operator: "eq", value: verdict }],
  }));

// Rows of three thirds of the dashboard's width.
export const demoCharts: (ChartDefinition & { width: number })[] = [
  {
    name: "Signatures by county",
    width: 1,
    kind: "bar",
    source: "signatures",
    groupBy: "county",
    metrics: [{ key: "signatures", label: "Signatures", aggregation: "count" }],
    filters: [],
  },
  {
    name: "Valid signatures by day",
    width: 2,
    kind: "line",
    source: "signatures",
    groupBy: "entered_at_day",
    metrics: [{ key: "accepted", label: "Valid", aggregation: "count" }],
    filters: [],
  },
  {
    name: "Status by week",
    width: 2,
    kind: "stacked-bar",
    source: "clerk_work",
    groupBy: "entered_at_week,verdict",
    metrics: [{ key: "lines", label: "Lines", aggregation: "count" }],
    filters: [],
  },
  {
    name: "Validity rate by week",
    width: 1,
    kind: "line",
    source: "lines",
    groupBy: "entered_at_week",
    metrics: [{ key: "lines", label: "Lines", aggregation: "count" }, ...verdictMetrics.slice(0, 1)],
    filters: [],
    display: {
      derived: [
        { key: "valid", label: "Validity rate", kind: "rate", of: "accepted", over: "lines", format: "percent" },
      ],
      hidden: ["lines", "accepted"],
      goal: { value: 0.9, label: "Goal" },
      axis: { min: 0.8, max: 1 },
    },
  },
  {
    name: "Status by clerk",
    width: 3,
    kind: "table",
    source: "clerk_work",
    groupBy: "clerk",
    metrics: [{ key: "lines", label: "Lines", aggregation: "count" }, ...verdictMetrics],
    filters: [],
  },
];

/** Adds five charts with their data to the demo's clean-water, in one statement, unless there ever was a chart. */
export async function addDemoCharts(database: Pick<Database, "sql">): Promise<void> {
  const [demoWithoutCharts] = await database.sql(`
    select from public.campaign_team c
    where c.team_id = 'riverside' and c.campaign_id = 'clean-water'
      and exists (select 1 from auth.users u where u.email = 'analyst@demo.test')
      and not exists (select 1 from public.charts)
  `);
  if (demoWithoutCharts) await database.sql(chartsSql, [JSON.stringify(demoCharts)]);
}

const chartsSql = `
insert into public.charts (team_id, campaign_id, name, kind, source, group_by, metrics, filters, display, width, position, created_by,
  data, generated_at, data_version)
select 'riverside', 'clean-water', c.name, c.kind, c.source, c."groupBy", c.metrics, c.filters, c.display, c.width,
  row_number() over (), u.id, r.data, (r.data ->> 'generatedAt')::timestamptz, 1
from jsonb_to_recordset($1::text::jsonb) as c (
  name text, kind text, source text, "groupBy" text, metrics jsonb, filters jsonb, display jsonb, width int
)
join auth.users u on u.email = 'analyst@demo.test'
cross join lateral (
  select public.aggregate_chart(u.id, c.source, 'riverside', 'clean-water', c."groupBy", c.metrics, c.filters) as data
  offset 0 -- computed once
) r
`;
