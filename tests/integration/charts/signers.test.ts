import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { saveChart } from "../../../app/[team]/campaign/[campaign]/dashboard/actions.ts";
import ChartPage from "../../../app/[team]/campaign/[campaign]/dashboard/charts/[chart]/page.tsx";
import DashboardPage from "../../../app/[team]/campaign/[campaign]/dashboard/page.tsx";
import * as preview from "../../../app/[team]/campaign/[campaign]/dashboard/preview/route.ts";
import * as records from "../../../app/[team]/campaign/[campaign]/dashboard/records/route.ts";
import * as recordsCsv from "../../../app/[team]/campaign/[campaign]/dashboard/records-csv/route.ts";
import * as values from "../../../app/[team]/campaign/[campaign]/dashboard/values/route.ts";
import * as generate from "../../../app/api/charts/[id]/route.ts";
import * as go from "../../../app/api/go/route.ts";
import { signersHiddenMessage } from "../../../lib/charts/definition/columns.ts";
import { generateChart } from "../../../lib/charts/store/generate.ts";
import { listChartSources } from "../../../lib/charts/store/records.ts";
import { emptyWorld, insertWorld } from "../../support/access-world.ts";
import { caller } from "../../support/caller.ts";
import { addChart, postTo, sendForm, setUpChartWorld } from "../../support/chart-world.ts";

// Columns that identify signers, in everything that the server sends of a chart: it sends them only with `signatures.view` in
// the chart's place. `fay` builds charts in north and in lakes and can't see signatures, `gus`
// can see those of lakes, `ann` can see everything.

const afterwards = vi.hoisted((): (() => Promise<void>)[] => []);
vi.mock("next/server", () => ({ after: (run: () => Promise<void>) => afterwards.push(run) }));
vi.mock("next/cache", () => ({ refresh: () => undefined }));
vi.mock("next/headers", () => ({ headers: async () => new Headers() }));
vi.mock("../../../lib/auth/get-session.ts", () => import("../../support/caller.ts"));
vi.mock("../../../lib/permissions/route-permissions.ts", () => import("../../support/caller.ts"));
vi.mock("../../../lib/permissions/require-place.ts", async (original) => ({
  ...(await original<object>()),
  findPlace: async () => ({}),
}));
vi.mock("../../../lib/permissions/list-places.ts", () => ({
  listPlaces: async () => [{ id: "north", permissionKeys: [], campaigns: [] }],
  listTeamsLackingSecondFactor: async () => [],
}));

// The columns that each source marks in 130_chart_sources.sql.
const marked: Record<string, string[]> = {
  clerk_work: ["id", "sheet", "line", "entered_at"],
  goal_pace: [],
  lines: ["id", "sheet", "line", "voter_id", "first_name", "last_name", "note", "entered_at"],
  sheets: ["id", "sheet"],
  signatures: ["id", "voter_id", "first_name", "last_name", "sheet", "line", "entered_at"],
};
const signer: Record<string, string | number> = {
  id: "5e1f0000-0000-4000-8000-00000000cafe",
  voter_id: "VOTER-SEVEN",
  first_name: "Zebra",
  last_name: "Quagga",
  note: "moved away",
  sheet: 987_654,
  line: 4_321,
  entered_at: "2026-03-04T05:06:07.089Z",
};
const secrets = /5e1f0000|VOTER-SEVEN|Zebra|Quagga|moved away|987654|4321|05:06:07|1772600767089/;
const identifies = (text: string) => secrets.test(text);
const lakes = { team: "north", campaign: "lakes" };
const count = { key: "n", aggregation: "count" };

