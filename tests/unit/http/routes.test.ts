import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { rateLimits } from "../../../lib/env.ts";
import { AppError } from "../../../lib/errors.ts";
import type { RateKind } from "../../../lib/http/require-rate.ts";
import { route } from "../../../lib/http/route.ts";
import { permissionLabel } from "../../../lib/permissions/permission-keys.ts";

// What every route refuses, in the same way: by whom, of which place, how often, with which method.

const state = vi.hoisted(() => ({
  session: null as { userId: string; email: string; accessToken: string } | null,
  open: true,
  keys: [] as string[],
  failure: null as Error | null,
  /** Whether Auth has ended the session, whose token still holds. */
  isOver: false,
  /** What the snapshot function says of a session that Auth knows no more. */
  ended: null as Error | null,
  /** What routes have asked of the database, of Redis beside the limit, and of cookies. */
  touched: [] as string[],
}));
const touch = (what: string): never => {
  state.touched.push(what);
  throw new Error(`${what} was touched`);
};
vi.mock("next/server", () => ({ after: () => undefined }));
vi.mock("../../../lib/auth/get-session.ts", () => {
  const getSession = async () => {
    if (state.failure) throw state.failure;
    return state.session;
  };
  return { getSession, getLiveSession: async () => (state.isOver ? null : getSession()) };
});
vi.mock("../../../lib/permissions/route-permissions.ts", () => ({
  routePermissions: async () => {
    if (state.ended) throw state.ended;
    return state.open
      ? { teamAccess: true, campaignAccess: true, permissionKeys: state.keys }
      : { teamAccess: false, campaignAccess: false, permissionKeys: [] };
  },
}));
vi.mock("../../../lib/permissions/list-places.ts", () => ({
  listPlaces: async () =>
    state.open ? [{ id: "north", permissionKeys: [], campaigns: [{ id: "lakes", permissionKeys: state.keys }] }] : [],
}));
vi.mock("../../../lib/redis.ts", () => ({
  // Away, so that the limit counts in the process; who asks it for anything else is told on.
  withRedis: async (run: (redis: unknown) => unknown) =>
    run(
      new Proxy(
        {},
        {
          get: (_, command) => () =>
            ["eval", "ping"].includes(String(command)) ? Promise.reject(new Error()) : touch("redis"),
        },
      ),
    ),
}));
const chart = { team_id: "north", campaign_id: "lakes" };
vi.mock("../../../lib/supabase/admin.ts", () => ({
  createAdminClient: () => {
    const query = {
      select: () => query,
      eq: () => query,
      is: () => query,
      maybeSingle: async () => ({ data: chart, error: null }),
    };
    return { from: () => query, rpc: (name: string) => touch(`database ${name}`) };
  },
}));
vi.mock("../../../lib/supabase/server.ts", () => ({ createSessionClient: () => touch("database") }));
vi.mock("next/headers", () => ({ cookies: () => touch("cookies") }));

