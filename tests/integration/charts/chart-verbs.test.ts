import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { suggestedCharts } from "../../../lib/charts/builder/suggest.ts";
import type { ChartDefinition } from "../../../lib/charts/definition/definition.ts";
import type { CellQuery } from "../../../lib/charts/definition/result.ts";
import {
  deleteChart,
  deleteDashboard,
  duplicateChart,
  moveChart,
  orderCharts,
  resizeChart,
  restoreChart,
  saveChart,
  saveDashboard,
  saveText,
} from "../../../lib/charts/store/change.ts";
import { readDashboardVersion } from "../../../lib/charts/store/dashboard.ts";
import { aggregateChart } from "../../../lib/charts/store/generate.ts";
import { findChart, listCharts } from "../../../lib/charts/store/read.ts";
import {
  listChartRecords,
  listChartSources,
  listChartValues,
  listEmptyColumns,
  recordsCsv,
} from "../../../lib/charts/store/records.ts";
import type { Place } from "../../../lib/ids.ts";
import { addChart, addSignatures, countsByCounty, setUpChartWorld } from "../../support/chart-world.ts";

const place = { team: "north", campaign: "lakes" };
const rivers = { team: "north", campaign: "rivers" };
const south = { team: "south", campaign: "lakes" };

const { database, person } = await setUpChartWorld();
beforeAll(async () => {
  await addSignatures(database, { counties: ["King", "King", "king's", "Pierce", null] });
  await addSignatures(database, { team: "south", counties: ["Clark"] });
});
beforeEach(async () => {
  await database.sql("delete from public.charts");
  await database.sql("delete from public.dashboards");
});

const actor = (name: string) => ({ actorId: person(name).id });
const save = (change: Partial<Parameters<typeof saveChart>[0]> = {}) =>
  saveChart({ ...actor("ann"), place, definition: countsByCounty, ...change });
const saveAs = (change: Partial<ChartDefinition>) => save({ definition: { ...countsByCounty, ...change } });
const saveNamed = async (...names: string[]) => {
  const ids: string[] = [];
  for (const name of names) ids.push((await saveAs({ name })).id);
  return ids;
};
const remove = (id: string) => deleteChart({ ...actor("ann"), id });
const restore = (id: string) => restoreChart({ ...actor("ann"), place, id });
const duplicate = (id: string) => duplicateChart({ ...actor("ann"), id });
const order = (...ids: string[]) => orderCharts({ ...actor("ann"), place, ids });
const refused = (change: Promise<unknown>, code: string) => expect(change).rejects.toMatchObject({ code });
const charts = () =>
  database.sql<Record<string, unknown>>(
    "select name, group_by, version, position, width, created_by, deleted_at from public.charts order by position, name",
  );
const list = async (name: string) => (await listCharts({ ...actor(name), place })).map((chart) => chart.name);
const storedOf = async (id: string, columns: string) =>
  (await database.sql<Record<string, unknown>>(`select ${columns} from public.charts where id = $1`, [id]))[0];