const { database, person } = await setUpChartWorld({ RATE_LIMIT_PREVIEW: "10000", RATE_LIMIT_CHARTS: "10000" });
const people = new Map<string, string>();
beforeAll(async () => {
  people.set("ann", person("ann").id);
  for (const name of ["fay", "gus"]) people.set(name, (await database.signUp(name)).id);
  const place = { team_id: "north", campaign_id: "lakes" };
  const members = ["fay", "gus"].map((user_id) => ({ user_id, team_id: "north", role_id: "builder" }));
  const sets = { building: ["charts.view", "charts.edit"], seeing: ["signatures.view"] };
  const world = {
    ...emptyWorld,
    roles: [{ id: "builder", team_id: null, scope: "assigned" as const }],
    permission_sets: Object.keys(sets).map((id) => ({ id, team_id: null })),
    permission_set_keys: Object.entries(sets).flatMap(([permission_set_id, keys]) =>
      keys.map((key) => ({ permission_set_id, key })),
    ),
    team_users: members.map((member) => ({ ...member, status: "active" as const })),
    role_p_sets: [{ role_id: "builder", permission_set_id: "building" }],
    campaign_user_team_sets: [
      { user_id: "fay", ...place, permission_set_id: "building" },
      { user_id: "gus", ...place, permission_set_id: "seeing" },
    ],
  };
  await insertWorld(database, world, people);
  const names = ["id", "voter_id", "first_name", "last_name", "sheet", "line", "note", "entered_at"];
  await database.sql(
    `insert into public.lines (team_id, campaign_id, verdict, county, ${names})
     values ('north', 'lakes', 'accepted', 'King', $1, $2, $3, $4, $5, $6, $7, $8)`,
    names.map((name) => signer[name]),
  );
});
beforeEach(async () => {
  vi.spyOn(console, "info").mockImplementation(() => undefined);
  afterwards.length = 0;
  await database.sql("delete from public.charts");
});

const idOf = (name: string) => people.get(name) ?? "";
function signIn(name: string) {
  caller.session = { userId: idOf(name), email: `${name}@people.test`, accessToken: "" };
}

function post(route: Parameters<typeof postTo>[0], as: string, body?: object, params: Record<string, string> = lakes) {
  signIn(as);
  return postTo(route, params, body);
}

// The server sends what the elements of a page hold.
async function page(run: () => Promise<unknown>, as: string) {
  signIn(as);
  return JSON.stringify(await run(), (key, value: unknown) => (key.startsWith("_") ? undefined : value));
}
const dashboard = (as: string, filter: { days?: string } = {}, params: { team: string; campaign?: string } = lakes) =>
  page(() => DashboardPage({ params: Promise.resolve(params), searchParams: Promise.resolve(filter) }), as);
const builder = (as: string, chart: string) =>
  page(() => ChartPage({ params: Promise.resolve({ ...lakes, chart }), searchParams: Promise.resolve({}) }), as);

const refused = expect.objectContaining({ status: 403, text: JSON.stringify({ error: signersHiddenMessage }) });
const answered = expect.objectContaining({ status: 200 });
const identifyingAnswer = expect.objectContaining({ status: 200, text: expect.stringMatching(secrets) });
const query = (source: string, change: object) => ({ source, groupBy: "", filters: [], metrics: [count], ...change });
const stored = (source: string, column: string) => addChart(database, { source, group_by: column });
const dataOf = async (id: string) => {
  const [row] = await database.sql<{ data: unknown }>("select data from public.charts where id = $1", [id]);
  return row?.data ?? null;
};

/** Each way in which a definition can show the values of a column. */
function uses(column: string): [string, object][] {
  const filter = { column, operator: "eq", value: signer[column] };
  const computed = { note: [], sheet: ["sum", "avg", "min", "max"], entered_at: ["min", "max"] }[column] ?? [];
  return [
    ["grouped", { groupBy: `entered_by, ${column}` }],
    ["filtered", { filters: [{ column: "entered_by", operator: "eq", value: null }, filter] }],
    ["filtered by whether it has a value", { filters: [{ column, operator: "neq", value: null }] }],
    ["in a segment", { metrics: [count, { key: "m", aggregation: "count", segment: [filter] }] }],
    ...computed.map((aggregation): [string, object] => [aggregation, { metrics: [{ key: "m", aggregation, column }] }]),
  ];
}

test("each source marks the columns that identify signers, and no mark is shown", async () => {
  const sources = await listChartSources();
  const listed = sources.map(({ name, columns }) => [
    name,
    columns.filter(({ identifies }) => identifies).map((column) => column.name),
  ]);
  expect(listed).toEqual(Object.entries(marked).map(([name, names]) => [name, expect.arrayContaining(names)]));
  expect(listed.flatMap(([, names]) => names)).toHaveLength(Object.values(marked).flat().length);
  expect(JSON.stringify(sources)).not.toContain("[signer]");
});

