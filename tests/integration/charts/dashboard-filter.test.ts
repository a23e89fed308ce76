import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import { type DashboardFilter, dashboardFilterSchema } from "../../../lib/charts/definition/dashboard-filter.ts";
import { chartQuerySchema } from "../../../lib/charts/definition/definition.ts";
import { readDashboard } from "../../../lib/charts/store/dashboard.ts";
import { aggregateChart, generateChart } from "../../../lib/charts/store/generate.ts";
import type { Place } from "../../../lib/ids.ts";
import { addChart, setUpChartWorld } from "../../support/chart-world.ts";

// A filtered dashboard shows what charts with the same conditions would show, and stores nothing.

const { database, person } = await setUpChartWorld();
beforeAll(async () => {
  await database.sql(
    `insert into public.sheets (team_id, campaign_id, number, circulator)
     select 'north', c.id, n, case n when 1 then 'Bo' when 2 then 'Cy' end
     from unnest(array['lakes', 'rivers']) c (id), generate_series(1, 3) n`,
  );
  // Every mix of county, clerk, circulator and day.
  await database.sql(
    `insert into public.lines (team_id, campaign_id, verdict, voter_id, county, sheet, line, entered_by, entered_at)
     select 'north', p.campaign, case when d.ago = 1 then 'illegible' else 'accepted' end, gen_random_uuid()::text,
       c.county, s.sheet, row_number() over (partition by p.campaign, s.sheet), b.id, now() - d.ago * interval '1 day'
     from unnest(array['lakes', 'rivers']) p (campaign), unnest(array['King', 'Pierce', null]) c (county),
       unnest(array[1, 2, 3]) s (sheet), unnest($1::uuid[]) b (id), unnest(array[0, 1, 9]) d (ago)`,
    [[person("ann").id, person("ben").id]],
  );
});
beforeEach(() => database.sql("delete from public.charts"));

const ann = () => ({ actorId: person("ann").id });
const lakes: Place = { team: "north", campaign: "lakes" };
async function read(name: string, filter: DashboardFilter, place = lakes) {
  const dashboard = await readDashboard({ place, dashboardId: null, filter, userId: person(name).id });
  if (!dashboard) throw new Error("There is no such dashboard.");
  return dashboard;
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const equal = (column: string, value: string | null) => ({ column, operator: "eq", value });
const [king, none, pierce] = ["King", null, "Pierce"].map((county) => equal("county", county));
const [two, orNone] = [
  ["Pierce", "King"],
  [null, "King"],
].map((value) => ({ column: "county", operator: "in", value }));
const ben = equal("entered_by", person("ben").id);
const bo = equal("circulator", "Bo");
const week = equal("entered_at_day", "last 7 days");
const ends = [
  { column: "entered_at_day", operator: "gte", value: daysAgo(3) },
  { column: "entered_at_day", operator: "lte", value: daysAgo(0) },
];
const both = [...ends, pierce];

test.each<[string, DashboardFilter, Record<string, unknown[]>]>([
  ["a county", { county: ["King"] }, { signatures: [king], lines: [king], clerk_work: [king] }],
  ["no county", { county: [""] }, { signatures: [none], lines: [none], clerk_work: [none] }],
  ["several counties", { county: ["Pierce", "King"] }, { signatures: [two], lines: [two], clerk_work: [two] }],
  ["a county or none", { county: ["", "King"] }, { signatures: [orNone], lines: [orNone], clerk_work: [orNone] }],
  ["a clerk", { clerk: [ben.value ?? ""] }, { signatures: [ben], lines: [ben], clerk_work: [ben] }],
  [
    "a circulator and relative days",
    { circulator: ["Bo"], days: "last 7 days" },
    { signatures: [week, bo], lines: [week, bo], clerk_work: [week, bo] },
  ],
  [
    "days with both ends, and a county",
    { from: daysAgo(3), to: daysAgo(0), county: ["Pierce"] },
    { signatures: both, lines: both, clerk_work: both },
  ],
])("filtered by %s, shows what charts with the same conditions show, and stores nothing", async (_of, filter, own) => {
  for (const source of Object.keys(own)) {
    const filters = [{ column: "sheet", operator: "lte", value: 2 }];
    const group_by = source === "signatures" ? "sheet" : "verdict,sheet";
    await generateChart({ ...ann(), id: await addChart(database, { source, group_by, filters }) });
  }
  const before = await database.sql("select * from public.charts order by id");
  const { charts } = await read("ben", filter);
  expect(await database.sql("select * from public.charts order by id")).toEqual(before);
  expect(charts).toHaveLength(3);
  for (const chart of charts) {
    const filters = [...chart.filters, ...(own[chart.source] ?? [])];
    const query = chartQuerySchema.parse({ ...chart, filters });
    const { rows, recordCount } = await aggregateChart({ ...ann(), place: lakes, query });
    expect(chart.data).toMatchObject({ rows, recordCount });
    expect(recordCount).toBeGreaterThan(0);
    const others = (own[chart.source] ?? []).filter((userId) => userId !== king && userId !== pierce && userId !== two);
    const unknown = chartQuerySchema.parse({ ...chart, filters: [...chart.filters, ...others, none] });
    const { recordCount: leftOut } = await aggregateChart({ ...ann(), place: lakes, query: unknown });
    expect(chart.leftOut).toBe(filter.county && !filter.county.includes("") ? leftOut : 0);
  }
});

test("a running total over days carries what came before the days of the filter", async () => {
  const display = { derived: [{ key: "c", kind: "cumulated", of: "n" }], hidden: [] };
  const total = (fields: object) =>
    addChart(database, {
      source: "clerk_work",
      group_by: "entered_at_day,county",
      metrics: [{ key: "n", aggregation: "count" }],
      display,
      ...fields,
    });
  const carried = async (filter: DashboardFilter) => {
    const { charts } = await read("ben", filter);
    return charts.map((chart) => chart.carried?.map(({ group, values }) => [group.county, values.n]) ?? null);
  };
  await total({});
  const all = [
    ["King", 6],
    ["Pierce", 6],
    [null, 6],
  ];
  expect(await carried({ days: "last 7 days" })).toEqual([all]); // of 9 days ago: 3 sheets, 2 clerks
  expect(await carried({ from: daysAgo(3), to: daysAgo(0), county: ["King"] })).toEqual([[["King", 6]]]);
  expect(await carried({ county: ["King"] })).toEqual([null]);
  await database.sql("delete from public.charts");
  for (const fields of [
    { group_by: "verdict" },
    { display: { ...display, derived: [] } },
    { display: { ...display, top: { column: "county", count: 1 } } },
  ])
    await total(fields);
  expect(await carried({ days: "last 7 days" })).toEqual([null, null, null]);
});

test("names the filters that don't apply to a chart, also for an invalid definition", async () => {
  await addChart(database, { source: "goal_pace", group_by: "entered_at_day" });
  await addChart(database, { source: "lines", group_by: "county", metrics: [{ key: 3 }] });
  const { charts } = await read("ben", { county: ["King"], clerk: [person("ben").id] });
  await database.sql(
    "insert into public.charts (team_id, campaign_id, name, kind, source, text) values ('north', 'lakes', 'T', 'table', '', 'A text')",
  );
  expect((await read("ben", { county: ["King"] })).charts.find(({ text }) => text !== null)).toMatchObject({
    missing: [],
  });
  const missing = Object.fromEntries(charts.map(({ source, missing, failure }) => [source, { missing, failure }]));
  expect(missing).toEqual({
    goal_pace: { missing: ["county", "clerk"], failure: null },
    lines: { missing: ["county", "clerk"], failure: null },
  });
});

test("a chart that can't run says why and shows no old numbers; the others are shown", async () => {
  const id = await addChart(database);
  await generateChart({ ...ann(), id });
  await database.sql("update public.charts set group_by = 'nonsense', data_version = version + 1 where id = $1", [id]);
  await addChart(database);
  const { charts } = await read("ben", { county: ["King"] });
  expect(charts.filter(({ data }) => data !== null)).toHaveLength(1);
  expect(charts.find(({ data }) => data === null)?.failure).toMatchObject({
    status: 422,
    error: expect.stringContaining("nonsense"),
  });
});

test("at most four charts are computed at a time", async () => {
  for (let charts = 0; charts < 10; charts += 1) await addChart(database);
  const real = globalThis.fetch;
  let [running, most] = [0, 0];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    if (!String(input).endsWith("/rpc/aggregate_chart")) return real(input, init);
    running += 1;
    most = Math.max(most, running);
    return real(input, init).finally(() => {
      running -= 1;
    });
  });
  const { charts } = await read("ben", { county: ["King"] });
  expect(most).toBe(4);
  expect(charts.map(({ data }) => data?.recordCount)).toEqual(Array(10).fill(12));
  const stored = await database.sql<{ id: string }>("select id from public.charts order by position, id");
  expect(charts.map(({ id }) => id)).toEqual(stored.map(({ id }) => id));
});