describe("saving", () => {
  test("a new chart goes to the end of its dashboard, with its creator", async () => {
    expect(await save()).toEqual({ id: expect.any(String), version: 1 });
    await saveNamed("Second");
    await save({ place: { team: "north" }, definition: { ...countsByCounty, name: "Of the team" } });
    await saveAs({ name: "Wide", kind: "heat-map" });
    await saveAs({ name: "Pivot", kind: "pivot" });
    const metrics = (count: number): ChartDefinition["metrics"] =>
      Array.from({ length: count }, (_, index) => ({
        key: `n${index}`,
        label: `Count ${index}`,
        aggregation: "count",
      }));
    for (const count of [2, 4, 8]) await saveAs({ name: `Table ${count}`, kind: "table", metrics: metrics(count) });
    expect(await charts()).toMatchObject([
      { name: "By county", position: 1, created_by: person("ann").id, version: 1 },
      { name: "Of the team", position: 1 },
      { name: "Second", position: 2, width: 1 },
      { name: "Wide", position: 3, width: 2 },
      { name: "Pivot", position: 4, width: 2 },
      { name: "Table 2", width: 1 },
      { name: "Table 4", width: 2 },
      { name: "Table 8", width: 3 },
    ]);
  });

  test("a changed definition is a new version; a changed name or kind isn't", async () => {
    const { id } = await save();
    const change = (definition: Partial<ChartDefinition>) =>
      save({ existing: { id, version: 1 }, definition: { ...countsByCounty, ...definition } });
    expect(await change({ name: "N", kind: "pie" })).toEqual({ id, version: 1 });
    expect(await change({ groupBy: "city" })).toEqual({ id, version: 2 });
    expect(await charts()).toMatchObject([{ name: "By county", group_by: "city", version: 2 }]);
  });

  test("the display settings of a chart are stored separately, make no new version, and are copied with it", async () => {
    const display: ChartDefinition["display"] = {
      derived: [{ key: "d", kind: "share", of: "n" }],
      hidden: ["n"],
      goal: { value: 0.5 },
    };
    const { id } = await save();
    const existing = { id, version: 1 };
    await database.sql("update public.charts set data = '{}', data_version = 1 where id = $1", [id]);
    expect(await save({ existing, definition: { ...countsByCounty, display } })).toEqual(existing);
    for (const shown of [id, await duplicate(id)])
      expect(await storedOf(shown, "display, data_version")).toEqual({ display, data_version: 1 });
    await save({ existing });
    expect(await storedOf(id, "display, data_version")).toEqual({ display: null, data_version: 1 });
    const tooLong = "update public.charts set display = to_jsonb(repeat('x', 20)) where id = $1";
    await expect(database.sql(tooLong, [id])).rejects.toThrow(/display/);
  });

  test("an older version is refused, and so are charts of another place, deleted and missing ones", async () => {
    const { id } = await save();
    await save({ existing: { id, version: 1 }, definition: { ...countsByCounty, groupBy: "city" } });
    const before = await charts();
    await refused(save({ existing: { id, version: 1 } }), "conflict");
    await refused(save({ existing: { id, version: 2 }, place: rivers }), "not-found");
    await refused(save({ existing: { id: crypto.randomUUID(), version: 1 } }), "not-found");
    expect(await charts()).toEqual(before);
    await remove(id);
    await refused(save({ existing: { id, version: 2 } }), "not-found");
  });

  test("a chart that someone renamed since it was read is refused, and is saved with the time of the renaming", async () => {
    const { id } = await save();
    const updatedAt = async () => (await listCharts({ ...actor("ann"), place, id }))[0]?.updatedAt ?? "";
    const read = await updatedAt();
    await save({ existing: { id, version: 1, updatedAt: read }, definition: { ...countsByCounty, name: "Theirs" } });
    const before = await charts();
    await refused(save({ existing: { id, version: 1, updatedAt: read } }), "conflict");
    expect(await charts()).toEqual(before);
    await save({ existing: { id, version: 1, updatedAt: await updatedAt() } });
    expect(await charts()).toMatchObject([{ name: "By county" }]);
  });

  test("a definition that cannot run is refused, naming its part, and nothing is stored", async () => {
    await expect(saveAs({ groupBy: "party" })).rejects.toMatchObject({ code: "unprocessable", field: "groupBy" });
    expect(await charts()).toEqual([]);
  });
});

describe("each change checks charts.edit in its transaction", () => {
  test.each(["ben", "cleo", "dan", "eve"])("%s changes nothing", async (name) => {
    const { id } = await save();
    const dashboardId = await saveDashboard({ ...actor("ann"), place, dashboardId: null, name: "Field" });
    const before = await charts();
    const code = name === "ben" || name === "cleo" ? "forbidden" : "not-found";
    await refused(save(actor(name)), "forbidden");
    await refused(save({ ...actor(name), existing: { id, version: 1 } }), "forbidden");
    await refused(duplicateChart({ ...actor(name), id }), code);
    await refused(deleteChart({ ...actor(name), id }), code);
    await refused(orderCharts({ ...actor(name), place, ids: [id] }), "forbidden");
    await refused(resizeChart({ ...actor(name), id, width: 2 }), code);
    await refused(moveChart({ ...actor(name), id, dashboardId }), code);
    await refused(saveText({ ...actor(name), place, dashboardId: null, name: "T", text: "t" }), "forbidden");
    await refused(saveDashboard({ ...actor(name), place, dashboardId: null, name: "New" }), "forbidden");
    await refused(deleteDashboard({ ...actor(name), place, dashboardId }), "forbidden");
    await database.sql("update public.charts set deleted_at = now()");
    await refused(restoreChart({ ...actor(name), place, id }), code);
    await database.sql("update public.charts set deleted_at = null");
    expect(await charts()).toEqual(before);
    expect(await database.sql("select name from public.dashboards")).toEqual([{ name: "Field" }]);
  });
});

