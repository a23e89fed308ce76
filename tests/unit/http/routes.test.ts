import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { rateLimits } from "../../../lib/env.ts";
import { AppError } from "../../../lib/errors.ts";
import type { RateKind } from "../../../lib/http/enforce-rate-limit.ts";
import { route } from "../../../lib/http/route.ts";
import { permissionLabel } from "../../../lib/permissions/permission-keys.ts";

// What every route refuses in the same way: by user, place, rate and method.

const state = vi.hoisted(() => ({
  session: null as { userId: string; email: string; accessToken: string } | null,
  open: true,
  /** The team requires a second factor, which the session lacks. */
  toSecure: false,
  keys: [] as string[],
  failure: null as Error | null,
  /** Whether Auth has ended the session although its token is still valid. */
  isEnded: false,
  /** The error of the snapshot function for a session that Auth has ended. */
  snapshotError: null as Error | null,
  /** What routes have requested from the database, Redis (except rate limits) and cookies. */
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
  return { getSession, getLiveSession: async () => (state.isEnded ? null : getSession()) };
});
vi.mock("../../../lib/permissions/route-permissions.ts", () => ({
  routePermissions: async () => {
    if (state.snapshotError) throw state.snapshotError;
    return state.open
      ? { teamAccess: true, campaignAccess: true, permissionKeys: state.keys }
      : { teamAccess: false, campaignAccess: false, permissionKeys: [] };
  },
}));
vi.mock("../../../lib/permissions/list-places.ts", () => ({
  listTeamsLackingSecondFactor: async () => (state.toSecure ? [{ id: "north" }] : []),
  listPlaces: async () =>
    state.open && !state.toSecure
      ? [{ id: "north", permissionKeys: [], campaigns: [{ id: "lakes", permissionKeys: state.keys }] }]
      : [],
}));
vi.mock("../../../lib/redis.ts", () => ({
  // Unreachable, so that limits count in the process; any other command is recorded.
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
  /** The refusals it has: by place, by permissions, by rate. */
  place?: "campaign" | "team" | "chart";
  keys?: string[];
  rate?: RateKind;
  withoutSession?: number;
  /** What it asks without a session. */
  asks?: string[];
  fromAnySite?: true;
  /** For files and lines Auth is asked about the session each time. */
  live?: true;
};
const path = { team: "north", campaign: "lakes" };
const cell = {
  source: "signatures",
  groupBy: "county",
  filters: [],
  group: { county: "King" },
  metric: { key: "n", aggregation: "count" },
};
const search = { params: {} };
const credentials = {
  name: "searchsvc_token_search",
  emailKey: "SEARCHSVC_API_EMAIL_SEARCH",
  endpointKey: "SEARCHSVC_URL_SEARCH",
  passwordKey: "SEARCHSVC_API_PASSWORD_SEARCH",
};
const ofTeam = { params: { team: "north" }, place: "team" } as const;
const ofCampaign = { params: path, place: "campaign" } as const;
const queried = { method: "GET", query: "?team=north&campaign=lakes", place: "campaign" } as const;
const bodies = {
  preview: { source: "signatures", groupBy: "", filters: [], metrics: [{ key: "n", aggregation: "count" }] },
  records: { cell, offset: 0, limit: 10 },
  file: { cell, name: "By county" },
  values: { source: "signatures", column: "county", prefix: "" },
};
const [lines, editing, searching] = [["signatures.view", "signatures.enter"], ["charts.edit"], ["voters.search"]];
const [seeing, id] = [["signatures.view"], "00000000-0000-4000-8000-000000000001"];
const ofDashboard = (folder: string, place: Pick<Row, "params" | "place">): Record<string, Row> => ({
  [`${folder}/preview`]: { method: "POST", ...place, keys: editing, rate: "preview", body: bodies.preview },
  [`${folder}/records`]: { method: "POST", ...place, keys: seeing, rate: "preview", body: bodies.records },
  [`${folder}/records-csv`]: { method: "POST", ...place, live: true, keys: seeing, rate: "charts", body: bodies.file },
  [`${folder}/values`]: { method: "POST", ...place, keys: editing, rate: "preview", body: bodies.values },
});
const rows: Record<string, Row> = {
  ...ofDashboard("[team]/dashboard", ofTeam),
  ...ofDashboard("[team]/campaign/[campaign]/dashboard", ofCampaign),
  "[team]/activity/csv": { method: "GET", ...ofTeam, live: true, keys: ["members.manage"], rate: "activityExport" },
  "[team]/activity/reads/csv": {
    method: "GET",
    ...ofTeam,
    query: "?kind=exports",
    live: true,
    keys: ["members.manage"],
    rate: "activityExport",
  },
  "[team]/members/csv": {
    method: "GET",
    ...ofTeam,
    query: "?status=active&sort=-role",
    live: true,
    keys: ["members.view"],
    rate: "membersExport",
  },
  "[team]/campaign/[campaign]/signatures/register/csv": {
    method: "GET",
    ...ofCampaign,
    query: "?sheet=12",
    live: true,
    keys: seeing,
    rate: "registerExport",
  },
  "api/charts/[id]": { method: "POST", params: { id }, place: "chart", keys: editing, rate: "charts" },
  "api/dashboard": { ...queried, keys: ["charts.view"], rate: "progress" },
  "api/digest": {
    method: "POST",
    fromAnySite: true,
    withoutSession: 500,
    asks: ["database claimed_digest"],
    body: { id },
  },
  "api/duplicate": {
    method: "POST",
    place: "campaign",
    rate: "duplicate",
    body: { campaignId: "lakes", voterId: "v1" },
  },
  "api/duplicate/batch": {
    method: "POST",
    place: "campaign",
    rate: "duplicateBatch",
    body: { campaignId: "lakes", voterIds: ["v1"] },
  },
  "api/essearch": { method: "POST", keys: searching, rate: "search", body: { ...search, credentials } },
  "api/essearch-common": { method: "POST", keys: searching, rate: "search", body: search },
  "api/go": { method: "GET", rate: "go" },
  "api/health": { method: "GET", fromAnySite: true, withoutSession: 200 },
  "api/permissions/fingerprint": { method: "GET", query: "?team=north", rate: "fingerprint" },
  "api/permissions/revalidate": { method: "POST", rate: "revalidate", withoutSession: 204 },
  "api/progress": { ...queried, keys: ["campaign.view"], rate: "progress" },
  "api/signatures": {
    method: "POST",
    live: true,
    place: "campaign",
    keys: ["signatures.enter"],
    rate: "signatures",
    body: { ...path, changes: [{ id, kind: "close-sheet", sheet: 3 }] },
  },
  "api/signatures/signed": {
    method: "POST",
    place: "campaign",
    keys: lines,
    rate: "signed",
    body: { ...path, voterIds: ["v1"] },
  },
  "api/signatures/state": { ...queried, keys: lines, rate: "entryState" },
  "api/signers/progress": { ...queried, keys: ["signatures.remove"], rate: "signerProgress" },
  "auth/callback": { method: "GET", fromAnySite: true, withoutSession: 307 },
};
const unknownRoute = "app/api/[...rest]/route.ts";
const methods = ["DELETE", "GET", "HEAD", "OPTIONS", "PATCH", "POST", "PUT"];
const table = Object.entries(rows);
const where = (has: (row: Row) => unknown) => table.filter(([, row]) => has(row));

const logged = vi.spyOn(console, "info").mockImplementation(() => undefined);
vi.spyOn(console, "error").mockImplementation(() => undefined);
beforeEach(() => {
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", "http://127.0.0.1:1");
  vi.stubEnv("SEARCHSVC_URL_SEARCH", "http://127.0.0.1:1");
  vi.stubEnv("SEARCHSVC_API_EMAIL_SEARCH", "search@example.org");
  vi.stubEnv("SEARCHSVC_API_PASSWORD_SEARCH", "password");
  logged.mockClear();
  Object.assign(state, {
    open: true,
    toSecure: false,
    keys: [],
    failure: null,
    isEnded: false,
    snapshotError: null,
    touched: [],
  });
  state.session = { userId: crypto.randomUUID(), email: "clerk@demo.test", accessToken: "token" };
});

const filled = (name: string, { params = {} }: Row) => name.replace(/\[(\w+)\]/g, (_, part) => params[part] ?? "");

async function send(name: string, row: Row, { method = row.method, headers = {}, body = row.body }: SendOptions = {}) {
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
type SendOptions = { method?: string; headers?: Record<string, string>; body?: object | string };

/** The log line of a refusal; there is exactly one. */
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
    "an answer with its own header",
    () => new Response(null, { headers: { "cache-control": "private, no-store" } }),
    { "cache-control": "private, no-store" },
  ],
])("200 with %s is never cached", async (_what, run, headers) => {
  const { GET } = route({ method: "GET", guard: "everyone", run });
  const response = await GET(new Request("http://signet.test/test"));
  expect([response.status, Object.fromEntries(response.headers)]).toEqual([200, headers]);
});

test.each([
  [200, 65_536],
  [413, 65_537],
])("returns %i for a body of %i bytes", async (status, size) => {
  const { POST } = route({ method: "POST", guard: "everyone", body: z.object({ name: z.string() }), run: () => ({}) });
  const body = JSON.stringify({ name: "é".padEnd(size - '{"name":"é"}'.length, "x") });
  expect(Buffer.byteLength(body)).toBe(size);
  const headers = { "content-type": "application/json" };
  const response = await POST(new Request("http://signet.test/test", { method: "POST", headers, body }));
  const error = "The request is larger than 64 KiB.";
  expect([response.status, await response.json()]).toEqual([status, status === 200 ? {} : { error }]);
});

test("a body that is cut off is the sender's problem, and isn't logged as a failure", async () => {
  const { POST } = route({ method: "POST", guard: "everyone", body: z.object({}), run: () => ({}) });
  const body = new ReadableStream({ start: (stream) => stream.error(new Error("aborted")) });
  const sent = { method: "POST", headers: { "content-type": "application/json" }, body, duplex: "half" };
  const response = await POST(new Request("http://signet.test/test", sent));
  expect([response.status, await response.json()]).toEqual([400, { error: "The request was cut off. Send it again." }]);
  expect(refusal()).toMatchObject({ status: 400 });
});

test("the table has every route, and each file has at most 25 lines", () => {
  const files = globSync("app/**/route.ts").filter((file) => file !== unknownRoute);
  expect(files.map((file) => file.replace(/^app\/|\/route\.ts$/g, "")).sort()).toEqual(Object.keys(rows).sort());
  for (const file of files) {
    expect(readFileSync(file, "utf8").trimEnd().split("\n").length, file).toBeLessThanOrEqual(25);
  }
});

test("returns 404 for an unknown address under /api/ and any method, as uncached JSON", async () => {
  const handlers: Record<string, () => Response> = await import(/* @vite-ignore */ resolve(unknownRoute));
  expect(Object.keys(handlers).sort()).toEqual(methods);
  for (const method of methods) {
    const response = handlers[method]?.();
    expect([response?.status, response?.headers.get("cache-control")]).toEqual([404, "no-store"]);
    expect(await response?.json()).toEqual({ error: "No API endpoint at this URL. Check the path." });
  }
});

test.each(table)("%s: returns 405 with Allow for other methods", async (name, row) => {
  const allowed = row.method === "GET" ? ["GET", "HEAD"] : ["POST"];
  for (const method of methods) {
    if (allowed.includes(method)) continue;
    const { status, headers, body } = await send(name, row, { method });
    expect([method, status, headers.get("allow"), body]).toEqual([
      method,
      405,
      allowed.join(", "),
      { error: `This address only accepts ${row.method} requests.` },
    ]);
  }
  expect(state.touched).toEqual([]);
});

test.each(where(({ fromAnySite }) => !fromAnySite))(
  "%s: returns 403 to another site, for any user",
  async (name, row) => {
    const error = "This request came from another site. Open Signet and try again.";
    for (const [header, value] of [
      ["sec-fetch-site", "cross-site"],
      ["origin", "https://evil.test"],
    ] as const) {
      expect(await send(name, row, { headers: { [header]: value } })).toMatchObject({ status: 403, body: { error } });
    }
    expect(state.touched).toEqual([]);
  },
);

test.each(table)("%s: returns 401 without a session, unless the route needs none", async (name, row) => {
  state.session = null;
  const { status, body } = await send(name, row);
  expect(status).toBe(row.withoutSession ?? 401);
  expect(state.touched).toEqual(row.asks ?? []);
  if (status !== 401) return;
  expect(body).toEqual({ error: "Your session has ended. Sign in again." });
  expect(refusal()).toMatchObject({ status, route: `/${filled(name, row)}` });
});

test.each(table)(
  "%s: returns 401 for a session that Auth has ended, if it sends files or stores lines",
  async (name, row) => {
    expect(row.live ?? false).toBe(name.endsWith("csv") || name === "api/signatures");
    state.isEnded = true;
    expect((await send(name, row)).status === 401).toBe(row.live ?? false);
    if (row.live) expect(state.touched).toEqual([]);
  },
);

test.each(where(({ fromAnySite }) => !fromAnySite))(
  "%s: returns 503, not 401, while Auth is unreachable",
  async (name, row) => {
    const message = "Couldn't confirm that you're signed in. Try again in a moment.";
    state.failure = new AppError("unavailable", message, { retryAfterSeconds: 1 }); // as in get-session.test.ts
    const { status, headers, body } = await send(name, row);
    expect([status, headers.get("retry-after"), body]).toEqual([503, "1", { error: message }]);
    expect(state.touched).toEqual([]);
  },
);

test.each(where(({ withoutSession }) => !withoutSession))(
  "%s: returns 503 with Retry-After when permissions can't be read, or 500 for the duplicate check",
  async (name, row) => {
    const message = "Your permissions could not be read. Try again in a moment.";
    state.snapshotError = new AppError("unavailable", message);
    const { status, headers, body } = await send(name, row);
    const expected = name.startsWith("api/duplicate") ? [500, null] : [503, "1"];
    expect([status, headers.get("retry-after"), body]).toEqual([...expected, { error: message }]);
    expect(state.touched).toEqual([]);
  },
);

test.each(where(({ withoutSession }) => !withoutSession))(
  "%s: returns 401 for a session that was ended elsewhere",
  async (name, row) => {
    state.keys = row.keys ?? [];
    state.snapshotError = new AppError("unauthenticated", "Your session has ended. Sign in again.");
    expect(await send(name, row)).toMatchObject({ status: 401, body: { error: state.snapshotError.message } });
    expect(state.touched).toEqual([]);
  },
);

test.each(where(({ place }) => place))("%s: refuses a place that the user can't open", async (name, row) => {
  state.open = false;
  const { status, body } = await send(name, row);
  const notOpen = `You don't have access to this ${row.place}. Ask an administrator of its team.`;
  const missing = "This chart no longer exists. Reload the dashboard.";
  expect([status, body]).toEqual(row.place === "chart" ? [404, { error: missing }] : [403, { error: notOpen }]);
  const about = { campaign: { campaign: "lakes" }, team: { team: "north" }, chart: {} }[row.place ?? "chart"];
  expect(refusal()).toMatchObject({ status, user: state.session?.userId, ...about });
  expect(state.touched).toEqual([]);
});

test.each(where(({ place, keys }) => place || keys))(
  "%s: returns 403 without the second factor that the team requires",
  async (name, row) => {
    state.toSecure = true;
    state.keys = row.keys ?? [];
    expect(await send(name, row)).toMatchObject({ status: 403, body: sentence });
    expect(state.touched).toEqual([]);
  },
);

test.each(where(({ keys }) => keys))("%s: returns 403 without its permission, and names it", async (name, row) => {
  state.keys = row.keys?.includes("campaign.view") ? [] : ["campaign.view"];
  const { status, body } = await send(name, row);
  const error = expect.stringContaining(
    `“${permissionLabel(row.keys?.[0] ?? "")}” permission. Ask an administrator of`,
  );
  expect([status, body]).toEqual([403, { error }]);
  expect(refusal()).toMatchObject({ status: 403, user: state.session?.userId });
  expect(state.touched).toEqual([]);
});

test.each(where(({ keys }) => keys))("%s: accepts each of its permissions", async (name, row) => {
  for (const key of row.keys ?? []) {
    state.keys = [key];
    const { status } = await send(name, row);
    expect([200, 500]).toContain(status); // the database isn't there
    expect(state.touched.length).toBeGreaterThan(0);
  }
});

test.each(where(({ rate }) => rate))("%s: returns 429 beyond its limit per minute", async (name, row) => {
  const counters = Reflect.get(globalThis, Symbol.for("signet.rate-limit"));
  const kind = row.rate;
  if (!kind || !(counters instanceof Map)) throw new Error("There is no limit.");
  counters.set(`rate:${kind}:${state.session?.userId}`, { count: rateLimits()[kind], endsAt: Date.now() + 30_000 });
  state.keys = row.keys ?? [];
  const { status, headers, body } = await send(name, row);
  expect([status, headers.get("retry-after"), body]).toEqual([
    429,
    "30",
    { error: "Too many requests. Try again in 30 seconds." },
  ]);
  expect(refusal()).toMatchObject({ status: 429, ...(!row.withoutSession && { user: state.session?.userId }) });
  expect(state.touched).toEqual([]);
});

describe.each(where(({ body }) => body))("%s: refuses a body that can't be read", (name, row) => {
  test.each<[number, SendOptions]>([
    [415, { headers: { "content-type": "text/plain" } }],
    [413, { body: { ...row.body, more: "x".repeat(70_000) } }],
    [400, { body: "{" }],
    [400, { body: {} }],
  ])("returns %i", async (status, options) => {
    state.keys = row.keys ?? [];
    expect(await send(name, row, options)).toMatchObject({ status, body: sentence });
    expect(state.touched).toEqual([]);
  });
});

test.each<[string, string, RegExp]>([
  ["api/signatures/state", "", /^team must be text\.$/],
  ["api/signatures/state", "?team=north", /^campaign must be text\.$/],
  ["api/signatures/state", "?team=no%2Frth&campaign=lakes", /^team must use only letters,/],
  ["api/signatures/state", "?team=north&campaign=lakes&sheet=x&line=1", /^sheet must be a whole number\.$/],
  ["api/signatures/state", "?team=north&campaign=lakes&sheet=1&line=0", /^line must be 1 or more\.$/],
  ["api/signers/progress", "?team=north&campaign=a:b", /^campaign must use only letters,/],
  ["api/permissions/fingerprint", "?campaign=lakes", /^campaign needs team\.$/],
  ["api/permissions/fingerprint", "?team=north&asking=yes", /^asking must be true\.$/],
  ["[team]/members/csv", "?status=gone", /^status isn't a status\.$/],
  ["[team]/campaign/[campaign]/signatures/register/csv", "?sheet=", /^sheet must be a whole number\.$/],
  ["[team]/campaign/[campaign]/signatures/register/csv", "?verdict=Accepted", /^verdict isn't a status\.$/],
])("%s%s: returns 400 and says what is wrong", async (name, query, error) => {
  const row = rows[name];
  if (!row) throw new Error(`There is no ${name}.`);
  const result = await send(name, { ...row, query });
  expect(result).toMatchObject({ status: 400, body: { error: expect.stringMatching(error) } });
  expect(state.touched).toEqual([]);
});
