import { beforeEach, expect, test, vi } from "vitest";
import { type Dependencies, handle } from "../../../supabase/functions/get-permissions-snapshot/handler.ts";

const user = { data: { user: { id: "u1" } }, error: null };
const snapshot = { teamAccess: true, permissionKeys: [] };
beforeEach(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));

async function call(
  dependencies: Partial<Dependencies> = {},
  { query = "?team_id=t1&campaign_id=c1", headers = { Authorization: "Bearer t" }, method = "GET" }: Sent = {},
) {
  const readSnapshot = vi.fn<Dependencies["readSnapshot"]>(async () => ({ data: snapshot, error: null }));
  const request = new Request(`http://functions/get-permissions-snapshot${query}`, { method, headers });
  const response = await handle(request, { getUser: async () => user, readSnapshot, ...dependencies });
  const body: unknown = response.body && (await response.json());
  const { status, headers: answered } = response;
  return { status, body, headers: Object.fromEntries(answered), read: readSnapshot.mock.calls };
}
type Sent = { query?: string; headers?: Record<string, string>; method?: string };

const index = "../../../supabase/functions/get-permissions-snapshot/index.ts"; // for Deno, so its types aren't Node's
test("the two calls together time out before callers do", async () => {
  const env = { SUPABASE_URL: "http://supabase.test", SUPABASE_ANON_KEY: "k", SUPABASE_SERVICE_ROLE_KEY: "s" };
  vi.stubGlobal("Deno", { env: { get: (name: keyof typeof env) => env[name] } });
  vi.stubGlobal("fetch", async (input: string) => Response.json(/user$/.test(input) ? user.data.user : snapshot));
  const timeout = vi.spyOn(AbortSignal, "timeout");
  const request = new Request("http://functions/", { headers: { Authorization: "Bearer h.e30.s" } });
  const { default: deployed } = await vi.importActual<{ default: { fetch: typeof fetch } }>(index);
  const response = await deployed.fetch(request);
  vi.unstubAllGlobals();
  expect([response.status, timeout.mock.calls.length]).toEqual([200, 2]);
  expect(timeout.mock.calls.reduce((sum, [ms]) => sum + ms, 0)).toBeLessThan(5_000);
});

test("reads once for the verified user and the requested place", async () => {
  expect(await call()).toMatchObject({ body: snapshot, read: [[{ userId: "u1", team: "t1", campaign: "c1" }]] });
});

test("returns 401 without reading until the second factor was entered", async () => {
  const getUser = async () => ({ data: { user: { id: "u1", app_metadata: { second_factor: true } } }, error: null });
  const callAt = (claims: object) => {
    const token = `h.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.s`;
    return call({ getUser }, { headers: { Authorization: `Bearer ${token}` } });
  };
  for (const claims of [{}, { aal: "aal1" }, { aal: "aal1", name: "ÿ>?" }]) {
    expect(await callAt(claims)).toMatchObject({ status: 401, read: [] });
  }
  expect(await callAt({ aal: "aal2", name: "ÿ>?" })).toMatchObject({ status: 200, body: snapshot });
});

test.each([
  ...[400, 401, 403, 404].map((status) => [status, 401] as const),
  ...[500, 503, 0, undefined].map((status) => [status, 500] as const), // unreachable
])("turns an answer %s of Auth into %i, and reads nothing", async (status, answered) => {
  const getUser = async () => ({ data: { user: null }, error: { status, message: "https://internal" } });
  expect(await call({ getUser })).toMatchObject({ status: answered, read: [] });
});

test.each([
  ["an error", async () => ({ data: null, error: { message: "relation team_users" } })],
  ["a rejection", () => Promise.reject(new Error("relation team_users"))],
  ["no data", async () => ({ data: null, error: null })],
  ["a smaller answer", async () => ({ data: { permissionKeys: [] }, error: null })],
])("returns 500 in general words, never an answer, when a read returns %s", async (_name, readSnapshot) => {
  const error = "Couldn't read your permissions. Try again in a moment.";
  expect(await call({ readSnapshot })).toMatchObject({ status: 500, body: { error } });
});

test.each<[status: number, what: string, sent: Sent, dependencies?: Partial<Dependencies>]>([
  [200, "a snapshot", {}],
  [400, "a campaign without its team", { query: "?campaign_id=c1" }],
  [401, "no token", { headers: {} }],
  [401, "a token that Auth refuses", {}, { getUser: async () => ({ data: { user: null }, error: null }) }],
  [405, "another method", { method: "POST" }],
  [500, "a failed read", {}, { readSnapshot: () => Promise.reject(new Error("unreachable")) }],
  [204, "OPTIONS", { method: "OPTIONS" }],
])("returns %i (%s) uncached and readable by any origin, with exactly these headers", async (status, ...args) => {
  const [, sent, dependencies] = args;
  const response = await call(dependencies, sent);
  expect(response.status).toBe(status);
  expect(response.headers).toEqual({
    "access-control-allow-headers": "authorization, apikey, content-type, x-client-info",
    "access-control-allow-methods": "GET, OPTIONS",
    "access-control-allow-origin": "*",
    "cache-control": "no-store",
    ...(status !== 204 && { "content-type": "application/json" }),
    ...(status === 405 && { allow: "GET, OPTIONS" }),
  });
});

test.each([
  ["?campaign_id=c1", /team_id/],
  ["?team_id=", /team_id/],
  ["?team_id=t1&campaign_id=", /campaign_id/],
  ["?team_id=a&team_id=b", /team_id once/],
  ["?team_id=a&campaign_id=b&campaign_id=b", /campaign_id once/],
  ["?team_id=-a", /team_id/],
  [`?team_id=${"a".repeat(64)}`, /team_id/],
  ["?team_id=a%00", /team_id/],
  ["?team_id=a%0A", /team_id/],
  ["?team_id=a,b", /team_id/],
  ["?team_id=%C3%A9", /team_id/],
  ["?team_id=t1&campaign_id=a/b", /campaign_id/],
])("returns 400 for %s, names the parameter, and reads nothing", async (query, message) => {
  expect(await call({}, { query })).toMatchObject({
    status: 400,
    read: [],
    body: { error: expect.stringMatching(message) },
  });
});

test.each(["POST", "PUT", "PATCH", "DELETE", "HEAD"])("returns 405 to %s", async (method) => {
  expect(await call({}, { method })).toMatchObject({ status: 405, read: [] });
});

test.each([
  ["another scheme", "?team_id=t1", { Authorization: "Basic t" }],
  ["the query", "?team_id=t1&access_token=t", {}],
])("ignores a token in %s", async (_what, query, headers: Record<string, string>) => {
  expect(await call({}, { query, headers })).toMatchObject({ status: 401, read: [] });
});
