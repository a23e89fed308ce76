import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { POST } from "../../../app/api/charts/[id]/route.ts";
import { storedChartSchema } from "../../../lib/charts/stored-chart.ts";
import { addChart, addSignatures, changeWhileComputing, setUpChartWorld } from "../../support/chart-world.ts";

vi.mock("../../../lib/auth/get-session.ts", () => import("../../support/caller.ts"));
vi.mock("../../../lib/permissions/route-permissions.ts", () => import("../../support/caller.ts"));

const { database, signIn } = await setUpChartWorld({ RATE_LIMIT_CHARTS: "1000" });
beforeAll(async () => {
  await addSignatures(database, { counties: ["King", "King", "Pierce", null] });
  await addSignatures(database, { campaign: "rivers", counties: ["King", "Kitsap"] });
  await addSignatures(database, { team: "south", counties: ["Clark", "Clark", "Clark"] });
});
beforeEach(() => {
  signIn("ann");
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

async function post(id: string, init: RequestInit = {}) {
  const request = new Request(`http://signet.test/api/charts/${id}`, {
    method: "POST",
    ...init,
    headers: { host: "signet.test", ...Object.fromEntries(new Headers(init.headers)) },
  });
  const response = await POST(request, { params: Promise.resolve({ id }) });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

async function storedChart(id: string) {
  const [row] = await database.sql<{
    data: unknown;
    generated_at: unknown;
    version: number;
    data_version: number | null;
  }>("select data, generated_at, version, data_version from public.charts where id = $1", [id]);
  return row;
}

// A chart that was generated once, so that a failure could spoil something.
async function generatedChart(row: Parameters<typeof addChart>[1] = {}) {
  const id = await addChart(database, row);
  expect((await post(id)).status).toBe(200);
  return { id, before: await storedChart(id) };
}

const refusal = (status: number, error: string | RegExp) => ({
  status,
  body: { error: typeof error === "string" ? error : expect.stringMatching(error) },
});
const missing = refusal(404, "There is no such chart. Reload the dashboard to see which there are.");

describe("200", () => {
  test("answers the result and stores the same (contract 4.5, steps 3 to 6)", async () => {
    const id = await addChart(database, {
      metrics: [
        { key: "n", aggregation: "count", label: "Lines" },
        { key: "line", aggregation: "avg", column: "line" },
        { key: "first", aggregation: "count", segment: [{ column: "line", operator: "eq", value: 1 }] },
      ],
      filters: [{ column: "sheet", operator: "eq", value: 1 }],
    });
    const { status, body, headers } = await post(id);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        source: "signatures",
        groupBy: "county",
        metrics: [
          { key: "n", aggregation: "count", label: "Lines" },
          { key: "line", aggregation: "avg", column: "line" },
          { key: "first", aggregation: "count", segment: [{ column: "line", operator: "eq", value: 1 }] },
        ],
        rows: [
          { key: "King", group: { county: "King" }, values: { n: 2, line: 1.5, first: 1 } },
          { key: "Pierce", group: { county: "Pierce" }, values: { n: 1, line: 3, first: 0 } },
          { key: "", group: { county: null }, values: { n: 1, line: 4, first: 0 } },
        ],
        recordCount: 4,
        groupCount: 3,
        generatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      },
    });
    expect(headers.get("cache-control")).toBe("no-store");
    const row = await storedChart(id);
    expect(row).toMatchObject({ data: body, version: 1, data_version: 1 });
    expect(new Date(String(row?.generated_at)).toISOString()).toBe(body.generatedAt);
  });

  test("covers the whole team without a campaign, and reads no other team", async () => {
    const id = await addChart(database, { campaign_id: null });
    expect((await post(id)).body).toMatchObject({
      recordCount: 6,
      rows: [
        { key: "King", values: { n: 3 } },
        { key: "Kitsap", values: { n: 1 } },
        { key: "Pierce", values: { n: 1 } },
        { key: "", values: { n: 1 } },
      ],
    });
  });

  test("the body is not read: empty, JSON that names another chart, or nonsense of another type", async () => {
    const id = await addChart(database);
    for (const body of ["", JSON.stringify({ id: "x", team: "south", source: "pg_user" }), "<nonsense"]) {
      expect((await post(id, { body, headers: { "content-type": "text/plain" } })).body).toMatchObject({
        recordCount: 4,
      });
    }
  });

  test("what a definition holds beside its parts is not repeated, and null is as good as absent", async () => {
    const eq = { column: "line", operator: "eq", value: null };
    const metrics = [
      { key: "n", aggregation: "count", label: null, column: null, segment: null, note: "mine" },
      { key: "none", aggregation: "count", segment: [{ ...eq, id: 7 }] },
    ];
    const id = await addChart(database, { metrics, group_by: "" });
    const { status, body } = await post(id);
    expect({ status, body }).toMatchObject({ status: 200, body: { rows: [{ values: { n: 4, none: 0 } }] } });
    expect(body.metrics).toEqual([
      { key: "n", aggregation: "count" },
      { key: "none", aggregation: "count", segment: [eq] },
    ]);
    expect((await storedChart(id))?.data).toEqual(body);
  });

  test("a segment that is one filter and no list means a list of it, in the result and to the builder", async () => {
    const second = { column: "line", operator: "gte", value: 2 };
    const metrics = [
      { key: "n", aggregation: "count" },
      { key: "late", aggregation: "avg", column: "line", segment: { ...second, note: "mine" } },
    ];
    const id = await addChart(database, { metrics, group_by: "" });
    const { status, body } = await post(id);
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        metrics: [metrics[0], { ...metrics[1], segment: [second] }],
        rows: [{ key: "", group: {}, values: { n: 4, late: 3 } }],
      },
    });
    expect(body.metrics[1].segment).toEqual([second]);
    expect((await storedChart(id))?.data).toEqual(body);
    const [row] = await database.sql<{ chart: object }>(
      "select to_jsonb(c) as chart from public.charts c where id = $1",
      [id],
    );
    expect(storedChartSchema.parse({ ...row?.chart, withheld: false })).toMatchObject({
      metrics: [metrics[0], { key: "late", segment: [second] }],
      problem: null,
      data: body,
    });
  });

  test.each([
    [{ column: "zz", operator: "eq", value: 1 }, "metrics.0.segment.0.column"],
    [{}, "metrics.0.segment.0.column"],
    ["line", "metrics.0.segment"],
    [7, "metrics.0.segment"],
  ])("of a segment %j it says what is wrong", async (segment, part) => {
    const id = await addChart(database, { metrics: [{ key: "n", aggregation: "count", segment }] });
    expect(await post(id)).toMatchObject({ status: 422, body: { error: expect.any(String), part } });
    expect((await storedChart(id))?.data).toBeNull();
  });

  test("removed lines do not count", async () => {
    const id = await addChart(database, {
      group_by: "",
      filters: [{ column: "county", operator: "eq", value: "Pierce" }],
    });
    await database.sql("update public.lines set removed_at = now() where county = 'Pierce'");
    expect((await post(id)).body).toMatchObject({ recordCount: 0, rows: [{ key: "", group: {}, values: { n: 0 } }] });
    await database.sql("update public.lines set removed_at = null where county = 'Pierce'");
  });
});

