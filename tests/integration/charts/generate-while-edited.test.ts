import { beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { chartResultSchema } from "../../../lib/charts/definition/result.ts";
import { duplicateChart, orderCharts, restoreChart, saveChart } from "../../../lib/charts/store/change.ts";
import { generateChart } from "../../../lib/charts/store/generate.ts";
import { AppError } from "../../../lib/errors.ts";
import {
  addChart,
  addSignatures,
  changeWhileComputing,
  countsByCounty,
  setUpChartWorld,
} from "../../support/chart-world.ts";

// Two people generate one chart again and again while a third changes its definition.

vi.mock("../../../lib/permissions/route-permissions.ts", () => ({
  routePermissions: async () => ({ teamAccess: true, campaignAccess: true, permissionKeys: ["charts.edit"] }),
}));

const { database, person } = await setUpChartWorld({ RATE_LIMIT_CHARTS: "100000" });
beforeAll(() => addSignatures(database, { counties: ["King", "Pierce", null] }));

const generate = (id: string) => generateChart({ actorId: person("ann").id, id });

const definitionSchema = z.object({ groupBy: z.string(), metrics: z.array(z.object({ key: z.string() })) });
const rowSchema = z.object({
  version: z.int(),
  data_version: z.int(),
  group_by: z.string(),
  metrics: definitionSchema.shape.metrics,
  data: definitionSchema.extend({ generatedAt: z.string() }),
});

test("stored data always matches the definition stored with it, and in the end the newest one", async () => {
  const id = await addChart(database);
  // Records each write of data with its definition.
  await database.sql("create table private.written (at bigint generated always as identity, chart public.charts)");
  await database.sql(
    `create function private.note_written() returns trigger language plpgsql security definer set search_path = '' as $$
     begin
       if new.data is distinct from old.data then insert into private.written (chart) values (new); end if;
       return null;
     end $$`,
  );
  await database.sql(
    "create trigger note_written after update on public.charts for each row execute function private.note_written()",
  );

  let edits = 0;
  let conflicts = 0;
  let stored = 0;
  const editing = () => edits < 40 || conflicts === 0; // until an edit has interrupted a generation
  const keepGenerating = async () => {
    while (editing() || stored === 0) {
      try {
        const result = chartResultSchema.parse(JSON.parse(await generate(id)));
        stored += 1;
        expect(result.metrics.map(({ key }) => key)).toEqual([`m${result.groupBy === "" ? "" : "County"}`]);
      } catch (error) {
        if (!(error instanceof AppError) || error.code !== "conflict") throw error;
        conflicts += 1;
      }
    }
  };
  const put = (groupBy: string) =>
    database.sql("update public.charts set group_by = $2, metrics = $3::text::jsonb where id = $1", [
      id,
      groupBy,
      JSON.stringify([{ key: groupBy === "" ? "m" : "mCounty", aggregation: "count" }]),
    ]);
  const edit = async () => {
    for (; editing(); edits++) {
      await put(edits % 2 === 0 ? "county" : "");
      await new Promise((next) => setTimeout(next, edits % 7));
    }
  };
  await put("");
  await Promise.all([keepGenerating(), keepGenerating(), edit()]);
  await generate(id);

  const written = await database.sql<{ chart: unknown }>(
    "select to_jsonb(chart) as chart from private.written order by at",
  );
  const rows = written.map(({ chart }) => rowSchema.parse(chart));
  expect(rows.length).toBeGreaterThan(1);
  for (const row of rows) {
    expect(row.data_version).toBe(row.version);
    expect(row.data).toMatchObject({ groupBy: row.group_by, metrics: row.metrics });
  }
  const times = rows.map(({ version, data }) => `${String(version).padStart(6, "0")} ${data.generatedAt}`);
  expect(times).toEqual(times.toSorted());
  const [last] = await database.sql("select data_version = version as newest from public.charts where id = $1", [id]);
  expect(last).toEqual({ newest: true });
  expect(stored).toBeGreaterThan(0);
  expect(conflicts).toBeGreaterThan(0);
});

const stored = async (id: string) =>
  (await database.sql("select data, data_version, version from public.charts where id = $1", [id]))[0];

test("an earlier result doesn't replace a later one, and the later one is returned", async () => {
  const id = await addChart(database);
  const early = chartResultSchema.parse(JSON.parse(await generate(id)));
  const late = { ...early, recordCount: 99, generatedAt: new Date(Date.now() + 60_000).toISOString() };
  const store = async (version: number) => {
    const columns = "data = $2::text::jsonb, generated_at = $3::timestamptz, data_version = $4";
    const args = [id, JSON.stringify(late), late.generatedAt, version];
    await database.sql(`update public.charts set ${columns} where id = $1`, args);
  };
  await store(1);
  expect(JSON.parse(await generate(id))).toEqual(late);
  expect(await stored(id)).toEqual({ data: late, data_version: 1, version: 1 });

  await store(0); // of an older definition
  const now = JSON.parse(await generate(id));
  expect(now).toMatchObject({ recordCount: 3 });
  expect(await stored(id)).toEqual({ data: now, data_version: 1, version: 1 });
});

test.each([
  ["changed", "group_by = 'city'", { version: 2 }],
  ["deleted", "deleted_at = now()", { version: 1 }],
])("a chart that is %s while it is computed stores nothing", async (_, change, { version }) => {
  const id = await addChart(database);
  const generated = changeWhileComputing(database, { id, change, generate: () => generate(id) });
  await expect(generated).rejects.toMatchObject({ code: "conflict" });
  expect(await stored(id)).toEqual({ data: null, data_version: null, version });
});

test("a deleted chart isn't found", async () => {
  const id = await addChart(database);
  await database.sql("update public.charts set deleted_at = now() where id = $1", [id]);
  await expect(generate(id)).rejects.toMatchObject({ code: "not-found" });
});

test("the functions of charts have a statement timeout of 15 seconds", async () => {
  const names = ["aggregate_chart", "chart_empty_columns", "chart_records", "chart_values", "generate_chart"];
  const limited = await database.sql<{ name: string }>(
    "select proname as name from pg_proc where proname = any($1) and 'statement_timeout=15s' = any(proconfig) order by 1",
    [names],
  );
  expect(limited.map(({ name }) => name)).toEqual(names);
});

test("charts that are added, copied and restored at once never exceed the limit of the dashboard", async () => {
  await database.sql("delete from public.charts");
  await database.sql(
    `insert into public.charts (team_id, campaign_id, name, kind, source, position)
     select 'north', 'lakes', 'Chart ' || i, 'bar', 'signatures', i from generate_series(1, 98) i`,
  );
  const rows = await database.sql<{ id: string }>("select id from public.charts order by position");
  const deleted = await addChart(database);
  await database.sql("update public.charts set deleted_at = now() where id = $1", [deleted]);
  const place = { team: "north", campaign: "lakes" };
  const actorId = person("ann").id;
  const outcomes = await Promise.allSettled([
    ...rows.slice(0, 4).map(({ id }) => duplicateChart({ actorId, id })),
    restoreChart({ actorId, place, id: deleted }),
    saveChart({ actorId, place, definition: countsByCounty }),
    orderCharts({ actorId, place, ids: rows.map(({ id }) => id).toReversed() }),
  ]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(3); // two charts, and the order
  for (const outcome of outcomes) if (outcome.status === "rejected") expect(outcome.reason.code).toBe("conflict");
  const [{ shown, places } = {}] = await database.sql(
    "select count(*)::int as shown, count(distinct position)::int as places from public.charts where deleted_at is null",
  );
  expect({ shown, places }).toEqual({ shown: 100, places: 100 });
});