describe("several dashboards", () => {
  const create = (name: string, target: Place = place) =>
    saveDashboard({ ...actor("ann"), place: target, dashboardId: null, name });
  const on = async (dashboardId: string | null) =>
    (await listCharts({ ...actor("ann"), place, dashboardId })).map(({ name }) => name);

  test("each has its own charts and texts; the first one keeps the rest, and the team's charts", async () => {
    await save();
    await save({ place: { team: "north" }, definition: { ...countsByCounty, name: "Of the team" } });
    const dashboardId = await create("Field");
    const { id } = await save({ dashboardId, definition: { ...countsByCounty, name: "Here" } });
    await duplicate(id);
    await saveText({ ...actor("ann"), place, dashboardId, name: "Goal", text: "3,400" });
    expect(await on(null)).toEqual(["By county", "Of the team"]);
    expect(await on(dashboardId)).toEqual(["Here", "Copy of Here", "Goal"]);
    expect(await findChart({ ...actor("ann"), place, id })).toMatchObject({ dashboard: dashboardId });
    await deleteDashboard({ ...actor("ann"), place, dashboardId });
    await refused(restore(id), "not-found");
    expect(await on(null)).toEqual(["By county", "Of the team"]);
  });

  test("a card moves behind those of another dashboard of its place, with its numbers, and back", async () => {
    const dashboardId = await create("Field");
    const { id } = await save();
    await database.sql("update public.charts set data_version = 1");
    await save({ dashboardId, definition: { ...countsByCounty, name: "Here" } });
    const move = (to: string | null) => moveChart({ ...actor("ann"), id, dashboardId: to });
    await move(dashboardId);
    expect([await on(null), await on(dashboardId)]).toEqual([[], ["Here", "By county"]]);
    expect(await storedOf(id, "version, data_version")).toEqual({ version: 1, data_version: 1 });
    await refused(move(await create("Field", rivers)), "not-found");
    await move(null);
    expect([await on(null), await on(dashboardId)]).toEqual([["By county"], ["Here"]]);
    await database.sql(
      `insert into public.charts (team_id, campaign_id, dashboard_id, name, kind, source)
       select 'north', 'lakes', $1, 'More', 'bar', 'signatures' from generate_series(2, 100)`,
      [dashboardId],
    );
    await refused(move(dashboardId), "conflict");
    await remove(id);
    await refused(move(dashboardId), "not-found");
  });

  test("of another place or team aren't found, and names are unique in a place", async () => {
    const others = [
      await create("Field", rivers),
      await saveDashboard({ ...actor("dan"), place: south, dashboardId: null, name: "Field" }),
    ];
    const dashboardId = await create("Field");
    for (const other of [...others, crypto.randomUUID()]) {
      await refused(save({ dashboardId: other }), "not-found");
      await refused(saveText({ ...actor("ann"), place, dashboardId: other, name: "T", text: "t" }), "not-found");
      await refused(saveDashboard({ ...actor("ann"), place, dashboardId: other, name: "Mine" }), "not-found");
      await refused(deleteDashboard({ ...actor("ann"), place, dashboardId: other }), "not-found");
    }
    for (const taken of ["FIELD", "main"]) await refused(create(taken), "conflict");
    const rename = (before: string) => saveDashboard({ ...actor("ann"), place, dashboardId, name: "Fields", before });
    await rename("Field");
    await expect(rename("Field")).rejects.toThrow("Someone else renamed this dashboard to “Fields.”");
    expect(await database.sql("select name from public.dashboards order by name")).toEqual(
      ["Field", "Field", "Fields"].map((name) => ({ name })),
    );
    for (let more = 2; more <= 20; more += 1) await create(`Board ${more}`);
    await refused(create("One too many"), "conflict");
  });

  test("a text changes only in the version that was edited, and only as a text", async () => {
    await saveText({ ...actor("ann"), place, dashboardId: null, name: "Goal", text: "3,400" });
    const [card] = await listCharts({ ...actor("ann"), place });
    const change = (version: number, more = {}) =>
      saveText({
        ...actor("ann"),
        place,
        dashboardId: null,
        existing: { id: card?.id ?? "", version },
        name: "G",
        text: "4,000",
        ...more,
      });
    await change(1);
    await refused(change(1), "conflict");
    await refused(change(2, { place: rivers }), "not-found");
    expect(await listCharts({ ...actor("ann"), place })).toMatchObject([{ name: "G", text: "4,000", version: 2 }]);
    const chart = await save();
    await refused(save({ existing: { id: card?.id ?? "", version: 2 } }), "not-found");
    await refused(change(1, { existing: chart }), "not-found");
  });

  test("the version differs after each change, and under a filter not for new numbers", async () => {
    const { id } = await save();
    const other = (await saveNamed("Other"))[0] ?? "";
    const dashboardId = await create("Field");
    const read = (isFiltered: boolean, timestamp: string | null = null) =>
      readDashboardVersion({ place, dashboardId: timestamp, isFiltered });
    let version = await read(false);
    const elsewhere = await read(false, dashboardId);
    for (const change of [
      () => save({ existing: { id, version: 1 }, definition: { ...countsByCounty, kind: "pie" } }),
      () => resizeChart({ ...actor("ann"), id, width: 2 }),
      () => order(other, id),
      () => saveText({ ...actor("ann"), place, dashboardId: null, name: "T", text: "t" }),
      () => remove(other),
      () => database.sql("update public.charts set generated_at = now()"),
    ]) {
      const next = await read(false);
      expect(next).toBe(version);
      await change();
      version = await read(false);
      expect(version).not.toBe(next);
    }
    expect(await read(false, dashboardId)).toBe(elsewhere);
    const filtered = await read(true);
    await database.sql("update public.charts set generated_at = now() + interval '1 s'");
    expect(await read(true)).toBe(filtered);
    await saveDashboard({ ...actor("ann"), place, dashboardId, name: "Renamed", before: "Field" });
    expect(await read(true)).not.toBe(filtered);
  });
});

