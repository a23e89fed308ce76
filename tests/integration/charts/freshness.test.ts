import { beforeEach, expect, test, vi } from "vitest";
import type { MaxAge } from "../../../lib/charts/definition/dashboard.ts";
import { setMaxAge } from "../../../lib/charts/store/change.ts";
import { readDashboard } from "../../../lib/charts/store/dashboard.ts";
import { generateChart, refreshCharts } from "../../../lib/charts/store/generate.ts";
import { listFailedCharts } from "../../../lib/charts/store/read.ts";
import type { Place } from "../../../lib/ids.ts";
import { addChart, addSignatures, setUpChartWorld } from "../../support/chart-world.ts";

// How old the charts of a dashboard get, how many lines are newer, and who has them refreshed.

const { database, person } = await setUpChartWorld();
beforeEach(async () => {
  await database.sql("delete from public.charts");
  await database.sql("delete from public.dashboards");
  await database.sql("delete from public.lines");
  await addSignatures(database, { counties: ["King", "King", "Pierce"] });
});

const lakes: Place = { team: "north", campaign: "lakes" };

/** Reads the dashboard as its page does. */
async function open(name: string, place = lakes) {
  const dashboard = await readDashboard({ place, dashboardId: null, filter: {}, userId: person(name).id });
  const charts = dashboard?.charts ?? [];
  return charts;
}
/** Refreshes the stale charts, as the page does after its answer. */
const refreshFor = async (name: string, place = lakes) => {
  const ids = (await open(name, place)).filter(({ isStale }) => isStale).map(({ id }) => id);
  await refreshCharts({ actorId: person(name).id, ids });
};
const generate = (id: string) => generateChart({ actorId: person("ann").id, id });

const grow = (minutes: number) =>
  database.sql(
    "update public.charts set (generated_at, tried_at) = (generated_at - $1::interval, tried_at - $1::interval)",
    [`${minutes} minutes`],
  );
const computed = async () => {
  const count = "(data ->> 'recordCount')::int as count";
  const rows = await database.sql<{ count: number | null }>(`select ${count} from public.charts order by position, id`);
  return rows.map(({ count }) => count);
};

test("ten people who open it at once refresh a stale chart once", async () => {
  const id = await addChart(database);
  await generate(id);
  await grow(16);
  await addSignatures(database, { counties: ["King"] });
  // Records each generation.
  await database.sql(`
    create table private.runs (at timestamptz);
    create function private.note_run() returns trigger language plpgsql security definer as $$
      begin insert into private.runs values (now()); return null; end $$;
    create trigger note_run after update of data on public.charts
    for each row execute function private.note_run()`);
  await Promise.all(Array.from({ length: 10 }, () => refreshCharts({ actorId: person("ben").id, ids: [id] })));
  expect(await database.sql("select from private.runs")).toHaveLength(1);
  await database.sql("drop trigger note_run on public.charts");
  expect(await computed()).toEqual([4]);
});

test("opening it refreshes a stale chart also for people who can only view it; then no line is newer", async () => {
  await generate(await addChart(database));
  await addSignatures(database, { counties: ["King", "Clark"] });
  expect(await open("ben")).toMatchObject([{ isStale: false, newer: 2, data: { recordCount: 3 } }]);
  await refreshFor("ben"); // not stale yet
  expect(await computed()).toEqual([3]);
  await grow(16);
  expect(await open("ben")).toMatchObject([{ isStale: true, newer: 2 }]);
  await refreshFor("ben");
  expect(await open("ben")).toMatchObject([{ isStale: false, newer: 0, data: { recordCount: 5 } }]);
});

test("newer counts the lines entered, moved, removed or restored since, each once, without blank lines and other places", async () => {
  await generate(await addChart(database));
  const [first, second] = await database.sql<{ id: string }>("select id from public.lines order by line");
  await database.sql("update public.lines set removed_at = now() where id = $1", [first?.id]);
  await database.sql("update public.lines set removed_at = null where id = $1", [first?.id]);
  await database.sql("update public.lines set line = 77 where id = $1", [second?.id]);
  await addSignatures(database, { counties: ["King"] });
  await database.sql("update public.lines set line = line + 100 where sheet = 2"); // the new one
  await addSignatures(database, { team: "south", counties: ["King", "King"] });
  await addSignatures(database, { campaign: "rivers", counties: ["King"] });
  await database.sql(
    "insert into public.lines (team_id, campaign_id, verdict, sheet, line) values ('north', 'lakes', 'blank', 9, 1)",
  );
  await database.sql("update public.lines set line = 2 where verdict = 'blank'");
  await database.sql("update public.lines set removed_at = now() where verdict = 'blank'");
  expect(await open("ben")).toMatchObject([{ newer: 3 }]);
});

test("counting many newer lines reads no more of them than it reports", async () => {
  const id = await addChart(database);
  await generate(id);
  await addSignatures(database, { counties: Array(5000).fill("King") });
  await database.sql("analyze public.lines");
  await database.sql(`
    create table private.reads (newer int, lines int);
    do $$
    declare
      before bigint := (select seq_tup_read + idx_tup_fetch from pg_stat_xact_user_tables where relname = 'lines');
      fresh jsonb := public.chart_freshness('["${id}"]');
    begin
      insert into private.reads
      select (fresh -> '${id}' ->> 'newer')::int, seq_tup_read + idx_tup_fetch - before
      from pg_stat_xact_user_tables where relname = 'lines';
    end $$`);
  const [read] = await database.sql<{ newer: number; lines: number }>("select * from private.reads");
  expect(read?.newer).toBe(1001);
  expect(read?.lines).toBeLessThan(1100);
});

