// Exports and searches are logged: the real routes on a real database, without Redis and with a mocked search backend.

import { HttpResponse, http, passthrough } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { recordSignInFrom } from "@/lib/activity/reads";
import * as activityCsv from "../../../app/[team]/activity/csv/route.ts";
import * as readsCsv from "../../../app/[team]/activity/reads/csv/route.ts";
import * as recordsCsv from "../../../app/[team]/campaign/[campaign]/dashboard/records-csv/route.ts";
import * as registerCsv from "../../../app/[team]/campaign/[campaign]/signatures/register/csv/route.ts";
import * as membersCsv from "../../../app/[team]/members/csv/route.ts";
import { POST as essearch } from "../../../app/api/essearch/route.ts";
import { POST as common } from "../../../app/api/essearch-common/route.ts";
import type { AccessLogFilter } from "../../../lib/activity/activity-filter.ts";
import { listReads } from "../../../lib/activity/reads.ts";
import { caller } from "../../support/caller.ts";
import { addSignatures, askSnapshotsOf } from "../../support/chart-world.ts";
import { setUpEnv, setUpTestDatabase } from "../../support/test-database.ts";
import { makeAdministeredTeam } from "../team-access/administered-team.ts";

const state = vi.hoisted(() => ({ afterwards: [] as (() => Promise<void>)[] }));
vi.mock("next/server", () => ({ after: (task: () => Promise<void>) => void state.afterwards.push(task) }));
// The browser has a token of the search backend: a search without one logs in, at most 6 times a minute.
vi.mock("next/headers", () => ({
  cookies: async () => ({ get: () => ({ value: "backend-token" }), set: () => undefined, delete: () => undefined }),
}));
vi.mock("../../../lib/auth/get-session.ts", () => import("../../support/caller.ts"));
vi.mock("../../../lib/permissions/route-permissions.ts", () => import("../../support/caller.ts"));

const backend = "http://search.test";
const server = setupServer(http.all("http://127.0.0.1:*", () => passthrough()));
const database = await setUpTestDatabase();
setUpEnv({
  ...(await database.serve()),
  REDIS_URL: "redis://127.0.0.1:1",
  SEARCHSVC_URL_SEARCH: backend,
  SEARCHSVC_API_EMAIL_SEARCH: "common@search.test",
  SEARCHSVC_API_PASSWORD_SEARCH: "common-password",
});
const team = await makeAdministeredTeam(database);
askSnapshotsOf(database);

// `gil` administers both teams, in addition to the people of the demo.
beforeAll(async () => {
  server.listen({ onUnhandledFrame: "error" });
  const gil = await database.signUp("gil");
  team.people.set("gil", gil);
  await database.sql(
    `insert into public.team_users (user_id, team_id, role_id, status)
     select $1, t.id, $2, 'active' from public.teams t where t.id in ('riverside', 'hillside')`,
    [gil.id, team.roles.Administrator],
  );
  await addSignatures(database, { team: "riverside", campaign: "clean-water", counties: ["King", "King", "Pierce"] });
});
afterAll(() => server.close());
beforeEach(async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(console, "info").mockImplementation(() => undefined);
  state.afterwards = [];
  answerSearches(() => HttpResponse.json({ hits: [{ _id: "1" }, { _id: "2" }], total: 312 }));
  await database.sql("delete from public.read_log");
});
afterEach(() => {
  server.resetHandlers();
  vi.restoreAllMocks();
});

function answerSearches(respond: () => Response) {
  server.use(http.post(`${backend}/essearch/validation`, respond));
}