test("a column without a comment counts as one that identifies signers", async () => {
  await database.sql("create view reporting.undecided as select team_id, campaign_id, county from public.lines");
  const body = query("undecided", { groupBy: "county" });
  expect(await post(preview, "fay", body)).toEqual(refused);
  await database.sql("comment on column reporting.undecided.county is 'County'");
  expect(await post(preview, "fay", body)).toEqual(answered);
  await database.sql("drop view reporting.undecided");
});

// All of these use the same mark of a column: a text, a number and a moment represent the others.
describe.each([
  ["lines", "note"],
  ["clerk_work", "sheet"],
  ["signatures", "entered_at"],
] as const)("%s.%s", (source, column) => {
  test("a preview is refused however it uses the column, except to count its values", async () => {
    for (const [use, change] of uses(column)) {
      expect(await post(preview, "fay", query(source, change)), use).toEqual(refused);
      expect(await post(preview, "ann", query(source, change)), use).toEqual(answered);
    }
    expect(await post(preview, "fay", query(source, { metrics: [{ ...count, column }] }))).toEqual(answered);
  });

  test("generating a chart over the contract's route is refused, and stored data stays", async () => {
    const id = await stored(source, column);
    expect(await post(generate, "fay", undefined, { id })).toEqual(refused);
    expect(await dataOf(id)).toBeNull();
    const response = await post(generate, "ann", undefined, { id });
    expect(response).toEqual(identifyingAnswer);
    expect(await post(generate, "fay", undefined, { id })).toEqual(refused);
    expect(await dataOf(id)).toEqual(JSON.parse(response.text));
  });

  test("saving a chart with it is refused, new or existing", async () => {
    const save = async (as: string, fields: Record<string, string> = {}) => {
      signIn(as);
      const definition = JSON.stringify({ ...query(source, { groupBy: column }), name: "New", kind: "bar" });
      return sendForm(saveChart, { ...lakes, definition, ...fields });
    };
    const id = await addChart(database);
    const before = await database.sql("select * from public.charts");
    expect(await save("fay")).toMatchObject({ message: null, error: signersHiddenMessage });
    expect(await save("fay", { id, version: "1" })).toMatchObject({ message: null, error: signersHiddenMessage });
    expect(await database.sql("select * from public.charts")).toEqual(before);
    await expect(save("ann")).rejects.toThrow("NEXT_REDIRECT");
    expect(await database.sql("select from public.charts")).toHaveLength(2);
  });

  test("its values are refused", async () => {
    const body = { source, column, prefix: "" };
    expect(await post(values, "fay", body)).toEqual(refused);
    expect(await post(values, "ann", body)).toEqual(identifyingAnswer);
  });

  test("the dashboard, also filtered, has a card without definition and numbers", async () => {
    const id = await stored(source, column);
    await generateChart({ actorId: idOf("ann"), id });
    for (const filter of [{}, { days: "last 999 days" }]) {
      const text = await dashboard("fay", filter);
      expect(text).toContain(`"id":"${id}","team":"north","campaign":"lakes","name":"By county"`);
      expect(text).toContain(
        '"groupBy":"","metrics":[],"filters":[],"display":null,"version":1,"updatedAt":null,"data":null',
      );
      expect(text).toContain('"withheld":true,"problem":null');
      expect(identifies(text)).toBe(false);
      expect(identifies(await dashboard("ann", filter))).toBe(true);
    }
  });

  test("opening the dashboard refreshes the chart only for people who can see it", async () => {
    const id = await stored(source, column);
    for (const name of ["fay", "ann"]) {
      await dashboard(name);
      await Promise.all(afterwards.splice(0).map((run) => run()));
      expect(identifies(JSON.stringify(await dataOf(id))), name).toBe(name === "ann");
    }
  });

  test("the page of the builder is refused, naming the permission", async () => {
    const id = await addChart(database, { source, filters: [{ column, operator: "eq", value: signer[column] }] });
    const text = await builder("fay", id);
    expect(JSON.parse(text)).toEqual({
      key: null,
      props: { refused: expect.objectContaining({ key: "signatures.view", act: "see charts that identify signers" }) },
    });
    expect(identifies(text)).toBe(false);
    expect(identifies(await builder("ann", id))).toBe(true);
  });

  test("the records behind a number and their CSV file are refused", async () => {
    const cell = { source, groupBy: "", filters: [], group: {}, metric: { ...count, column } };
    for (const [route, body] of [
      [records, { cell, offset: 0, limit: 10 }],
      [recordsCsv, { cell, name: "All" }],
    ] as const) {
      const withoutKey = { status: 403, text: expect.stringContaining("“See signatures”") };
      expect(await post(route, "fay", body)).toMatchObject(withoutKey);
      expect(await post(route, "ann", body)).toEqual(identifyingAnswer);
    }
  });
});