type Row = {
  method: "GET" | "POST";
  params?: Record<string, string>;
  query?: string;
  body?: object;
  /** Which refusals it has: by the place, by keys, by the limit. */
  place?: "campaign" | "team" | "chart";
  keys?: string[];
  rate?: RateKind;
  withoutSession?: number;
  fromAnySite?: true;
  /** Files and lines: Auth is asked of the session each time. */
  live?: true;
};
const path = { team: "north", campaign: "lakes" };
const cell = {
  ...{ source: "signatures", groupBy: "county", filters: [], group: { county: "King" } },
  metric: { key: "n", aggregation: "count" },
};
const search = { params: {} };
const credentials = {
  name: "searchsvc_token_search",
  emailKey: "SEARCHSVC_API_EMAIL_SEARCH",
  endpointKey: "SEARCHSVC_URL_SEARCH",
  passwordKey: "SEARCHSVC_API_PASSWORD_SEARCH",
};
const onDashboard = { method: "POST", params: path, place: "campaign" } as const;
const onTeamDashboard = { method: "POST", params: { team: "north" }, place: "team" } as const;
const bodies = {
  preview: { source: "signatures", groupBy: "", filters: [], metrics: [{ key: "n", aggregation: "count" }] },
  records: { cell, offset: 0, limit: 10 },
  file: { cell, name: "By county" },
  values: { source: "signatures", column: "county", prefix: "" },
};
const [lines, editing, searching] = [["signatures.view", "signatures.enter"], ["charts.edit"], ["voters.search"]];
const rows: Record<string, Row> = {
  "[team]/activity/csv": {
    ...{ method: "GET", params: { team: "north" }, place: "team" },
    ...{ live: true, keys: ["members.manage"], rate: "activityExport" },
  },
  "[team]/members/csv": {
    ...{ method: "GET", params: { team: "north" }, place: "team", query: "?status=active&sort=-role" },
    ...{ live: true, keys: ["members.view"], rate: "membersExport" },
  },
  "[team]/campaign/[campaign]/dashboard/preview": {
    ...{ ...onDashboard, keys: editing, rate: "preview", body: bodies.preview },
  },
  "[team]/campaign/[campaign]/dashboard/records": {
    ...{ ...onDashboard, keys: ["signatures.view"], rate: "preview", body: bodies.records },
  },
  "[team]/campaign/[campaign]/dashboard/records-csv": {
    ...{ ...onDashboard, live: true, keys: ["signatures.view"], rate: "charts", body: bodies.file },
  },
  "[team]/campaign/[campaign]/dashboard/values": {
    ...{ ...onDashboard, keys: editing, rate: "preview", body: bodies.values },
  },
  "[team]/campaign/[campaign]/signatures/register/csv": {
    ...{ method: "GET", params: path, place: "campaign", query: "?sheet=12" },
    ...{ live: true, keys: ["signatures.view"], rate: "registerExport" },
  },
  "[team]/dashboard/preview": { ...onTeamDashboard, keys: editing, rate: "preview", body: bodies.preview },
  "[team]/dashboard/records": {
    ...{ ...onTeamDashboard, keys: ["signatures.view"], rate: "preview", body: bodies.records },
  },
  "[team]/dashboard/records-csv": {
    ...{ ...onTeamDashboard, live: true, keys: ["signatures.view"], rate: "charts", body: bodies.file },
  },
  "[team]/dashboard/values": { ...onTeamDashboard, keys: editing, rate: "preview", body: bodies.values },
  "api/charts/[id]": {
    ...{ method: "POST", params: { id: "00000000-0000-4000-8000-000000000001" }, place: "chart" },
    ...{ keys: editing, rate: "charts" },
  },
  "api/duplicate": {
    ...{ method: "POST", place: "campaign", rate: "duplicate" },
    body: { campaignId: "lakes", voterId: "v1" },
  },
  "api/duplicate/batch": {
    ...{ method: "POST", place: "campaign", rate: "duplicateBatch" },
    body: { campaignId: "lakes", voterIds: ["v1"] },
  },
  "api/essearch": { method: "POST", keys: searching, rate: "search", body: { ...search, credentials } },
  "api/essearch-common": { method: "POST", keys: searching, rate: "search", body: search },
  "api/go": { method: "GET", rate: "go" },
  "api/health": { method: "GET", fromAnySite: true, withoutSession: 200 },
  "api/permissions/fingerprint": { method: "GET", query: "?team=north", rate: "fingerprint" },
  "api/permissions/revalidate": { method: "POST", rate: "revalidate", withoutSession: 204 },
  "api/progress": {
    ...{ method: "GET", query: "?team=north&campaign=lakes", place: "campaign" },
    ...{ keys: ["campaign.view"], rate: "progress" },
  },
  "api/signatures": {
    ...{ method: "POST", live: true, place: "campaign", keys: ["signatures.enter"], rate: "signatures" },
    body: { ...path, changes: [{ id: "00000000-0000-4000-8000-000000000001", kind: "close-sheet", sheet: 3 }] },
  },
  "api/signatures/signed": {
    ...{ method: "POST", place: "campaign", keys: lines, rate: "signed" },
    body: { team: "north", campaign: "lakes", voterIds: ["v1"] },
  },
  "api/signatures/state": {
    ...{ method: "GET", query: "?team=north&campaign=lakes", place: "campaign", keys: lines, rate: "entryState" },
  },
  "api/signers/progress": {
    ...{ method: "GET", query: "?team=north&campaign=lakes", place: "campaign" },
    ...{ keys: ["signatures.remove"], rate: "signerProgress" },
  },
  "auth/callback": { method: "GET", fromAnySite: true, withoutSession: 307 },
};
const unknownAddress = "app/api/[...rest]/route.ts";
const methods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];
const table = Object.entries(rows);
const where = (has: (row: Row) => unknown) => table.filter(([, row]) => has(row));

