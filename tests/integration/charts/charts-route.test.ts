import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as generate from "../../../app/api/charts/[id]/route.ts";
import { findChart } from "../../../lib/charts/store/read.ts";
import { addChart, addSignatures, changeWhileComputing, postTo, setUpChartWorld } from "../../support/chart-world.ts";

vi.mock("../../../lib/auth/get-session.ts", () => import("../../support/caller.ts"));
vi.mock("../../../lib/permissions/route-permissions.ts", () => import("../../support/caller.ts"));

const { database, person, signIn } = await setUpChartWorld({ RATE_LIMIT_CHARTS: "1000" });
beforeAll(async () => {
  await addSignatures(database, { counties: ["King", "King", "Pierce", null] });
  await addSignatures(database, { campaign: "rivers", counties: ["King", "Kitsap"] });
  await addSignatures(database, { team: "south", counties: ["Clark", "Clark", "Clark"] });
});
beforeEach(() => {
  signIn("ann");
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

async function post(id: string, body?: object) {
  const { text, ...rest } = await postTo(generate, { id }, body);
  return { ...rest, body: JSON.parse(text) };
}

async function storedChart(id: string) {
  const columns = "data, generated_at, version, data_version";
  const [row] = await database.sql<Record<string, unknown>>(`select ${columns} from public.charts where id = $1`, [id]);
  return row;
}

const count = { key: "n", aggregation: "count" };
const secondLine = { column: "line", operator: "gte", value: 2 };

describe("200", () => {
  test("returns the result and stores it (contract 4.5, steps 3 to 6)", async () => {
    const metrics = [
      { ...count, label: "Lines" },
      { key: "line", aggregation: "avg", column: "line" },
      { key: "late", aggregation: "count", segment: [secondLine] },
    ];
    const id = await addChart(database, { metrics, filters: [{ column: "sheet", operator: "eq", value: 1 }] });
    const { status, body, headers } = await post(id);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        source: "signatures",
        groupBy: "county",
        metrics,
        recordCount: 4,
        groupCount: 3,
        rows: [
          { key: "King", group: { county: "King" }, values: { n: 2, line: 1.5, late: 1 } },
          { key: "Pierce", group: { county: "Pierce" }, values: { n: 1, line: 3, late: 1 } },
          { key: "", group: { county: null }, values: { n: 1, line: 4, late: 1 } },
        ],
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
    const { body } = await post(id, { id: "x", team: "south", source: "pg_user" }); // which is ignored
    expect(body.recordCount).toBe(6);
    expect(body.rows.map(({ key, values }: { key: string; values: object }) => [key, values])).toEqual([
      ["King", { n: 3 }],
      ["Kitsap", { n: 1 }],
      ["Pierce", { n: 1 }],
      ["", { n: 1 }],
    ]);
  });

  test("extra fields of a definition aren't returned, null means absent, and one filter becomes a list", async () => {
    const absent = { label: null, column: null, segment: null };
    const late = { key: "late", aggregation: "avg", column: "line" };
    const metrics = [
      { ...count, ...absent, note: "mine" },
      { ...late, segment: { ...secondLine, note: "mine" } },
    ];
    const id = await addChart(database, { metrics, group_by: "" });
    const { status, body } = await post(id);
    expect({ status, metrics: body.metrics }).toEqual({
      status: 200,
      metrics: [count, { ...late, segment: [secondLine] }],
    });
    expect(body.rows).toEqual([{ key: "", group: {}, values: { n: 4, late: 3 } }]);
    expect((await storedChart(id))?.data).toEqual(body);
    const place = { team: "north", campaign: "lakes" };
    expect(await findChart({ actorId: person("ann").id, place, id })).toMatchObject({
      metrics: [count, { ...late, segment: [secondLine] }],
      problem: null,
      data: body,
    });
  });
});

describe("refusals, which leave what is stored unchanged", () => {
  // A chart with data that a failure could overwrite.
  async function generatedChart(row: Parameters<typeof addChart>[1] = {}) {
    const id = await addChart(database, row);
    expect((await post(id)).status).toBe(200);
    return { id, before: await storedChart(id) };
  }
  const refusal = (status: number, error: string | RegExp) => ({
    status,
    body: { error: typeof error === "string" ? error : expect.stringMatching(error) },
  });

  test("400: an invalid id", async () => {
    for (const id of ["1", "00000000-0000-4000-8000-00000000000g", "' or 1=1"])
      expect(await post(id), id).toMatchObject(refusal(400, "This isn't a chart ID."));
  });

  test.each([
    ["someone with only charts.view in the place", "ben", {}],
    ["a member of the team who can't open the campaign", "cleo", {}],
    ["someone without charts.edit in the team", "ben", { campaign_id: null }],
  ])("403: %s", async (_, name, row) => {
    const { id, before } = await generatedChart(row);
    signIn(name);
    expect(await post(id)).toMatchObject(refusal(403, /“Create and edit charts”/));
    expect(await storedChart(id)).toEqual(before);
  });

  test("403: a chart of their team on a campaign that isn't their team's", async () => {
    signIn("dan");
    const id = await addChart(database, { team_id: "south", campaign_id: "rivers" });
    expect(await post(id)).toMatchObject(refusal(403, /“Create and edit charts”/));
    expect(await storedChart(id)).toMatchObject({ data: null, generated_at: null });
  });

  test("404: a chart of another team, a deleted and a missing one get the same answer", async () => {
    const missing = refusal(404, "This chart no longer exists. Reload the dashboard.");
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
    const result = await changeWhileComputing(database, { id, change: "group_by = 'city'", generate });
    expect(result).toMatchObject(refusal(409, "This chart changed while it was being refreshed. Refresh it again."));
    expect(await storedChart(id)).toEqual({ ...before, version: 2 });
  });

  test("422: a definition that can't run, naming the part", async () => {
    const { id, before } = await generatedChart();
    await database.sql("update public.charts set group_by = 'party' where id = $1", [id]);
    const response = await post(id);
    expect(response).toMatchObject(refusal(422, /grouped by "party"/));
    expect(response.body.part).toBe("groupBy");
    expect(await storedChart(id)).toEqual({ ...before, version: 2 });
  });

  test("504: longer than 15 seconds", async () => {
    const { id, before } = await generatedChart();
    const inTime = AbortSignal.timeout;
    const over = AbortSignal.abort(new DOMException("", "TimeoutError"));
    const timeout = vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => (ms === 15_000 ? over : inTime(ms)));
    expect(await post(id)).toMatchObject(refusal(504, /^This chart took longer than 15 seconds/));
    expect(timeout).toHaveBeenCalledWith(15_000);
    expect(await storedChart(id)).toEqual(before);
  });

  test("503: the database can't be read", async () => {
    const { id, before } = await generatedChart();
    vi.spyOn(globalThis, "fetch").mockImplementation(async () => Response.json({ message: "no" }, { status: 500 }));
    expect(await post(id)).toMatchObject(refusal(503, "Couldn't load the data. Try again in a moment."));
    expect(await storedChart(id)).toEqual(before);
  });
});
