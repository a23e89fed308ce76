// What a chart costs on PostgreSQL with a million signatures: the route against the bare `group by` in SQL, against its
// call of the database, against reading the rows page by page and aggregating them in Node, and against DuckDB over
// the same rows, where its package is installed; and what the application's process takes meanwhile.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { createClient } from "@supabase/supabase-js";
import postgres from "postgres";
import { z } from "zod";
import { buildIfStale } from "../scripts/local-stack/build-if-stale.ts";
import { freePort } from "../scripts/local-stack/ports.ts";
import { cookieHeader, sessionCookies } from "../scripts/local-stack/session-cookies.ts";
import type { Database } from "../supabase/functions/_shared/database.ts";
import { startPostgres } from "../tests/support/postgres-server.ts";
import { startStackForBench } from "./support/started-stack.ts";

const records = 1_000_000;
const rounds = 11;
const memoryWarmUp = 60; // generations: until then the heap finds its size
const memoryGenerations = 100;
const pageSize = 1_000; // what PostgREST gives at most

type Row = { county: string | null; zip: string; line: number };

const cases = [
  {
    name: "signatures by county",
    chart: { group_by: "county", metrics: [{ key: "n", aggregation: "count" }] },
    sql: "select county, count(*) from reporting.signatures where team_id = $1 and campaign_id = $2 group by county order by county",
    keyOf: ({ county }: Row) => county ?? "",
  },
  {
    name: "average line by county and zip (3 900 groups)",
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

type DuckDb = { run(query: string): Promise<{ getRows(): Promise<unknown[]> }> };
const duckDbSchema = z.object({
  DuckDBInstance: z.custom<{ create(path: string): Promise<{ connect(): Promise<DuckDb> }> }>(Boolean),
});

process.chdir(resolve(import.meta.dirname, ".."));
const server = await startPostgres();
if (!server) {
  console.log("Charts are not measured: this machine has no PostgreSQL of version 15 or newer.");
  process.exit();
}
buildIfStale();
const stack = await startStackForBench({ DATABASE_URL: server.url });
const sql = postgres(server.url, { max: 1, onnotice: () => undefined });
let app: ChildProcess | undefined;
try {
  await fill();
  await untilSignersAreRead();
  const port = await freePort(3230);
  app = spawn(process.execPath, [resolve("node_modules/next/dist/bin/next"), "start", "-p", String(port)], {
    env: { PATH: process.env.PATH, ...stack.env, NODE_ENV: "production", RATE_LIMIT_CHARTS: "1000000" },
    stdio: "ignore",
  });
  await untilUp(`http://localhost:${port}/login`);
  await measure(`http://localhost:${port}`);
} finally {
  app?.kill("SIGTERM");
  if (app && app.exitCode === null) await once(app, "exit");
  await sql.end();
  await stack.stop();
  await server.stop();
}
process.exit();

// In a campaign of their own, beside the demo's lines. Triggers would number and note each of them.
async function fill() {
  const beganAt = performance.now();
  await sql.unsafe(`
    insert into public.campaigns (id, name, team_id) values ('million', 'Million', 'riverside');
    insert into public.campaign_team (team_id, campaign_id) values ('riverside', 'million');
    insert into public.campaign_team_sets (team_id, campaign_id, permission_set_id)
    select 'riverside', 'million', id from public.permission_sets where team_id is null;
    alter table public.lines disable trigger user;
    insert into public.lines
      (team_id, campaign_id, verdict, voter_id, first_name, last_name, city, county, zip, sheet, line, signed_on, entered_at, change_number)
    select 'riverside', 'million', 'accepted', 'V' || i, 'First ' || i % 500, 'Last ' || i % 3000, 'City ' || i % 200,
      case when i % 50 > 0 then 'County ' || i % 39 end, (98000 + i % 100)::text, i / 20 + 1, i % 20 + 1,
      date '2026-09-01' + i % 60, timestamptz '2026-09-01' + i * interval '5 s', i
    from generate_series(1, ${records}) i;
    alter table public.lines enable trigger user`);
  await sql.unsafe("vacuum analyze public.lines");
  console.log(`${server?.version}, ${records} signatures (filled in ${seconds(beganAt)} s)`);
}

// The stack finds the new campaign and reads its signers into Redis, which takes both cores of a small machine. Whoever
// asks for one campaign waits for a run that is there already.
async function untilSignersAreRead() {
  const beganAt = performance.now();
  const { NEXT_PUBLIC_SUPABASE_URL: supabaseUrl = "", SUPABASE_SECRET_KEY: apikey = "" } = stack.env;
  const read = () =>
    fetch(`${supabaseUrl}/functions/v1/sync-signers`, {
      method: "POST",
      headers: { apikey, "content-type": "application/json" },
      body: '{"campaignId":"million"}',
    });
  while (!(await read()).ok) if (performance.now() - beganAt > 300_000) throw new Error("The signers are not read.");
  console.log(`their signers are in Redis after ${seconds(beganAt)} s`);
}

async function measure(address: string) {
  const { NEXT_PUBLIC_SUPABASE_URL: supabaseUrl = "", SUPABASE_SECRET_KEY: secretKey = "" } = stack.env;
  const publishableKey = stack.env.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY ?? "";
  const cookie = cookieHeader(await sessionCookies({ supabaseUrl, publishableKey, email: "admin@demo.test" }));
  const admin = createClient<Database>(supabaseUrl, secretKey, { auth: { persistSession: false } });
  const duckdb = await openDuckDb();

  for (const { name, chart, sql: bare, keyOf } of cases) {
    const row = {
      team_id: "riverside",
      campaign_id: "million",
      name,
      kind: "bar",
      source: "signatures",
      filters: [],
      ...chart,
    };
    const stored = await admin.from("charts").insert(row).select("id").single();
    const { id } = z.object({ id: z.string() }).parse(stored.data);
    const generate = async () => {
      const response = await fetch(`${address}/api/charts/${id}`, { method: "POST", headers: { cookie } });
      const text = await response.text();
      if (!response.ok) throw new Error(`The route answered ${response.status}: ${text}`);
      return z.object({ recordCount: z.literal(records), groupCount: z.number() }).parse(JSON.parse(text)).groupCount;
    };
    // What Supabase takes for the call that computes and stores, without Signet.
    const callDatabase = async () => {
      const generated = await admin.rpc("generate_chart", { p_id: id, p_deadline: "2100-01-01" });
      return generatedSchema.parse(generated.data).data.groupCount;
    };
    const ways: [string, () => Promise<number>][] = [
      ["group by in SQL", async () => (await sql.unsafe(bare, ["riverside", "million"])).length],
      ["its call alone", callDatabase],
      ["the route", generate],
      ...duckdb(bare),
    ];
    const times = new Map<string, number[]>();
    const counts = new Set<number>();
    for (let round = -2; round < rounds; round++) {
      for (const [way, run] of ways) {
        const beganAt = performance.now();
        counts.add(await run());
        if (round >= 0) times.set(way, [...(times.get(way) ?? []), performance.now() - beganAt]);
      }
    }
    const beganAt = performance.now();
    counts.add(await pageByPage(keyOf));
    times.set("page by page, in Node", [performance.now() - beganAt]);
    if (counts.size !== 1) throw new Error(`${name}: the ways differ in their groups: ${[...counts]}`);
    const base = median(times.get("group by in SQL"));
    const route = median(times.get("the route"));
    console.log(`\n${name}: ${[...counts]} groups (medians of ${rounds} interleaved rounds; page by page once)`);
    for (const [way, taken] of times) {
      const expected =
        {
          "the route": "at most 1.3",
          "page by page, in Node": `${(median(taken) / route).toFixed(1)} times the route; expected: at least 10`,
        }[way] ?? "";
      console.log(
        `  ${way.padEnd(24)}${median(taken).toFixed(0).padStart(8)} ms${(median(taken) / base).toFixed(2).padStart(8)}   ${expected}`,
      );
    }
    if (name === cases.at(-1)?.name) await measureMemory(generate);
  }
}

// Of the application, while the largest chart is generated again and again. A reading shows what was collected last too,
// so halves are compared.
async function measureMemory(generate: () => Promise<number>) {
  for (let generation = 0; generation < memoryWarmUp; generation++) await generate();
  const readings: number[] = [];
  for (let generation = 0; generation < memoryGenerations; generation++) {
    await generate();
    readings.push(memory());
  }
  const half = memoryGenerations / 2;
  const [first, second] = [readings.slice(0, half), readings.slice(half)].map(median);
  console.log(
    `\nmemory of the application over ${memoryGenerations} further generations: ${first} MB (median of the first half), ` +
      `${second} MB (of the second), ${Math.max(...readings)} MB at most   expected: flat`,
  );
}

// As a reader without aggregate_chart would: pages of 1 000 by their key, from the table behind the view, as no view of
// `reporting` is shown.
async function pageByPage(keyOf: (row: Row) => string) {
  const { NEXT_PUBLIC_SUPABASE_URL: supabaseUrl = "", SUPABASE_SECRET_KEY: secretKey = "" } = stack.env;
  const admin = createClient<Database>(supabaseUrl, secretKey, { auth: { persistSession: false } });
  const groups = new Map<string, { n: number; sum: number }>();
  for (let after = "00000000-0000-0000-0000-000000000000"; ; ) {
    const answer = await admin
      .from("lines")
      .select("*")
      .eq("verdict", "accepted")
      .eq("team_id", "riverside")
      .eq("campaign_id", "million")
      .is("removed_at", null)
      .gt("id", after)
      .order("id")
      .limit(pageSize);
    if (answer.error) throw answer.error;
    const rows = z
      .array(z.object({ id: z.string(), county: z.string().nullable(), zip: z.string(), line: z.number() }))
      .parse(answer.data);
    for (const row of rows) {
      const group = groups.get(keyOf(row)) ?? { n: 0, sum: 0 };
      groups.set(keyOf(row), { n: group.n + 1, sum: group.sum + row.line });
      after = row.id;
    }
    if (rows.length < pageSize) return groups.size;
  }
}

// Not a dependency of Signet: `npm install --no-save @duckdb/node-api` brings it for a measurement.
async function openDuckDb(): Promise<(query: string) => [string, () => Promise<number>][]> {
  const name = "@duckdb/node-api";
  const found: unknown = await import(name).catch(() => undefined);
  const parsed = duckDbSchema.safeParse(found);
  if (!parsed.success) {
    console.log("DuckDB is not measured: @duckdb/node-api is not installed.");
    return () => [];
  }
  const instance = await parsed.data.DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  await connection.run(`
    create schema reporting;
    create table reporting.signatures as
    select 'riverside' as team_id, 'million' as campaign_id,
      case when i % 50 > 0 then 'County ' || i % 39 end as county, (98000 + i % 100)::text as zip, (i % 20 + 1)::int as line
    from generate_series(1, ${records}) t (i)`);
  return (query) => {
    const text = query.replace("$1", "'riverside'").replace("$2", "'million'");
    return [["DuckDB", async () => (await (await connection.run(text)).getRows()).length]];
  };
}

// Of the application and what it started, in MB.
function memory() {
  const children = (pid: number): number[] =>
    readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number),
    );
  const all = (pid: number): number[] => [pid, ...children(pid).flatMap(all)];
  const kilobytes = all(app?.pid ?? 0).map((pid) =>
    Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]),
  );
  return Math.round(kilobytes.reduce((sum, size) => sum + size, 0) / 1024);
}

function median(times: number[] = []) {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? Number.NaN;
}

function seconds(since: number) {
  return ((performance.now() - since) / 1000).toFixed(0);
}

async function untilUp(url: string) {
  for (let attempt = 0; attempt < 200; attempt++) {
    if ((await fetch(url).catch(() => undefined))?.ok) return;
    await new Promise((next) => setTimeout(next, 100));
  }
  throw new Error(`${url} does not answer.`);
}