const logged = vi.spyOn(console, "info").mockImplementation(() => undefined);
beforeAll(() => {
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", "http://127.0.0.1:1");
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
  vi.stubEnv("SUPABASE_SECRET_KEY", "sb_secret_test");
  vi.stubEnv("SEARCHSVC_URL_SEARCH", "http://127.0.0.1:1");
  vi.stubEnv("SEARCHSVC_API_EMAIL_SEARCH", "search@example.org");
  vi.stubEnv("SEARCHSVC_API_PASSWORD_SEARCH", "password");
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
afterAll(() => void vi.unstubAllEnvs());
beforeEach(() => {
  logged.mockClear();
  Object.assign(state, { open: true, keys: [], failure: null, isOver: false, ended: null, touched: [] });
  state.session = { userId: crypto.randomUUID(), email: "clerk@demo.test", accessToken: "token" };
});

const filled = (name: string, { params = {} }: Row) => name.replace(/\[(\w+)\]/g, (_, part) => params[part] ?? "");

async function ask(name: string, row: Row, { method = row.method, headers = {}, body = row.body }: AskOptions = {}) {
  const handlers: Record<string, (request: Request, context: object) => Promise<Response>> = await import(
    /* @vite-ignore */ resolve(`app/${name}/route.ts`)
  );
  const request = new Request(`http://signet.test/${filled(name, row)}${row.query ?? ""}`, {
    method,
    headers: { host: "signet.test", "content-type": "application/json", ...headers },
    ...(body !== undefined && method === "POST" && { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const response = await handlers[method]?.(request, { params: Promise.resolve(row.params ?? {}) });
  if (!response) throw new Error(`${name} has no ${method}.`);
  const text = await response.text();
  const isCallback = response.status === 307;
  expect(response.headers.get("cache-control")).toBe(isCallback ? "private, no-store" : "no-store");
  return { status: response.status, body: text === "" ? null : JSON.parse(text), headers: response.headers };
}
type AskOptions = { method?: string; headers?: Record<string, string>; body?: object | string };

/** What was logged of a refusal; there is exactly one line. */
const refusal = () => {
  expect(logged).toHaveBeenCalledTimes(1);
  const line: unknown = JSON.parse(String(logged.mock.calls[0]?.[0]));
  expect(line).toMatchObject({ event: "refused" });
  return line;
};
const sentence = { error: expect.stringMatching(/\.$/) };

test.each<[string, () => unknown, object]>([
  ["a value", () => ({ exists: true }), { "cache-control": "no-store", "content-type": "application/json" }],
  [
    "a file",
    () => new Response("a,b", { headers: { "content-type": "text/csv" } }),
    { "cache-control": "no-store", "content-type": "text/csv" },
  ],
  [
    "an answer that says so itself",
    () => new Response(null, { headers: { "cache-control": "private, no-store" } }),
    { "cache-control": "private, no-store" },
  ],
])("200 with %s: nobody may keep it", async (_what, run, headers) => {
  const { GET } = route({ method: "GET", guard: "everyone", run });
  const response = await GET(new Request("http://signet.test/test"));
  expect([response.status, Object.fromEntries(response.headers)]).toEqual([200, headers]);
});

test.each([
  [200, 65_536],
  [413, 65_537],
])("%i for a body of %i bytes", async (status, size) => {
  const { POST } = route({ method: "POST", guard: "everyone", body: z.object({ name: z.string() }), run: () => ({}) });
  const body = JSON.stringify({ name: "é".padEnd(size - '{"name":"é"}'.length, "x") });
  expect(Buffer.byteLength(body)).toBe(size);
  const headers = { "content-type": "application/json" };
  const response = await POST(new Request("http://signet.test/test", { method: "POST", headers, body }));
  const error = "The request is larger than 64 KiB.";
  expect([response.status, await response.json()]).toEqual([status, status === 200 ? {} : { error }]);
});

test("the table has every route, and each has what is its own in 25 lines at most", () => {
  const files = globSync("app/**/route.ts").filter((file) => file !== unknownAddress);
  expect(files.map((file) => file.replace(/^app\/|\/route\.ts$/g, "")).sort()).toEqual(Object.keys(rows).sort());
  for (const file of files) {
    expect(readFileSync(file, "utf8").trimEnd().split("\n").length, file).toBeLessThanOrEqual(25);
  }
});

test("an address under /api/ that is none: 404 with any method, as JSON that nobody may keep", async () => {
  const handlers: Record<string, () => Response> = await import(/* @vite-ignore */ resolve(unknownAddress));
  expect(Object.keys(handlers).sort()).toEqual(methods);
  for (const method of methods) {
    const response = handlers[method]?.();
    expect([response?.status, response?.headers.get("cache-control")]).toEqual([404, "no-store"]);
    expect(await response?.json()).toEqual({ error: "There's nothing at this address. Check it for typos." });
  }
});

test.each(table)("%s: 405 for other methods, with Allow", async (name, row) => {
  const allowed = row.method === "GET" ? ["GET", "HEAD"] : ["POST"];
  for (const method of methods) {
    if (allowed.includes(method)) continue;
    const { status, headers, body } = await ask(name, row, { method });
    expect([method, status, headers.get("allow"), body]).toEqual([
      method,
      405,
      allowed.join(", "),
      { error: `This address only accepts ${row.method} requests.` },
    ]);
  }
  expect(state.touched).toEqual([]);
});

test.each(where(({ fromAnySite }) => !fromAnySite))("%s: 403 from another site, whoever asks", async (name, row) => {
  const error = "This request came from another site. Open Signet and try again.";
  for (const [header, value] of [
    ["sec-fetch-site", "cross-site"],
    ["origin", "https://evil.test"],
  ] as const) {
    expect(await ask(name, row, { headers: { [header]: value } })).toMatchObject({ status: 403, body: { error } });
  }
  expect(state.touched).toEqual([]);
});

test.each(table)("%s: without a session", async (name, row) => {
  state.session = null;
  const { status, body } = await ask(name, row);
  expect(status).toBe(row.withoutSession ?? 401);
  expect(state.touched).toEqual([]);
  if (status !== 401) return;
  expect(body).toEqual({ error: "Your session has ended. Sign in again." });
  expect(refusal()).toMatchObject({ status, route: `/${filled(name, row)}` });
});

test.each(table)("%s: a session that Auth has ended, of which files and lines ask it", async (name, row) => {
  expect(row.live ?? false).toBe(name.endsWith("csv") || name === "api/signatures");
  state.isOver = true;
  expect((await ask(name, row)).status === 401).toBe(row.live ?? false);
  if (row.live) expect(state.touched).toEqual([]);
});

test.each(where(({ fromAnySite }) => !fromAnySite))("%s: Auth away is no session that ended", async (name, row) => {
  const message = "Couldn't check your sign-in. Try again in a moment.";
  state.failure = new AppError("unavailable", message, { retryAfter: 1 }); // as get-session.test.ts has it
  const { status, headers, body } = await ask(name, row);
  expect([status, headers.get("retry-after"), body]).toEqual([503, "1", { error: message }]);
  expect(state.touched).toEqual([]);
});

test.each(where(({ withoutSession }) => !withoutSession))(
  "%s: permissions that cannot be read are 503 with Retry-After, at the duplicate check 500",
  async (name, row) => {
    const message = "Your permissions could not be read. Try again in a moment.";
    state.ended = new AppError("unavailable", message);
    const { status, headers, body } = await ask(name, row);
    const expected = name.startsWith("api/duplicate") ? [500, null] : [503, "1"];
    expect([status, headers.get("retry-after"), body]).toEqual([...expected, { error: message }]);
    expect(state.touched).toEqual([]);
  },
);

test.each(where(({ withoutSession }) => !withoutSession))(
  "%s: a session that was ended elsewhere",
  async (name, row) => {
    state.keys = row.keys ?? [];
    state.ended = new AppError("unauthenticated", "Your session has ended. Sign in again.");
    expect(await ask(name, row)).toMatchObject({ status: 401, body: { error: state.ended.message } });
    expect(state.touched).toEqual([]);
  },
);

test.each(where(({ place }) => place))("%s: a place that is not open to her", async (name, row) => {
  state.open = false;
  const { status, body } = await ask(name, row);
  const notOpen = `You don't have access to this ${row.place}. Ask an administrator of its team.`;
  const missing = "This chart doesn't exist any more. Reload the dashboard.";
  expect([status, body]).toEqual(row.place === "chart" ? [404, { error: missing }] : [403, { error: notOpen }]);
  const about = { campaign: { campaign: "lakes" }, team: { team: "north" }, chart: {} }[row.place ?? "chart"];
  expect(refusal()).toMatchObject({ status, user: state.session?.userId, ...about });
  expect(state.touched).toEqual([]);
});

test.each(where(({ keys }) => keys))("%s: 403 without its key, which it names", async (name, row) => {
  state.keys = row.keys?.includes("campaign.view") ? [] : ["campaign.view"];
  const { status, body } = await ask(name, row);
  const error = expect.stringContaining(`“${permissionLabel(row.keys?.[0] ?? "")}”. Ask an administrator of`);
  expect([status, body]).toEqual([403, { error }]);
  expect(refusal()).toMatchObject({ status: 403, user: state.session?.userId });
  expect(state.touched).toEqual([]);
});

test.each(where(({ keys }) => keys))("%s: each of its keys opens it", async (name, row) => {
  for (const key of row.keys ?? []) {
    state.keys = [key];
    const { status } = await ask(name, row);
    expect([200, 500]).toContain(status); // what it reads is not there
    expect(state.touched.length).toBeGreaterThan(0);
  }
});

test.each(where(({ rate }) => rate))("%s: 429 beyond its limit for a minute", async (name, row) => {
  const counters = Reflect.get(globalThis, Symbol.for("signet.rate-limit"));
  const kind = row.rate;
  if (!kind || !(counters instanceof Map)) throw new Error("There is no limit.");
  counters.set(`rate:${kind}:${state.session?.userId}`, { count: rateLimits()[kind], endsAt: Date.now() + 30_000 });
  state.keys = row.keys ?? [];
  const { status, headers, body } = await ask(name, row);
  expect([status, headers.get("retry-after"), body]).toEqual([
    429,
    "30",
    { error: "Too many requests. Try again in 30 seconds." },
  ]);
  expect(refusal()).toMatchObject({ status: 429, ...(!row.withoutSession && { user: state.session?.userId }) });
  expect(state.touched).toEqual([]);
});

describe.each(where(({ body }) => body))("%s: a body that cannot be read", (name, row) => {
  test.each<[number, AskOptions]>([
    [415, { headers: { "content-type": "text/plain" } }],
    [413, { body: { ...row.body, more: "x".repeat(70_000) } }],
    [400, { body: "{" }],
    [400, { body: {} }],
  ])("%i", async (status, options) => {
    state.keys = row.keys ?? [];
    expect(await ask(name, row, options)).toMatchObject({ status, body: sentence });
    expect(state.touched).toEqual([]);
  });
});

test.each<[string, string, RegExp]>([
  ["api/signatures/state", "", /^team must be a text\.$/],
  ["api/signatures/state", "?team=north", /^campaign must be a text\.$/],
  ["api/signatures/state", "?team=no%2Frth&campaign=lakes", /^team must be 1 to 63/],
  ["api/signatures/state", "?team=north&campaign=lakes&sheet=x&line=1", /^sheet must be a whole number\.$/],
  ["api/signatures/state", "?team=north&campaign=lakes&sheet=1&line=0", /^line must be 1 or more\.$/],
  ["api/signers/progress", "?team=north&campaign=a:b", /^campaign must be 1 to 63/],
  ["api/permissions/fingerprint", "?campaign=lakes", /^campaign needs team\.$/],
  ["api/permissions/fingerprint", "?team=north&asking=yes", /^asking must be true\.$/],
  ["[team]/members/csv", "?status=gone", /^status isn't a status\.$/],
  ["[team]/campaign/[campaign]/signatures/register/csv", "?sheet=", /^sheet must be 1 or more\.$/],
  ["[team]/campaign/[campaign]/signatures/register/csv", "?verdict=Accepted", /^verdict is no verdict\.$/],
])("%s%s: 400 that names what is wrong", async (name, query, error) => {
  const row = rows[name];
  if (!row) throw new Error(`There is no ${name}.`);
  const answer = await ask(name, { ...row, query });
  expect(answer).toMatchObject({ status: 400, body: { error: expect.stringMatching(error) } });
  expect(state.touched).toEqual([]);
});