describe("the dashboard", () => {
  test("a duplicate comes right after the original, with its data and a new version", async () => {
    const [id = ""] = await saveNamed("By county", "Last");
    const generated = "version = 3, data_version = 3, data = '{}', generated_at = now()";
    await database.sql(`update public.charts set ${generated} where id = $1`, [id]);
    const copy = await duplicate(id);
    expect((await charts()).map(({ name }) => name)).toEqual(["By county", "Copy of By county", "Last"]);
    expect(await storedOf(copy, "version, data_version, data")).toEqual({ version: 1, data_version: 1, data: {} });
    await database.sql("update public.charts set version = 4 where id = $1", [id]); // outdated data is not copied
    const nothing = { data_version: null, data: null, generated_at: null };
    expect(await storedOf(await duplicate(id), "data_version, data, generated_at")).toEqual(nothing);
  });

  test("delete removes a chart, and restore brings it back as it was", async () => {
    const { id } = await save();
    const before = await charts();
    await remove(id);
    await remove(id);
    expect(await list("ann")).toEqual([]);
    expect(await findChart({ ...actor("ann"), place, id })).toBeUndefined();
    await refused(duplicate(id), "not-found");
    await restore(id);
    expect(await charts()).toEqual(before);
  });

  test("order puts the named charts first and keeps the others in order; ids of other places change nothing", async () => {
    const [a = "", , c = ""] = await saveNamed("a", "b", "c");
    const others = [
      await addChart(database, { team_id: "south" }),
      await addChart(database, { campaign_id: "rivers" }),
    ];
    await order(c, ...others, a, "x");
    expect(await list("ann")).toEqual(["c", "a", "b"]);
    for (const other of others) expect(await storedOf(other, "position")).toEqual({ position: 0 });
    await order();
    expect(await list("ann")).toEqual(["c", "a", "b"]);
  });

  test("order keeps the position of deleted charts, so that undo restores it", async () => {
    const [a = "", b = "", c = ""] = await saveNamed("a", "b", "c");
    await remove(b);
    await order(c, a);
    await restore(b);
    expect(await list("ann")).toEqual(["c", "b", "a"]);
    await remove(a);
    await saveNamed("New");
    await restore(a);
    expect(await list("ann")).toEqual(["c", "b", "a", "New"]);
  });

  test("holds 100 charts and says when it is full; charts of other places and deleted ones don't count", async () => {
    const { id } = await save();
    await database.sql(
      `insert into public.charts (team_id, campaign_id, name, kind, source)
       select 'north', 'lakes', 'Chart ' || i, 'bar', 'signatures' from generate_series(1, 98) i`,
    );
    await addChart(database, { campaign_id: "rivers" });
    const last = await duplicate(id);
    const before = await charts();
    const message = "This dashboard is full: it can have 100 charts. Delete one first.";
    const isFull = (change: Promise<unknown>) => expect(change).rejects.toMatchObject({ code: "conflict", message });
    await isFull(save());
    await isFull(duplicate(id));
    expect(await charts()).toEqual(before);
    await save({ existing: { id, version: 1 } });
    await save({ place: rivers });
    await remove(last);
    await save();
    await isFull(restore(last));
    await remove(id);
    await restore(last);
    await restore(last); // it is restored already
  });

  test("lists what each person can see: the campaign's charts, then the team's", async () => {
    await save({ place: { team: "north" }, definition: { ...countsByCounty, name: "Of the team" } });
    await save();
    await addChart(database, { team_id: "south" });
    await addChart(database, { campaign_id: "rivers" });
    expect(await list("ann")).toEqual(["By county", "Of the team"]);
    expect(await list("ben")).toEqual(["By county"]);
    for (const name of ["cleo", "dan", "eve"]) expect(await list(name), name).toEqual([]);
  });

  test("an invalid definition written in SQL shows its problem, not an empty chart", async () => {
    const broken = await addChart(database, { filters: [{ column: "county", operator: "like", value: "K%" }] });
    const none = await addChart(database);
    await database.sql("update public.charts set filters = 'null' where id = $1", [none]); // the same as none
    const text = await addChart(database, { metrics: "all of them" });
    const read = new Map((await listCharts({ ...actor("ann"), place })).map((chart) => [chart.id, chart]));
    expect(read.get(broken)).toMatchObject({ metrics: [], filters: [] });
    expect(read.get(broken)?.problem).toMatch(/^filters\.0\.operator: must be /);
    expect(read.get(text)?.problem).toMatch(/^metrics: must be a list$/);
    expect(read.get(none)).toMatchObject({ metrics: countsByCounty.metrics, filters: [], problem: null });
    expect(await findChart({ ...actor("ann"), place, id: broken })).toEqual(read.get(broken));
  });

  test("data of an older definition isn't shown", async () => {
    const id = await addChart(database);
    const data = await aggregateChart({ ...actor("ann"), place, query: countsByCounty });
    const args = [id, JSON.stringify(data)];
    await database.sql("update public.charts set data = $2::text::jsonb, data_version = 1 where id = $1", args);
    const find = (change = {}) => findChart({ ...actor("ann"), place, id, ...change });
    expect(await find()).toMatchObject({ data, outdated: false });
    await save({ existing: { id, version: 1 }, definition: { ...countsByCounty, groupBy: "city" } });
    expect(await find()).toMatchObject({ data: null, outdated: true });
    expect(await find({ place: rivers })).toBeUndefined();
    expect(await find({ id: "no-uuid" })).toBeUndefined();
  });
});

