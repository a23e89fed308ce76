// Measures generating a chart of a million signatures: the route, its database call, the bare `group by` in SQL, and reading
// the rows page by page and aggregating them in Node. Also measures the application's memory.
import { readdirSync, readFileSync } from "node:fs";
import type { SupabaseClient } from "@supabase/supabase-js";
import postgres, { type Sql } from "postgres";
import { z } from "zod";
import { formatSecondsSince, median, timeInTurn } from "../harness/measure.ts";
import { atEnd, runBench, sized } from "../harness/run-bench.ts";
import { stackApi } from "../harness/stack-api.ts";
import { type App, startedApp } from "../harness/started-app.ts";
import { adminOf, cookieOf, type Stack, startedStack } from "../harness/started-stack.ts";
import type { Database } from "../supabase/functions/_shared/database.ts";

const lineCount = sized(1_000_000, 3_000); // lines, of which every 21st is rejected
const acceptedCount = lineCount - Math.floor(lineCount / 21);
const warmUp = sized(2, 1);
const rounds = sized(11, 1);
const memoryWarmUp = sized(60, 1); // generations until the heap is stable
const memoryGenerations = sized(100, 2);
const pageSize = 1_000; // the most that PostgREST returns

type Row = { county: string | null; zip: string; line: number };

type Case = {
  name: string;
  chart: object;
  sql: string;
  /** The group of a row, when rows are read page by page in Node. */
  keyOf?: (row: Row) => string;
};

const cases: Case[] = [
  {
    name: "rate of accepted lines by week of entry and county",
    chart: {
      source: "lines",
      group_by: "entered_at_week,county",
      metrics: [
        { key: "n", aggregation: "count" },
        {
          key: "accepted",
          aggregation: "count",
          segment: [{ column: "verdict", operator: "eq", value: "accepted" }],
        },
      ],
      display: {
        derived: [{ key: "rate", kind: "rate", of: "accepted", over: "n", format: "percent" }],
        hidden: ["n", "accepted"],
      },
    },
    sql: `select entered_at_week, county, count(*), count(*) filter (where verdict = 'accepted') from reporting.lines
      where team_id = $1 and campaign_id = $2 group by entered_at_week, county order by entered_at_week, county`,
  },
  {
    name: "signatures by county",
    chart: { group_by: "county", metrics: [{ key: "n", aggregation: "count" }] },
    sql: "select county, count(*) from reporting.signatures where team_id = $1 and campaign_id = $2 group by county order by county",
    keyOf: ({ county }: Row) => county ?? "",
  },
  {
    name: "average line by county and zip",
    chart: {
      group_by: "county,zip",
      metrics: [
        { key: "n", aggregation: "count" },
        { key: "avg", aggregation: "avg", column: "line" },
      ],
    },
    sql: `select county, zip, count(*), avg(line) from reporting.signatures
      where team_id = $1 and campaign_id = $2 group by county, zip order by county, zip`,
    keyOf: ({ county, zip }: Row) => `${county ?? ""}|||${zip}`,
  },
];

const generatedSchema = z.object({ data: z.looseObject({ groupCount: z.number() }) });

await runBench(async () => {
  const stack = await startedStack();
  const sql = postgres(stack.DATABASE_URL, { max: 1, onnotice: () => undefined });
  atEnd(() => sql.end());
  await fill(sql);
  await waitForSigners(stack);
  await measure(stack, sql, await startedApp({ ...stack, RATE_LIMIT_CHARTS: "1000000" }));
});

// In a separate campaign. Triggers are off, because they would number and record each line.
async function fill(sql: Sql) {
  const startedAt = performance.now();
  await sql.unsafe(`
    insert into public.campaigns (id, name, team_id) values ('million', 'Million', 'riverside');
    insert into public.campaign_team (team_id, campaign_id) values ('riverside', 'million');
    insert into public.campaign_team_sets (team_id, campaign_id, permission_set_id)
    select 'riverside', 'million', id from public.permission_sets where team_id is null;
    alter table public.lines disable trigger user;
    insert into public.lines
      (team_id, campaign_id, verdict, voter_id, first_name, last_name, city, county, zip, sheet, line, signed_on, entered_at, change_number)
    select 'riverside', 'million', case when i % 21 = 0 then 'illegible' else 'accepted' end,
      'V' || i, 'First ' || i % 500, 'Last ' || i % 3000, 'City ' || i % 200,
      case when i % 50 > 0 then 'County ' || i % 39 end, (98000 + i % 100)::text, i / 20 + 1, i % 20 + 1,
      date '2026-09-01' + i % 60, timestamptz '2026-09-01' + i * interval '5 s',
      case when i % 21 > 0 then i end
    from generate_series(1, ${lineCount}) i;
    alter table public.lines enable trigger user;
    select private.recount()`);
  await sql.unsafe("vacuum analyze public.lines");
  console.log(`${lineCount} lines, ${acceptedCount} signatures (filled in ${formatSecondsSince(startedAt)} s)`);
}

// The stack copies the signers of the new campaign to Redis, which takes both cores of a small machine. A call for one
// campaign waits for a run that has begun.
async function waitForSigners({ NEXT_PUBLIC_SUPABASE_URL: supabaseUrl, SUPABASE_SECRET_KEY: apikey }: Stack) {
  const startedAt = performance.now();
  const syncSigners = () =>
    fetch(`${supabaseUrl}/functions/v1/sync-signers`, {
      method: "POST",
      headers: { apikey, "content-type": "application/json" },
      body: '{"campaignId":"million"}',
    });
  while (!(await syncSigners()).ok)
    if (performance.now() - startedAt > 300_000) throw new Error("The signers are not read.");
  console.log(`their signers are in Redis after ${formatSecondsSince(startedAt)} s`);
}