const metric = { key: "n", aggregation: "count" };
const cell = { source: "signatures", groupBy: "county", filters: [], group: { county: "King" }, metric };
const params = { lastName: "smi", zip: "98030", queryFrom: 0, querySize: 2 };
const credentials = {
  name: "searchsvc_token_search",
  emailKey: "SEARCHSVC_API_EMAIL_SEARCH",
  endpointKey: "SEARCHSVC_URL_SEARCH",
  passwordKey: "SEARCHSVC_API_PASSWORD_SEARCH",
};

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;
type Call = { run: Handler; path?: Record<string, string>; query?: string; body?: object };
const riverside = { team: "riverside" };
const water = { team: "riverside", campaign: "clean-water" };
const ofTeam = { team_id: "riverside", campaign_id: null, campaign_name: null };
const ofWater = { team_id: "riverside", campaign_id: "clean-water", campaign_name: "Clean water" };
const exports: Record<string, Call & { row: object }> = {
  register: {
    run: registerCsv.GET,
    path: water,
    query: "?county=King&verdict=accepted",
    row: { ...ofWater, filter: { county: "King", verdict: "accepted" }, row_count: 2 },
  },
  members: {
    run: membersCsv.GET,
    path: riverside,
    query: "?status=active&sort=-name",
    row: { ...ofTeam, filter: { status: "active", sort: "-name" }, row_count: 6 },
  },
  activity: {
    run: activityCsv.GET,
    path: riverside,
    query: "?area=members",
    row: { ...ofTeam, filter: { area: "members" }, row_count: 7 },
  },
  records: {
    run: recordsCsv.POST,
    path: water,
    body: { cell, name: "By county" },
    row: { ...ofWater, filter: { ...cell, name: "By county" }, row_count: 2 },
  },
};
const searches: Record<string, Call> = {
  essearch: { run: essearch, body: { params, credentials } },
  "essearch-common": { run: common, body: { params } },
};