describe("the records behind a number", () => {
  const cell: CellQuery = {
    source: "signatures",
    groupBy: "county",
    filters: [],
    group: { county: "King" },
    metric: { key: "n", aggregation: "count" },
  };
  const whole = { ...cell, groupBy: "", group: {} };
  const records = (change: Partial<Parameters<typeof listChartRecords>[0]> = {}) =>
    listChartRecords({ ...actor("ben"), place, cell, offset: 0, limit: 50, ...change });

  test("match the group, segment and filters, in the columns of the source", async () => {
    const segment = [{ column: "line", operator: "gt" as const, value: 1 }];
    const metric = { key: "m", aggregation: "max" as const, column: "line", segment };
    const { columns, records: lines, total } = await records({ cell: { ...cell, metric } });
    const index = (name: string) => columns.findIndex((column) => column.name === name);
    expect(total).toBe(1);
    expect(lines.map((line) => [line[index("county")], line[index("line")]])).toEqual([["King", 2]]);
    expect(columns[index("signed_on")]).toEqual({ name: "signed_on", label: "Date signed", type: "date" });
  });

  test("use the relative days of when the number was computed, without parts of days as columns", async () => {
    const [line] = await database.sql<{ id: string }>(
      `update public.lines set entered_at = '2026-05-06T23:30:00Z', signed_on = '2026-05-06'
       where id = (select id from public.lines where county = 'King' and removed_at is null limit 1) returning id`,
    );
    const filters = ["entered_at", "signed_on"].map((column) => ({
      column,
      operator: "eq" as const,
      value: "yesterday",
    }));
    const week = { groupBy: "entered_at_week", group: { entered_at_week: "2026-05-04" } };
    const on = (timestamp: string) => records({ cell: { ...cell, ...week, filters, at: timestamp } });
    const { records: rows, columns } = await on("2026-05-07T12:00:00.000Z");
    expect(rows.map(([id]) => id)).toEqual([line?.id]);
    expect(columns.map(({ name }) => name)).toContain("entered_at");
    expect(columns.filter(({ name }) => /_(day|week|month|weekday|hour)$/.test(name))).toEqual([]);
    expect((await on("2026-05-08T00:00:00.000Z")).total).toBe(0);
    await database.sql("update public.lines set entered_at = now(), signed_on = null where id = $1", [line?.id]);
  });

  test("come in pages, each once", async () => {
    const pages = await Promise.all([0, 2, 4, 6].map((offset) => records({ cell: whole, offset, limit: 2 })));
    expect(pages.map(({ total, records: page }) => `${page.length} of ${total}`)).toEqual([
      "2 of 5",
      "2 of 5",
      "1 of 5",
      "0 of 5",
    ]);
    expect(new Set(pages.flatMap((page) => page.records.map(([id]) => id))).size).toBe(5);
  });

  test("can be sorted by a column, both ways, but not by a part of one", async () => {
    const counties = async (descending: boolean, column = "county") => {
      const sort = { column, descending };
      const { columns, records: listed, next } = await records({ cell: whole, sort, limit: 4 });
      expect(next).toBeNull();
      return listed.map((record) => record[columns.findIndex(({ name }) => name === column)]);
    };
    expect((await counties(false)).map((county) => String(county).toLowerCase())).toEqual([
      "king",
      "king",
      "king's",
      "pierce",
    ]);
    expect((await counties(true))[0]).toBe("Pierce");
    expect(await counties(true, "line")).toEqual([5, 4, 3, 2]);
    for (const column of ["signed_on_week", "party", "line; --"])
      await expect(counties(true, column)).rejects.toMatchObject({ status: 422, field: "sort" });
  });

  test("include equal ones as often as they occur", async () => {
    await database.sql(`create view reporting.equal as select 'north' as team_id, 'lakes' as campaign_id, w.word
      from unnest(array['a', 'b', 'b', 'b', 'b', 'b', 'c']) w (word)`);
    const equal = { cell: { ...whole, source: "equal" }, limit: 2 };
    const listed: unknown[] = [];
    let page = await records(equal);
    while (page.next !== null) {
      listed.push(...page.records.map((record) => record.at(-1)));
      page = await records({ ...equal, ...page.next });
    }
    await database.sql("drop view reporting.equal");
    expect(listed).toEqual(["a", "b", "b", "b", "b", "b", "c"]);
  });

  test("need both signatures.view and charts.view in the place", async () => {
    await database.sql(
      `insert into public.campaign_user_team_sets
       select $1, 'north', 'lakes', id from public.permission_sets where name = 'Chart viewing'`,
      [person("cleo").id],
    );
    for (const name of ["cleo", "dan", "eve"]) await refused(records(actor(name)), "forbidden");
    await refused(records({ place: { team: "north" } }), "forbidden");
    await database.sql("delete from public.campaign_user_team_sets where user_id = $1", [person("cleo").id]);
  });

  test("an invalid day is named in the error, in the group, a filter and a segment", async () => {
    const filters = [{ column: "signed_on", operator: "eq" as const, value: "2026-02-30" }];
    const days = { ...cell, groupBy: "signed_on", group: { signed_on: null } };
    for (const [field, change] of Object.entries({
      "group.0.value": { group: { signed_on: "2026-02-30" } },
      "filters.0.value": { filters },
      "metric.segment.0.value": { metric: { ...cell.metric, segment: filters } },
    })) {
      const problem = { status: 422, field, message: expect.stringContaining('"signed_on"') };
      await expect(records({ cell: { ...days, ...change } })).rejects.toMatchObject(problem);
    }
  });

  test("as CSV are in the order on the screen, with a status in words and the team's times", async () => {
    await database.sql(
      `insert into public.lines (team_id, campaign_id, verdict, voter_id, last_name, sheet, line, entered_at)
       values ('north', 'rivers', 'not-found', null, 'Ádams', 2, 1, '2026-07-01T06:30:00Z'),
              ('north', 'rivers', 'accepted', 'v7', 'Baker', 1, 1, '2026-07-01T05:30:00Z')`,
    );
    const rows = async (descending: boolean) => {
      const sort = { column: "last_name", descending };
      const cell = { ...whole, source: "lines" };
      let text = "";
      const zoned = { ...actor("ann"), place: rivers, cell, sort, timeZone: "America/Los_Angeles" };
      for await (const piece of await recordsCsv(zoned)) text += piece.text;
      return text
        .split("\r\n")
        .slice(1, -1)
        .map((row) => [
          /Ádams|Baker/.exec(row)?.[0],
          /Not found|Valid/.exec(row)?.[0],
          /2026-06-30 ..:30/.exec(row)?.[0],
        ]);
    };
    const [adams, baker] = [
      ["Ádams", "Not found", "2026-06-30 23:30"],
      ["Baker", "Valid", "2026-06-30 22:30"],
    ];
    expect(await rows(false)).toEqual([adams, baker]);
    expect(await rows(true)).toEqual([baker, adams]);
    await database.sql("delete from public.lines where campaign_id = 'rivers'");
  });

  test("as CSV have a header row, then all pages", async () => {
    await database.sql(
      `insert into public.lines (id, team_id, campaign_id, verdict, voter_id, county, last_name)
       select lpad(i::text, 32, '0')::uuid, 'north', 'rivers', 'accepted', 'r' || i, 'Long', '=cmd()' from generate_series(1, 5203) i`,
    );
    let text = "";
    let rowCount = 0;
    for await (const piece of await recordsCsv({ ...actor("ann"), place: rivers, cell: whole, timeZone: "UTC" })) {
      text += piece.text;
      rowCount += piece.rowCount;
      // A clerk keeps entering lines and removes some that are listed already: each of the others is listed once.
      await database.sql(
        `insert into public.lines (team_id, campaign_id, verdict, voter_id, county, last_name)
         values ('north', 'rivers', 'accepted', gen_random_uuid()::text, 'Long', 'newer')`,
      );
      await database.sql("delete from public.lines where voter_id in ('r1', 'r10', 'r100')");
    }
    const rows = text.split("\r\n");
    expect(rows[0]).toMatch(/^\uFEFF"Line ID","Team","Campaign",/);
    const listed = rows.filter((row) => row.includes(`"'=cmd()"`));
    expect([listed.length, new Set(listed).size, rowCount]).toEqual([5203, 5203, 5203]);
    expect(text).not.toContain("newer");
    await database.sql("delete from public.lines where campaign_id = 'rivers'");
  });
});