test("each chart counts toward the limit of previews", async () => {
  vi.stubEnv("RATE_LIMIT_PREVIEW", "2");
  for (let charts = 0; charts < 3; charts += 1) await addChart(database);
  const { charts } = await read("ann", { county: ["King"] });
  expect(charts.map(({ failure }) => failure?.status).sort()).toEqual([429, undefined, undefined]);
});

test("filtered charts of the whole team include all its campaigns", async () => {
  await addChart(database, { campaign_id: null, group_by: "campaign_id" });
  const { charts } = await read("ann", { county: ["King"] }, { team: "north" });
  expect(charts[0]?.data?.rows.map(({ group, values }) => [group.campaign_id, values.n])).toEqual([
    ["lakes", 12],
    ["rivers", 12],
  ]);
});

test("offers the counties, clerks and circulators of the place, and of no other team", async () => {
  const { choices } = await read("ben", {});
  expect(choices).toEqual({
    counties: ["King", "Pierce"],
    clerks: [
      { id: person("ann").id, name: expect.any(String) },
      { id: person("ben").id, name: expect.any(String) },
    ],
    circulators: ["Bo", "Cy"],
  });
  expect((await read("dan", {}, { team: "south" })).choices).toEqual({ counties: [], clerks: [], circulators: [] });
});

test.each<[object, DashboardFilter]>([
  [{ days: "next week", county: ["King", 1], clerk: "ann", from: "2026-02-30", to: "today" }, {}],
  [{ county: "x".repeat(201), circulator: "a\u0000" }, {}],
  [{ circulator: "" }, {}],
  [
    { county: "", days: "today", other: "x" },
    { county: [""], days: "today" },
  ],
  [{ circulator: ["Bo", "Cy"], clerk: "" }, { circulator: ["Bo", "Cy"] }],
])("invalid filters in an address are ignored: %j", (query, filter) => {
  expect(JSON.parse(JSON.stringify(dashboardFilterSchema.parse(query)))).toEqual(filter);
});