async function measure(stack: Stack, sql: Sql, app: App) {
  const cookie = await cookieOf(stack, "admin@demo.test");
  const admin = adminOf(stack);
  const { rest } = stackApi(stack);
  const [{ id: actorId } = { id: null }] = await sql<{ id: string }[]>`
    select id from auth.users where email = 'admin@demo.test'`;

  for (const { name, chart, sql: bareSql, keyOf } of cases) {
    const row = {
      team_id: "riverside",
      campaign_id: "million",
      name,
      kind: "bar",
      source: "signatures",
      filters: [],
      ...chart,
    };
    const [{ id }] = z.tuple([z.object({ id: z.string() })]).parse(await rest("charts?select=id", "POST", row));
    const generate = async () => {
      const response = await fetch(`${app.url}/api/charts/${id}`, { method: "POST", headers: { cookie } });
      const text = await response.text();
      if (!response.ok) throw new Error(`The route answered ${response.status}: ${text}`);
      const expectedCount = z.literal(row.source === "lines" ? lineCount : acceptedCount);
      return z.object({ recordCount: expectedCount, groupCount: z.number() }).parse(JSON.parse(text)).groupCount;
    };
    // The time that Supabase takes for the call that computes and stores, without Signet.
    const callDatabase = async () => {
      const generated = await admin.rpc("generate_chart", { p_actor_id: actorId, p_id: id, p_deadline: "2100-01-01" });
      return generatedSchema.parse(generated.data).data.groupCount;
    };
    const variants: [string, () => Promise<number>][] = [
      ["group by in SQL", async () => (await sql.unsafe(bareSql, ["riverside", "million"])).length],
      ["its call alone", callDatabase],
      ["the route", generate],
    ];
    const counts = new Set<number>();
    const timedVariants = variants.map(([variant, run]) => [variant, async () => counts.add(await run())] as const);
    const times = await timeInTurn(timedVariants, { warmUp, rounds });
    if (keyOf) {
      const startedAt = performance.now();
      counts.add(await pageByPage(admin, keyOf));
      times.set("page by page, in Node", [performance.now() - startedAt]);
    }
    if (counts.size !== 1) throw new Error(`${name}: the ways differ in their groups: ${[...counts]}`);
    const bareMedian = median(times.get("group by in SQL") ?? []);
    const route = median(times.get("the route") ?? []);
    console.log(`\n${name}: ${[...counts]} groups (medians of ${rounds} interleaved rounds; page by page once)`);
    for (const [variant, durationsMs] of times) {
      const expected =
        {
          "the route": "at most 1.3",
          "page by page, in Node": `${(median(durationsMs) / route).toFixed(1)} times the route; expected: at least 10`,
        }[variant] ?? "";
      console.log(
        `  ${variant.padEnd(24)}${median(durationsMs).toFixed(0).padStart(8)} ms${(median(durationsMs) / bareMedian).toFixed(2).padStart(8)}   ${expected}`,
      );
    }
    if (name === cases.at(-1)?.name) await measureMemory(app, generate);
  }
}

// The application's memory while the largest chart is generated repeatedly. Readings include garbage, so halves are
// compared.
async function measureMemory(app: App, generate: () => Promise<number>) {
  for (let generation = 0; generation < memoryWarmUp; generation++) await generate();
  const readings: number[] = [];
  for (let generation = 0; generation < memoryGenerations; generation++) {
    await generate();
    readings.push(residentMegabytes(app));
  }
  const half = memoryGenerations / 2;
  const [first, second] = [readings.slice(0, half), readings.slice(half)].map(median);
  console.log(
    `\nmemory of the application over ${memoryGenerations} further generations: ${first} MB (median of the first half), ` +
      `${second} MB (of the second), ${Math.max(...readings)} MB at most   expected: flat`,
  );
}

// Reads as without aggregate_chart: pages of 1,000 by key, from the table, because views of `reporting` aren't exposed.
async function pageByPage(admin: SupabaseClient<Database>, keyOf: (row: Row) => string) {
  const groups = new Map<string, { n: number; sum: number }>();
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const page = await admin
      .from("lines")
      .select("*")
      .eq("verdict", "accepted")
      .eq("team_id", "riverside")
      .eq("campaign_id", "million")
      .is("removed_at", null)
      .gt("id", after)
      .order("id")
      .limit(pageSize);
    if (page.error) throw page.error;
    const rows = z
      .array(z.object({ id: z.string(), county: z.string().nullable(), zip: z.string(), line: z.number() }))
      .parse(page.data);
    for (const row of rows) {
      const group = groups.get(keyOf(row)) ?? { n: 0, sum: 0 };
      groups.set(keyOf(row), { n: group.n + 1, sum: group.sum + row.line });
      after = row.id;
    }
    if (rows.length < pageSize) return groups.size;
  }
}

// The memory of the application and its child processes.
function residentMegabytes({ pid }: App) {
  const children = (parent: number): number[] =>
    readdirSync(`/proc/${parent}/task`).flatMap((task) =>
      readFileSync(`/proc/${parent}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
    );
  const withDescendants = (process: number): number[] => [process, ...children(process).flatMap(withDescendants)];
  const kilobytes = withDescendants(pid).map((process) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${process}/status`, "utf8"))?.[1]),
  );
  return Math.round(kilobytes.reduce((sum, size) => sum + size, 0) / 1024);
}