describe("refusals, after which what was stored is as it was", () => {
  test("400: an id that is none", async () => {
    for (const id of ["1", "not-a-uuid", "00000000-0000-4000-8000-00000000000g", "' or 1=1"]) {
      expect(await post(id), id).toMatchObject(refusal(400, "This is not the id of a chart."));
    }
  });

  test.each([
    ["has charts.view alone there", "ben", {}],
    ["is of the team and does not reach the campaign", "cleo", {}],
    ["holds charts.edit in no team", "ben", { campaign_id: null }],
  ])("403: who %s", async (_, name, row) => {
    const { id, before } = await generatedChart(row);
    signIn(name);
    expect(await post(id)).toMatchObject(refusal(403, /\(charts\.edit\)/));
    expect(await storedChart(id)).toEqual(before);
  });

  test("403: a chart of her team on a campaign that is not her team's", async () => {
    signIn("dan");
    const id = await addChart(database, { team_id: "south", campaign_id: "rivers" });
    expect(await post(id)).toMatchObject(refusal(403, /\(charts\.edit\)/));
    expect(await storedChart(id)).toMatchObject({ data: null, generated_at: null });
  });

  test("404: a chart outside of her teams, a deleted and a missing one are the same", async () => {
    const { id, before } = await generatedChart();
    for (const name of ["dan", "eve"]) {
      signIn(name);
      expect(await post(id), name).toMatchObject(missing);
    }
    signIn("ann");
    expect(await post("00000000-0000-4000-8000-000000000000")).toMatchObject(missing);
    await database.sql("update public.charts set deleted_at = now() where id = $1", [id]);
    expect(await post(id)).toMatchObject(missing);
    expect(await storedChart(id)).toEqual(before);
  });

  test("409: the definition changed while it was computed", async () => {
    const { id, before } = await generatedChart();
    const generate = () => post(id);
    expect(await changeWhileComputing(database, { id, change: "group_by = 'city'", generate })).toMatchObject(
      refusal(409, "The chart was changed while it was computed. Generate it again."),
    );
    expect(await storedChart(id)).toEqual({ ...before, version: 2 });
  });

  test.each([
    ["a source that breaks out", { source: 'signatures" v; drop table public.charts; --' }, /no chart source/],
    ["an unknown group column", { group_by: "party" }, /grouped by the column "party"/],
    ["metrics that are no list", { metrics: {} }, /measures must be a list/],
    ["metrics as a text", { metrics: "[]" }, /measures must be a list/],
  ])("422: %s, naming the part", async (_, row, error) => {
    const { id, before } = await generatedChart();
    await database.sql(
      `update public.charts c set source = r.source, group_by = r.group_by, metrics = r.metrics, filters = r.filters
       from jsonb_populate_record((select c from public.charts c where c.id = $1), $2::text::jsonb) r where c.id = $1`,
      [id, JSON.stringify(row)],
    );
    expect(await post(id)).toMatchObject(refusal(422, error));
    expect(await storedChart(id)).toEqual({ ...before, version: 2 });
  });

  test("504: longer than 15 seconds", async () => {
    const { id, before } = await generatedChart();
    const inTime = AbortSignal.timeout;
    const timeout = vi
      .spyOn(AbortSignal, "timeout")
      .mockImplementation((ms) =>
        ms === 15_000 ? AbortSignal.abort(new DOMException("", "TimeoutError")) : inTime(ms),
      );
    expect(await post(id)).toMatchObject(refusal(504, /^The chart took longer than 15 seconds/));
    expect(timeout).toHaveBeenCalledWith(15_000);
    expect(await storedChart(id)).toEqual(before);
  });

  test("503: the database cannot be read", async () => {
    const { id, before } = await generatedChart();
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ message: "no" }, { status: 500 }));
    expect(await post(id)).toMatchObject(refusal(503, "The data could not be read. Try again in a moment."));
    expect(await storedChart(id)).toEqual(before);
  });
});