test("a chart of the whole team counts the newer lines in all its campaigns", async () => {
  await generate(await addChart(database, { campaign_id: null }));
  await addSignatures(database, { campaign: "rivers", counties: ["King"] });
  await addSignatures(database, { team: "south", counties: ["King"] });
  await addSignatures(database, { counties: ["King"] });
  expect(await open("ann", { team: "north" })).toMatchObject([{ campaign: null, newer: 2 }]);
});

test.each<[MaxAge, number, boolean]>([
  [5, 4, false],
  [5, 6, true],
  [1440, 1439, false],
  [1440, 1441, true],
  [null, 100_000, false],
])("with a maximum age of %s minutes, a chart %i minutes old is stale: %s", async (maxAge, minutes, stale) => {
  await generate(await addChart(database));
  await setMaxAge({ actorId: person("ann").id, place: lakes, maxAge });
  await setMaxAge({ actorId: person("ann").id, place: { team: "north" }, maxAge: 5 }); // the age of another dashboard
  await grow(minutes);
  expect(await open("ben")).toMatchObject([{ isStale: stale }]);
});

test("a chart never generated is stale; one that can't be is tried again after five minutes, without holding up others", async () => {
  await addChart(database, { group_by: "nonsense" });
  await addChart(database);
  await refreshFor("ben");
  expect((await computed()).filter((count) => count !== null)).toEqual([3]);
  const tried = () => database.sql<{ at: string }>("select tried_at::text as at from public.charts where data is null");
  const before = await tried();
  await refreshFor("ben");
  expect(await tried()).toEqual(before);
  await database.sql("update public.charts set tried_at = tried_at - interval '6 minutes'");
  await refreshFor("ben");
  expect(await tried()).not.toEqual(before);
});

test("a chart that couldn't be generated counts as failed after 20 s, until it is generated", async () => {
  const id = await addChart(database, { group_by: "nonsense" });
  await refreshFor("ben");
  expect(await open("ben")).toMatchObject([{ isStale: true, failed: false }]); // someone may still be generating it
  const failedHere = () => listFailedCharts({ team: "north", campaign: "lakes" });
  expect(await failedHere()).toEqual([]);
  await database.sql("update public.charts set tried_at = tried_at - interval '21 seconds'");
  const [failed] = await open("ben");
  expect(failed).toMatchObject({ isStale: true, failed: true });
  expect(await failedHere()).toEqual([failed?.name]);
  const minutes = (Date.parse(failed?.staleAt ?? "") - Date.now()) / 60_000;
  expect(minutes).toBeGreaterThan(4);
  expect(minutes).toBeLessThan(5);
  await database.sql("update public.charts set group_by = 'county'");
  await generate(id);
  expect(await open("ben")).toMatchObject([{ isStale: false, failed: false }]);
  expect(await failedHere()).toEqual([]);
});

test("a chart of the whole team uses the team's maximum age, also on the dashboard of a campaign", async () => {
  await generate(await addChart(database));
  await generate(await addChart(database, { campaign_id: null }));
  await setMaxAge({ actorId: person("ann").id, place: { team: "north" }, maxAge: 60 });
  await grow(10);
  const minutes = (await open("ann")).map(({ campaign, staleAt }) => [
    campaign,
    Math.round((Date.parse(staleAt ?? "") - Date.now()) / 60_000),
  ]);
  expect(minutes).toEqual([
    ["lakes", 5],
    [null, 50],
  ]);
});

test("charts are refreshed one after another; an error of one doesn't stop the others", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  for (let charts = 0; charts < 3; charts += 1) await addChart(database);
  const real = globalThis.fetch;
  const takenBefore: number[] = [];
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    if (!String(input).endsWith("/rpc/generate_chart")) return real(input, init);
    takenBefore.push((await database.sql("select from public.charts where tried_at is not null")).length);
    return takenBefore.length === 1 ? new Response("{}", { status: 200 }) : real(input, init); // an answer that doesn't match the schema
  });
  await refreshFor("ben");
  expect(takenBefore).toEqual([1, 2, 3]);
  expect(await computed()).toEqual(expect.arrayContaining([null, 3, 3]));
  expect(console.error).toHaveBeenCalledOnce();
});

test("no one sees or refreshes charts of another team or campaign, or of the team without its key", async () => {
  const foreign = [{ team_id: "south" }, { campaign_id: "rivers" }, { campaign_id: null }];
  for (const row of foreign) await addChart(database, row);
  await refreshFor("ben");
  await refreshFor("dan", { team: "south", campaign: "rivers" });
  await refreshFor("dan");
  expect(await computed()).toEqual([null, null, null]);
});

test.each(["ben", "cleo", "dan", "eve"])("%s can't set a maximum age", async (name) => {
  const change = { actorId: person(name).id, place: lakes, maxAge: 5 } as const;
  await expect(setMaxAge(change)).rejects.toMatchObject({ code: "forbidden" });
  await expect(setMaxAge({ ...change, place: { team: "north" } })).rejects.toMatchObject({ code: "forbidden" });
  expect(await database.sql("select * from public.dashboards")).toEqual([]);
});
