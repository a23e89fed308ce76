import { beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import * as preview from "../../../app/[team]/campaign/[campaign]/dashboard/preview/route.ts";
import * as records from "../../../app/[team]/campaign/[campaign]/dashboard/records/route.ts";
import * as recordsCsv from "../../../app/[team]/campaign/[campaign]/dashboard/records-csv/route.ts";
import * as values from "../../../app/[team]/campaign/[campaign]/dashboard/values/route.ts";
import { addSignatures, setUpChartWorld } from "../../support/chart-world.ts";

// The routes that a dashboard asks: by whom, of which place, and what they answer to what they cannot read.

vi.mock("next/server", () => ({ after: () => undefined })); // what is recorded: tests/integration/activity/read-log.test.ts
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

async function ask(
  route: Route,
  {
    as,
    team = "north",
    campaign = "lakes",
    body = bodies[route],
  }: {
    as: string | null;
    team?: string;
    campaign?: string;
    body?: object;
  },
) {
  signIn(as);
  const request = new Request(`http://signet.test/${team}/campaign/${campaign}/dashboard/${route}`, {
    method: "POST",
    headers: { host: "signet.test", "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const response = await routes[route].POST(request, { params: Promise.resolve({ team, campaign }) });
  return { status: response.status, text: await response.text() };
}

describe.each(Object.keys(routes) as Route[])("%s", (route) => {
  test("reads the place of its address, and no other", async () => {
    const lakes = await ask(route, { as: "ann" });
    expect(lakes.status).toBe(200);
    expect(lakes.text).toContain("King");
    expect(lakes.text).not.toMatch(/Clark|Kitsap/);
    const south = await ask(route, { as: "dan", team: "south" });
    expect(south.status).toBe(200);
    expect(south.text).not.toMatch(/King|Kitsap/);
  });

  test.each([
    ["nobody", 401, { as: null }],
    ["a suspended member", 403, { as: "eve" }],
    ["a member who does not reach the campaign", 403, { as: "cleo" }],
    ["an administrator of another team", 403, { as: "dan" }],
    ["her, of another team", 403, { as: "ann", team: "south" }],
    ["her, of a campaign that her team is not on", 403, { as: "dan", team: "south", campaign: "rivers" }],
    ["her, of a campaign that is none", 403, { as: "ann", campaign: "' or true --" }],
  ])("%s: %i, and nothing is read", async (_who, status, request) => {
    const answer = await ask(route, request);
    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text)).toEqual({ error: expect.any(String) });
  });

  test("the key alone is missing: 403", async () => {
    // ben holds charts.view and signatures.view.
    const building = route === "preview" || route === "values";
    expect((await ask(route, { as: "ben" })).status).toBe(building ? 403 : 200);
  });
});

describe("of the whole team", () => {
  const askTeam = async (route: Route, as: string) => {
    signIn(as);
    const request = new Request(`http://signet.test/north/dashboard/${route}`, {
      method: "POST",
      headers: { host: "signet.test", "content-type": "application/json" },
      body: JSON.stringify({ ...bodies[route], ...(route.startsWith("records") && { cell: ofKitsap }) }),
    });
    const response = await routes[route].POST(request, { params: Promise.resolve({ team: "north" }) });
    return { status: response.status, text: await response.text() };
  };
  const ofKitsap = { ...cell, group: { county: "Kitsap" } };

  test.each(Object.keys(routes) as Route[])(
    "%s reads all its campaigns, with the keys of the team alone",
    async (route) => {
      const answer = await askTeam(route, "ann");
      expect(answer.status).toBe(200);
      expect(answer.text).toContain("Kitsap");
      expect(answer.text).not.toContain("Clark");
      for (const other of ["ben", "cleo", "dan", "eve"]) expect((await askTeam(route, other)).status, other).toBe(403);
    },
  );
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
])("%s: what the database could not take is refused before it, naming the field: %j", async (route, body) => {
  const answer = await ask(route, { as: "ann", body });
  expect(answer.status).toBe(400);
  expect(JSON.parse(answer.text).error).toMatch(/^(source|metrics|filters|cell|offset|limit|prefix|column)/);
});

test.each<[Route, object]>([
  ["preview", { ...query, groupBy: "party" }],
  ["records", { cell: { ...cell, group: {} }, offset: 0, limit: 1 }],
  ["records-csv", { cell: { ...cell, source: "secrets" }, name: "" }],
  ["values", { source: "teams", column: "name", prefix: "" }],
])("%s: what cannot run is 422: %j", async (route, body) => {
  expect((await ask(route, { as: "ann", body })).status).toBe(422);
});