test("Ctrl+K shows only the name of such a chart", async () => {
  const id = await addChart(database, { filters: [{ column: "last_name", operator: "eq", value: "Quagga" }] });
  signIn("fay");
  const response = await go.GET(new Request("http://signet.test/api/go", { headers: { host: "signet.test" } }));
  expect(await response.json()).toEqual({
    members: [],
    charts: [{ ...lakes, dashboard: null, id, name: "By county" }],
  });
});

test("a chart of the whole team needs the key in the team, also on the dashboard of a campaign", async () => {
  const ofTeam = await addChart(database, { campaign_id: null, group_by: "last_name" });
  const ofLakes = await addChart(database, { group_by: "first_name" });
  for (const id of [ofTeam, ofLakes]) await generateChart({ actorId: idOf("ann"), id });
  const text = await dashboard("gus");
  expect(text).toContain("Zebra");
  expect(text).toContain(`"id":"${ofTeam}"`);
  expect(text).not.toContain("Quagga");
  expect(await post(generate, "gus", undefined, { id: ofTeam })).toEqual(refused);
  expect(await post(generate, "gus", undefined, { id: ofLakes })).toEqual(answered);
  expect(await dashboard("gus", {}, { team: "north" })).not.toMatch(/Zebra|Quagga/);
  expect(await dashboard("ann", {}, { team: "north" })).toContain("Quagga");
  const body = query("signatures", { groupBy: "last_name" });
  expect(await post(preview, "gus", body, { team: "north" })).toEqual(refused);
  expect(await post(preview, "gus", body)).toEqual(answered);
});

const ofNote = { column: "note", operator: "eq" };
test.each([
  ["a segment that is one filter, not a list", { metrics: [{ ...count, segment: { ...ofNote, value: "x" } }] }],
  ["blanks around a name", { group_by: "verdict ,\n last_name" }],
  ["relative days on a text", { filters: [{ ...ofNote, value: "today" }] }],
  ["a column that no longer exists", { group_by: "street" }],
])("%s doesn't get around it", async (_what, row) => {
  const id = await addChart(database, { source: "lines", ...row });
  const rows = [{ key: "Zebra", group: { x: "Zebra" }, values: {} }];
  const data = { ...query("lines", {}), rows, recordCount: 1, groupCount: 1, generatedAt: "" };
  const args = [id, JSON.stringify(data)];
  await database.sql("update public.charts set data_version = 1, data = $2::text::jsonb where id = $1", args);
  expect(await dashboard("fay")).not.toContain("Zebra");
  expect(await dashboard("ann")).toContain("Zebra");
});

test("days, areas, clerks and circulators are shown to everyone who can see charts", async () => {
  const harmless: [string, object][] = [
    ["signatures", { groupBy: "county,city,zip,signed_on,entered_by,entered_at_hour" }],
    ["lines", { groupBy: "verdict,circulator,entered_at_day" }],
    ["clerk_work", { groupBy: "clerk", filters: [{ column: "entered_at", operator: "eq", value: "last 7 days" }] }],
  ];
  for (const [source, change] of harmless)
    expect(await post(preview, "fay", query(source, change)), source).toEqual(answered);
  await database.sql("update public.lines set zip = '98501-1234'");
  expect((await post(preview, "fay", query("signatures", { groupBy: "zip" }))).text).toContain('"key":"98501"');
});