async function callRoute({ run, path = {}, query = "", body }: Call, as: string | null) {
  const { id = "", token = "" } = as === null ? {} : team.person(as);
  caller.session = as === null ? null : { userId: id, email: `${as}@people.test`, accessToken: token };
  const request = new Request(`http://signet.test/asked${query}`, {
    method: body ? "POST" : "GET",
    headers: { host: "signet.test", "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const response = await run(request, { params: Promise.resolve(path) });
  const result = { status: response.status, text: await response.text() };
  for (const task of state.afterwards.splice(0)) await task();
  return result;
}
const rows = () =>
  database.sql<Record<string, unknown>>(
    `select actor_id, actor_name, team_id, campaign_id, campaign_name, kind, filter, row_count, match_count::int
     from public.read_log order by id`,
  );

test.each(Object.entries(exports))("an export is logged once: %s", async (kind, { row, ...call }) => {
  const { status, text } = await callRoute(call, "admin");
  expect(status).toBe(200);
  const admin = { actor_id: team.person("admin").id, actor_name: "admin" };
  expect(await rows()).toEqual([{ ...admin, kind, ...row, match_count: null }]);
  const [, ...lines] = text.trimEnd().split("\r\n");
  expect(row).toMatchObject({ row_count: lines.length });
});

test("what was read is exported as sentences, which is logged too", async () => {
  await callRoute({ run: common, body: { params } }, "admin");
  const { status, text } = await callRoute({ run: readsCsv.GET, path: riverside, query: "?kind=searches" }, "admin");
  expect(status).toBe(200);
  const [head, line, ...others] = text.trimEnd().split("\r\n");
  expect([head, others]).toEqual(['"Time (UTC)","Person","Action","Details","Campaign"', []]);
  expect(line).toMatch(/^"20[^"]+","admin","searched voters: [^"]+ — 312 matches[^"]*","",""$/);
  expect((await rows()).at(-1)).toMatchObject({ kind: "activity", filter: { kind: "searches" }, row_count: 1 });
});

describe.each(Object.entries(searches))("a search through %s", (_route, call) => {
  const search = {
    campaign_id: null,
    campaign_name: null,
    kind: "search",
    filter: params,
    row_count: 2,
    match_count: 312,
  };

  test("is logged once, for the team in which they can search, without credentials", async () => {
    expect((await callRoute(call, "admin")).status).toBe(200);
    const admin = { actor_id: team.person("admin").id, actor_name: "admin" };
    expect(await rows()).toEqual([{ ...admin, team_id: "riverside", ...search }]);
    expect(JSON.stringify(await database.sql("select * from public.read_log"))).not.toMatch(
      /searchsvc|token|password/i,
    );
  });

  test("is logged for each of their teams", async () => {
    await callRoute(call, "gil");
    expect((await rows()).map(({ actor_name, team_id }) => [actor_name, team_id]).sort()).toEqual([
      ["gil", "hillside"],
      ["gil", "riverside"],
    ]);
  });

  test("that the backend fails isn't logged", async () => {
    answerSearches(() => HttpResponse.json({}, { status: 500 }));
    expect((await callRoute(call, "admin")).status).toBe(502);
    expect(await rows()).toEqual([]);
  });
});

describe.each(Object.entries({ ...exports, ...searches }))("%s", (_what, call) => {
  test("that is refused or invalid isn't logged", async () => {
    for (const [as, status] of [
      [null, 401],
      ["suspended", 403],
      ["outsider", 403],
    ] as const) {
      expect([as, (await callRoute(call, as)).status]).toEqual([as, status]);
    }
    const wrong = call.body ? { ...call, body: { params: 1 } } : { ...call, query: "?status=x&verdict=x&area=x" };
    expect((await callRoute(wrong, "admin")).status).toBe(400);
    expect(await rows()).toEqual([]);
  });

  test("gets the same answer when it can't be recorded, and that failure is logged once", async () => {
    const result = await callRoute(call, "admin");
    await database.sql("delete from public.read_log");
    await database.sql("alter function public.record_read rename to record_read_elsewhere");
    vi.mocked(console.error).mockClear();
    const { status, text } = await callRoute(call, "admin");
    await database.sql("alter function public.record_read_elsewhere rename to record_read");
    expect({ status, text }).toEqual(result);
    expect(await rows()).toEqual([]);
    const lines = vi.mocked(console.error).mock.calls.map(([line]) => String(line));
    const logged = lines.filter((line) => line.startsWith('{"event"')).map((line) => JSON.parse(line));
    expect(logged).toMatchObject([
      { message: "A sign-in, an export or a search wasn't recorded.", user: team.person("admin").id },
    ]);
    expect(JSON.stringify(logged)).not.toMatch(/smi|98030|backend-token/);
  });
});

test("a long part of a filter is cut, and the other parts are stored whole", async () => {
  const filters = Array.from({ length: 50 }, () => ({ column: "county", operator: "neq", value: "é".repeat(300) }));
  await callRoute(
    { ...exports.records, run: recordsCsv.POST, body: { cell: { ...cell, filters }, name: "Long" } },
    "admin",
  );
  const [{ filter = {} } = {}] = await database.sql<{ filter: Record<string, unknown> }>(
    "select filter from public.read_log",
  );
  expect(filter).toMatchObject({ name: "Long", group: { county: "King" } });
  expect(filter.filters).toEqual(expect.stringMatching(/^\[\{"value": "é{50}.*…$/));
  expect(String(filter.filters)).toHaveLength(1_001);
});

const listed = (name: string, teamId = "riverside", filter: AccessLogFilter = {}, pageSize?: number) =>
  listReads({ actorId: team.person(name).id, teamId }, filter, pageSize);

describe("the log is shown", () => {
  beforeEach(async () => {
    for (const call of Object.values(exports)) await callRoute(call, "admin");
    for (const call of Object.values(searches)) await callRoute(call, "gil");
  });

  test("to people with members.manage in the team, newest first, in pages", async () => {
    const { reads, next } = await listed("admin");
    expect(next).toBeNull();
    expect(reads.map(({ actor, kind }) => [actor, kind])).toEqual([
      ...[1, 2].map(() => ["gil", "search"]),
      ...Object.keys(exports)
        .toReversed()
        .map((kind) => ["admin", kind]),
    ]);
    expect(reads[0]).toEqual({
      id: expect.any(Number),
      at: expect.any(String),
      actorId: team.person("gil").id,
      actor: "gil",
      campaign: null,
      kind: "search",
      filter: params,
      rowCount: 2,
      matchCount: 312,
    });
    const first = await listed("admin", "riverside", {}, 4);
    const second = await listed("admin", "riverside", { before: first.next ?? 0 }, 4);
    expect([first.reads.length, second.next]).toEqual([4, null]);
    expect([...first.reads, ...second.reads]).toEqual(reads);
  });

  test("to no one else: not without the key, not when suspended, and not to another team", async () => {
    for (const name of ["staff", "outsider", "hill", "suspended"]) expect((await listed(name)).reads).toEqual([]);
    const ofHillside = (await listed("hill", "hillside")).reads;
    expect(ofHillside.map(({ actor, kind }) => [actor, kind])).toEqual([1, 2].map(() => ["gil", "search"]));
    expect((await listed("admin", "hillside")).reads).toEqual([]);
  });

  test("filtered by kind, person, and by days in the team's time zone", async () => {
    const kindsOf = async (filter: AccessLogFilter) =>
      (await listed("admin", "riverside", filter)).reads.map(({ kind }) => kind);
    expect(await kindsOf({ kind: "searches" })).toEqual(["search", "search"]);
    expect(await kindsOf({ kind: "exports" })).toEqual(Object.keys(exports).toReversed());
    expect(await kindsOf({ actor: team.person("gil").id })).toEqual(["search", "search"]);
    await database.sql("update public.teams set time_zone = 'Pacific/Auckland' where id = 'riverside'");
    // 11:30 UTC is 00:30 of the next day there.
    await database.sql("update public.read_log set at = '2026-11-20T11:30Z' where kind = 'register'");
    expect(await kindsOf({ from: "2026-11-21", to: "2026-11-21" })).toEqual(["register"]);
    expect(await kindsOf({ to: "2026-11-20" })).toEqual([]);
    await database.sql("update public.teams set time_zone = 'UTC' where id = 'riverside'");
  });

  test("with the names that a deleted account and a renamed campaign had", async () => {
    const fay = await database.signUp("fay");
    const record = `select public.record_read($1, '{riverside}', 'safe-streets', 'register', '{}', 3, null)`;
    await database.sql(record, [fay.id]);
    await database.sql("update public.campaigns set name = 'Quiet streets' where id = 'safe-streets'");
    await database.sql("delete from auth.users where id = $1", [fay.id]);
    const { reads } = await listed("admin");
    expect(reads[0]).toMatchObject({ actor: "fay", campaign: "Safe streets" });
  });
});

test("deleting a team deletes its log of reads", async () => {
  await database.sql("insert into public.teams (id, name) values ('west', 'West')");
  await database.sql(`select public.record_read($1, '{west,riverside}', null, 'search', '{}', 1, 1)`, [
    team.person("gil").id,
  ]);
  await database.sql("delete from public.teams where id = 'west'");
  expect((await rows()).map(({ team_id }) => team_id)).toEqual(["riverside"]);
});

test("a sign-in is logged for each team in which the person is active", async () => {
  recordSignInFrom(team.person("clerk").id, "Chrome on Windows");
  recordSignInFrom(team.person("suspended").id, "Chrome on Windows");
  for (const task of state.afterwards.splice(0)) await task();
  expect(
    (await rows()).map(({ actor_name, team_id, kind, filter }) => ({ actor_name, team_id, kind, filter })),
  ).toEqual([{ actor_name: "clerk", team_id: "riverside", kind: "sign-in", filter: { device: "Chrome on Windows" } }]);
});