describe("what the builder reads", () => {
  test("sources with labels and types", async () => {
    const sources = await listChartSources();
    const week = { name: "signed_on_week", label: "Week signed", type: "date", identifies: false };
    expect(sources.find(({ name }) => name === "signatures")).toMatchObject({
      label: "Signatures",
      description: "valid signatures only.",
      columns: expect.arrayContaining([
        { name: "county", label: "County", type: "text", part: null, identifies: false },
        { ...week, part: { of: "signed_on", unit: "week" } },
      ]),
    });
  });

  test("values of a column in the place, most frequent first, by prefix in any case", async () => {
    const values = async (prefix: string, column = "county") => {
      const result = await listChartValues({ ...actor("ann"), place, source: "signatures", column, prefix });
      return result.map(({ value, count }) => [value, count]);
    };
    const kings = ["king's", 1];
    expect(await values("")).toEqual([["King", 2], ["Pierce", 1], kings]);
    expect(await values("KI")).toEqual([["King", 2], kings]);
    expect(await values("king's")).toEqual([kings]);
    expect(await values("%")).toEqual([]);
    expect(await values("2026-02-30", "signed_on")).toEqual([]);
    expect(await values("4", "line")).toEqual([[4, 1]]);
    await expect(values("", "party")).rejects.toMatchObject({ field: "column" });
  });

  test("the columns without a value in any record of a place", async () => {
    const empty = await listEmptyColumns(place);
    const without = ["circulator", "city", "clerk", "collected_on", "entered_by", "first_name", "lag", "last_name"];
    expect(empty.signatures?.toSorted()).toEqual([...without, "signed_on", "zip"]);
    expect(empty.lines).toContain("circulator");
    expect(empty.lines).not.toContain("county");
    await database.sql("update public.lines set note = 'x' where team_id = 'north'");
    expect((await listEmptyColumns(place)).lines).not.toContain("note");
    expect((await listEmptyColumns(south)).lines).toContain("note");
  });
});

