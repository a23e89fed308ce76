import { beforeAll, beforeEach, expect, test, vi } from "vitest";
import * as preview from "../../../app/[team]/campaign/[campaign]/dashboard/preview/route.ts";
import * as records from "../../../app/[team]/campaign/[campaign]/dashboard/records/route.ts";
import * as recordsCsv from "../../../app/[team]/campaign/[campaign]/dashboard/records-csv/route.ts";
import * as values from "../../../app/[team]/campaign/[campaign]/dashboard/values/route.ts";
import { addSignatures, postTo, setUpChartWorld } from "../../support/chart-world.ts";

// The routes of a dashboard: who can call them, for which place, and how they refuse invalid input.

vi.mock("next/server", () => ({ after: () => undefined })); // tests/integration/activity/read-log.test.ts tests what is logged
vi.mock("../../../lib/auth/get-session.ts", () => import("../../support/caller.ts"));
vi.mock("../../../lib/permissions/route-permissions.ts", () => import("../../support/caller.ts"));

const { database, signIn } = await setUpChartWorld({ RATE_LIMIT_PREVIEW: "1000" });
beforeAll(async () => {
  await addSignatures(database, { counties: ["King", "King", "Pierce"] });
  await addSignatures(database, { team: "south", counties: ["Clark"] });
  await addSignatures(database, { campaign: "rivers", counties: ["Kitsap"] });
});
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));

const routes = { preview, records, "records-csv": recordsCsv, values };
type Route = keyof typeof routes;

const metric = { key: "n", aggregation: "count" };
const query = { source: "signatures", groupBy: "county", filters: [], metrics: [metric] };
const cell = { source: "signatures", groupBy: "county", filters: [], group: { county: "King" }, metric };
const bodies: Record<Route, object> = {
  preview: query,
  records: { cell, offset: 0, limit: 50 },
  "records-csv": { cell, name: "By county" },
  values: { source: "signatures", column: "county", prefix: "" },
};

type Call = { as: string; at?: Record<string, string>; body?: object };
function callRoute(
  route: Route,
  { as, at: params = { team: "north", campaign: "lakes" }, body = bodies[route] }: Call,
) {
  signIn(as);
  return postTo(routes[route], params, body);
}
const south = { team: "south", campaign: "lakes" };
const names = Object.keys(routes) as Route[];

test.each(names)("%s reads the place in its address, and no other", async (route) => {
  const lakes = await callRoute(route, { as: "ann" });
  expect(lakes).toMatchObject({ status: 200, text: expect.stringContaining("King") });
  expect(lakes.text).not.toMatch(/Clark|Kitsap/);
  const ofSouth = await callRoute(route, { as: "dan", at: south });
  expect(ofSouth.status).toBe(200);
  expect(ofSouth.text).not.toMatch(/King|Kitsap/);
});

// tests/unit/http/routes.test.ts tests requests without a session, and with each key alone.
test.each(names)("%s: 403 for people without access to the place", async (route) => {
  const denied: Call[] = [
    { as: "eve" },
    { as: "cleo" },
    { as: "dan" },
    { as: "ann", at: south },
    { as: "dan", at: { team: "south", campaign: "rivers" } },
    { as: "ann", at: { team: "north", campaign: "' or true --" } },
  ];
  for (const call of denied) {
    const { status, text } = await callRoute(route, call);
    expect([status, Object.keys(JSON.parse(text))], JSON.stringify(call)).toEqual([403, ["error"]]);
  }
  // ben holds charts.view and signatures.view.
  const building = route === "preview" || route === "values";
  expect((await callRoute(route, { as: "ben" })).status).toBe(building ? 403 : 200);
});

test.each(names)("%s of the whole team reads all its campaigns, and only the team's keys count", async (route) => {
  const ofKitsap = { ...cell, group: { county: "Kitsap" } };
  const body = { ...bodies[route], ...(route.startsWith("records") && { cell: ofKitsap }) };
  const ofTeam = (as: string) => callRoute(route, { as, at: { team: "north" }, body });
  const response = await ofTeam("ann");
  expect(response).toMatchObject({ status: 200, text: expect.stringContaining("Kitsap") });
  expect(response.text).not.toContain("Clark");
  for (const other of ["ben", "cleo", "dan", "eve"]) expect((await ofTeam(other)).status, other).toBe(403);
});

test.each<[Route, object]>([
  ["preview", { ...query, source: "a\u0000" }],
  ["preview", { ...query, metrics: [{ ...metric, column: "\ud800" }] }],
  ["preview", { ...query, filters: [{ column: "\u0000", operator: "eq", value: 1 }] }],
  ["records", { cell: { ...cell, group: { county: "\u0000" } }, offset: 0, limit: 1 }],
  ["records", { cell, offset: 2 ** 31, limit: 1 }],
  ["records", { cell, offset: 0, limit: 101 }],
  ["records-csv", { cell: { ...cell, group: { "\u0000": "King" } }, name: "" }],
  ["values", { source: "signatures", column: "county", prefix: "\u0000" }],
  ["values", { source: "signatures", column: "county\u0000", prefix: "" }],
])("%s: input that the database can't store is 400, naming the field: %j", async (route, body) => {
  const response = await callRoute(route, { as: "ann", body });
  expect(response.status).toBe(400);
  expect(JSON.parse(response.text).error).toMatch(/^(source|metrics|filters|cell|offset|limit|prefix|column)/);
});

test.each<[Route, object]>([
  ["preview", { ...query, groupBy: "party" }],
  ["records", { cell: { ...cell, group: {} }, offset: 0, limit: 1 }],
  ["records-csv", { cell: { ...cell, source: "secrets" }, name: "" }],
  ["values", { source: "teams", column: "name", prefix: "" }],
])("%s: a query that can't run is 422: %j", async (route, body) => {
  expect((await callRoute(route, { as: "ann", body })).status).toBe(422);
});