describe("the views of reporting", () => {
  test("have verdicts, circulators and clerks, and no removed lines", async () => {
    await database.sql("update public.teams set time_zone = 'America/Los_Angeles' where id = 'south'");
    await database.sql(
      `insert into public.lines (team_id, campaign_id, verdict, voter_id, sheet, entered_at, entered_by, removed_at)
       select 'south', 'lakes', l.verdict, l.voter, l.sheet, l.at::timestamptz, $1, l.removed::timestamptz
       from (values ('accepted', 'late', null, '2026-11-02T07:30:00Z', null), -- Sunday the 1st, 23:30 there
         ('illegible', null, 7, '2026-11-02T08:30:00Z', null),
         ('accepted', 'gone', null, '2026-11-02T08:30:00Z', 'now'),
         ('other', 'gone', null, '2026-11-02T08:30:00Z', 'now')) l (verdict, voter, sheet, at, removed)`,
      [person("dan").id],
    );
    await database.sql(
      `insert into public.sheets (team_id, campaign_id, number, circulator, collected_on) values
         ('south', 'lakes', 7, 'Ola Berg', '2026-10-30'), ('north', 'lakes', 7, 'Someone else', '2026-10-31')`,
    );
    const keysOf = async (source: string, groupBy: string) => {
      const filters = [{ column: "entered_by", operator: "eq" as const, value: person("dan").id }];
      const query = { source, groupBy, metrics: countsByCounty.metrics, filters };
      const { rows } = await aggregateChart({ ...actor("dan"), place: south, query });
      return rows.map(({ key, values }) => `${key}: ${values.n}`);
    };
    expect(await keysOf("signatures", "voter_id,entered_at_day")).toEqual(["late|||2026-11-01: 1"]);
    expect(await keysOf("lines", "entered_at_day,verdict,circulator")).toEqual([
      "2026-11-01|||accepted|||: 1",
      "2026-11-02|||illegible|||Ola Berg: 1",
    ]);
    // A Friday; the line was entered three days later.
    const collected = ["", "_week", "_month", "_weekday"].map((part) => `collected_on${part}`).join();
    for (const source of ["lines", "clerk_work"]) {
      expect(await keysOf(source, `${collected},lag`)).toEqual([
        "2026-10-30|||2026-10-26|||2026-10-01|||5|||3: 1",
        "||||||||||||: 1",
      ]);
    }
    expect(await keysOf("clerk_work", "clerk,verdict,accepted,entered_at_hour")).toEqual([
      "dan|||accepted|||true|||23: 1",
      "dan|||illegible|||false|||0: 1",
    ]);
  });

  test("give each suggested chart its data; invalid lines are those that don't count", async () => {
    const shown: Record<string, string[]> = {};
    for (const { definition } of suggestedCharts(await listChartSources())) {
      const { rows } = await aggregateChart({ ...actor("dan"), place: south, query: definition });
      shown[definition.name] = rows.map(({ key }) => key);
    }
    expect(shown).toEqual({
      "Signatures by county": ["Clark", ""],
      "Signatures by day": [expect.any(String), expect.any(String)],
      "Invalid lines by status": ["illegible"],
    });
  });
});

// The names of charts in the palette.
test("a person gets the names of charts they can see, and other charts don't use up the limit", async () => {
  const namesFor = async (name: string) =>
    (await database.rest("rpc/chart_names", { as: "service", body: { p_actor_id: person(name).id } })).body;
  const [lakes, ofSouth, whole] = [
    await addChart(database),
    await addChart(database, { team_id: "south" }),
    await addChart(database, { campaign_id: null, name: "All of north" }),
  ];
  await remove(await addChart(database));
  const here = { ...place, dashboard: null, id: lakes, name: "By county" };
  expect(await namesFor("ann")).toEqual([
    { team: "north", campaign: null, dashboard: null, id: whole, name: "All of north" },
    here,
  ]);
  expect(await namesFor("dan")).toEqual([{ ...south, dashboard: null, id: ofSouth, name: "By county" }]);
  for (const name of ["cleo", "eve"]) expect(await namesFor(name), name).toEqual([]);
  await database.sql(
    `insert into public.charts (team_id, campaign_id, name, kind, source)
     select 'north', 'rivers', 'A chart', 'bar', 'signatures' from generate_series(1, 1100)`,
  );
  expect(await namesFor("ben")).toEqual([here]);
  expect(await namesFor("ann")).toHaveLength(1000);
});
