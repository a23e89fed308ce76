import { afterEach, expect, test, vi } from "vitest";
import { rateLimits } from "../../../lib/env.ts";
import { type Dependencies, handle } from "../../../supabase/functions/search-backend/handler.ts";
import { passwordDigest } from "../../support/search-token.ts";

const email = "search@signet.local";
const user = { email, email_confirmed_at: "2026-11-01T00:00:00Z" };
const hit = { voterId: "WA1", firstName: "Ana", lastName: "Núñez" };
const credentials = { email, password: "p", mode: "json" };

function call(path: string, body: unknown, changed: Partial<Dependencies> = {}, init: RequestInit = {}) {
  const found = { data: { total: 1, relation: "eq", hits: [hit] }, error: null };
  const dependencies = {
    serviceEmail: "serviceEmail" in changed ? changed.serviceEmail : email,
    servicePasswordDigest:
      "servicePasswordDigest" in changed ? changed.servicePasswordDigest : passwordDigest(credentials.password),
    checkPassword: vi.fn(changed.checkPassword ?? (async () => ({ data: { user }, error: null }))),
    makeToken: vi.fn(changed.makeToken ?? (async () => ({ token: "a1", expires: 300_000 }))),
    readToken: vi.fn(changed.readToken ?? (async () => "id1")),
    countRequest: vi.fn(changed.countRequest ?? (async () => ({ count: 1, remaining: 60 }))),
    searchVoters: vi.fn(changed.searchVoters ?? (async () => found)),
    similarVoters: vi.fn(changed.similarVoters ?? (async () => found)),
  };
  const request = new Request(`http://functions/search-backend${path}`, {
    method: "POST",
    headers: { Authorization: "Bearer t1" },
    body: typeof body === "string" || body === undefined ? (body ?? null) : JSON.stringify(body),
    ...init,
  });
  return { ...dependencies, response: handle(request, dependencies) };
}

const login = (body: unknown, changed?: Partial<Dependencies>) => call("/auth/login", body, changed);
const search = (body: unknown, changed?: Partial<Dependencies>, init?: RequestInit) =>
  call("/essearch/validation", body, changed, init);

/** Counts as Redis does, within one minute that has 17 seconds left. */
function counting(before: Record<string, number> = {}) {
  const counts = new Map(Object.entries(before));
  const countRequest = async (name: string) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return { count, remaining: 17 };
  };
  return { counts, countRequest };
}
const [failed, searches, ofToken] = [
  "search-backend:failed-logins",
  "search-backend:searches",
  "search-backend:token:id1",
];

async function expectRefusal(response: Promise<Response>, status: number, code: string, message = expect.any(String)) {
  const answer = await response;
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const body = { errors: [{ message, extensions: { code } }] };
  expect({ status: answer.status, body: await answer.json() }).toEqual({ status, body });
}
async function expectTooMany(response: Promise<Response>) {
  await expectRefusal(response, 429, "REQUESTS_EXCEEDED", "Too many requests. Try again in 17 seconds.");
  expect((await response).headers.get("retry-after")).toBe("17");
}

afterEach(() => vi.restoreAllMocks());

// ── Login ──────────────────────────────────────────────────────────────────────────────────────────────────────────

test("answers a login as Directus does, with the expiry in ms", async () => {
  const { response, checkPassword, makeToken } = login({ ...credentials, email: "Search@Signet.local" });
  const answer = await response;
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await answer.json()).toEqual({ data: { access_token: "a1", expires: 300_000 } });
  expect(checkPassword.mock.calls).toEqual([[{ email: "Search@Signet.local", password: "p" }]]);
  expect(makeToken.mock.calls).toEqual([[email]]);
});

test.each([
  ["invalid JSON", "{", "The body must be JSON."],
  ["a list", [], "The body must be a JSON object."],
  ["no email", { ...credentials, email: undefined }, "email must be text."],
  ["a list as email", { ...credentials, email: ["a"] }, "email must be text."],
  ["no password", { ...credentials, password: "" }, "password must be text."],
  ["another mode", { ...credentials, mode: "cookie" }, 'mode must be "json".'],
  ["an unknown field", { ...credentials, otp: "1" }, "otp isn't a known field."],
])("returns 400 to a login with %s, and signs no one in", async (_what, body, message) => {
  const { response, checkPassword } = login(body);
  await expectRefusal(response, 400, "INVALID_PAYLOAD", message);
  expect(checkPassword).not.toHaveBeenCalled();
});

test.each([
  ["Auth refuses", { data: { user: null }, error: { status: 400, message: "Invalid login credentials" } }],
  ["Auth returns no user", { data: { user: null }, error: null }],
])("returns 401 when %s", async (_what, answer) => {
  const { response, makeToken } = login(credentials, { checkPassword: async () => answer });
  await expectRefusal(response, 401, "INVALID_CREDENTIALS");
  expect(makeToken).not.toHaveBeenCalled();
});

test.each([
  ["someone else", { ...user, email: "admin@demo.test" }],
  ["someone whose email starts the same", { ...user, email: `${email}.test` }],
  ["someone without an email", { email_confirmed_at: user.email_confirmed_at }],
  ["someone whose email isn't confirmed", { email }],
])("returns 403 to the password of %s, and makes no token", async (_who, found) => {
  const checkPassword = async () => ({ data: { user: found }, error: null });
  const { response, makeToken } = login(credentials, { checkPassword });
  await expectRefusal(response, 403, "FORBIDDEN");
  expect(makeToken).not.toHaveBeenCalled();
});

test.each([
  ["another address", { ...credentials, email: "admin@demo.test" }],
  ["a wrong password", { ...credentials, password: "P" }],
  ["a password that starts the same", { ...credentials, password: "pp" }],
  ["a password with a NUL", { ...credentials, password: "p\0" }],
  ["a password with half a character", { ...credentials, password: "\ud800" }],
])("returns 401 to %s without asking Auth", async (_what, body) => {
  const { response, checkPassword } = login(body);
  await expectRefusal(response, 401, "INVALID_CREDENTIALS", "Invalid user credentials.");
  expect(checkPassword).not.toHaveBeenCalled();
});

test("accepts the right password despite Auth's own limit, which all logins share", async () => {
  const checkPassword = async () => ({ data: { user: null }, error: { status: 429, message: "slow down" } });
  const { response } = login(credentials, { checkPassword });
  expect((await response).status).toBe(200);
});

test("allows 60 failed logins a minute of any kind, then 429, but never blocks the right password", async () => {
  const { counts, countRequest } = counting({ [failed]: 56 });
  for (const [body, status] of [
    ["{", 400],
    ["x".repeat(65_537), 413],
    [{ ...credentials, email: "admin@demo.test" }, 401],
    [{ ...credentials, password: "wrong" }, 401],
    [credentials, 200],
    [{ ...credentials, password: "wrong" }, 429],
    ["{", 429],
    [credentials, 200],
  ] as const) {
    expect((await login(body, { countRequest }).response).status).toBe(status);
  }
  expect([...counts]).toEqual([[failed, 62]]);
  const { response } = login({ ...credentials, password: "wrong" }, { countRequest });
  await expectTooMany(response);
});

// ── Search ─────────────────────────────────────────────────────────────────────────────────────────────────────────

test("answers a search as Elasticsearch does, and passes on the params", async () => {
  const params = { firstName: "an", lastName: "", order: "-city", queryFrom: 25, querySize: 50 };
  const { response, readToken, searchVoters } = search(params);
  const answer = await response;
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await answer.json()).toEqual({
    hits: { total: { value: 1, relation: "eq" }, hits: [{ _id: "WA1", _source: hit }] },
  });
  expect(readToken.mock.calls).toEqual([["t1", email]]);
  expect(searchVoters.mock.calls).toEqual([[params]]);
});

test.each<Record<string, string>>([
  {},
  { Authorization: "t1" },
  { Authorization: "Basic t1" },
  { Authorization: "Bearer " },
])("returns 401 without a bearer token (%j), and asks no one", async (headers) => {
  const { response, readToken, searchVoters } = search({}, {}, { headers });
  await expectRefusal(response, 401, "INVALID_TOKEN");
  expect(readToken).not.toHaveBeenCalled();
  expect(searchVoters).not.toHaveBeenCalled();
});

test("returns 401 to any other token, and counts and reads nothing", async () => {
  const { response, countRequest, searchVoters } = search({}, { readToken: async () => null });
  await expectRefusal(response, 401, "TOKEN_EXPIRED");
  expect(countRequest).not.toHaveBeenCalled();
  expect(searchVoters).not.toHaveBeenCalled();
});

test.each([
  ["firstName", 1],
  ["lastName", null],
  ["houseNumber", 12],
  ["zip", ["98030"]],
  ["city", {}],
  ["county", true],
  ["order", 1],
  ["lastName", "x".repeat(101)],
  ["lastName", "a\0"],
  ["lastName", "\ud800"],
  ["queryFrom", "0"],
  ["queryFrom", 0.5],
  ["querySize", null],
  ["querySize", 1e300],
  ["surname", "smi"],
  ["street", 1],
  ["voterId", 1],
  ["birthYear", 1943],
  ["similar", "true"],
  ["similar", null],
  ["__proto__", {}],
])("returns 400 for %s: %j, names it, and reads nothing", async (name, value) => {
  const { response, searchVoters } = search(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`);
  await expectRefusal(response, 400, "INVALID_PAYLOAD", expect.stringMatching(`^${name} `));
  expect(searchVoters).not.toHaveBeenCalled();
});

test.each([undefined, false, true])(
  "searches for near matches only with similar: %j, which is passed to neither search",
  async (similar) => {
    const params = { lastName: "smtih", street: "mill", voterId: "WA1" };
    const hits = [{ ...hit, match: "sounds like" }];
    const { response, searchVoters, similarVoters } = search(
      { ...params, similar },
      { similarVoters: async () => ({ data: { total: 1, relation: "eq", hits }, error: null }) },
    );
    const expectedHit = { _id: "WA1", _source: similar ? hits[0] : hit };
    expect(await (await response).json()).toEqual({
      hits: { total: { value: 1, relation: "eq" }, hits: [expectedHit] },
    });
    expect([searchVoters.mock.calls, similarVoters.mock.calls]).toEqual(similar ? [[], [[params]]] : [[[params]], []]);
  },
);

test("returns 400 for what the database refuses by name", async () => {
  const message = "querySize must be 1 to 100.";
  const searchVoters = async () => ({ data: null, error: { code: "22023", message } });
  await expectRefusal(search({ querySize: 101 }, { searchVoters }).response, 400, "INVALID_PAYLOAD", message);
});

test.each([
  ["TimeoutError: The operation was aborted due to timeout", ""],
  ["canceling statement due to statement timeout", "57014"],
])("returns 504 when the database is too slow: %s", async (message, code) => {
  const searchVoters = async () => ({ data: null, error: { message, code } });
  await expectRefusal(search({}, { searchVoters }).response, 504, "TIMEOUT");
});

// ── Both ───────────────────────────────────────────────────────────────────────────────────────────────────────────

test.each([{}, "{", "x".repeat(65_537)])(
  "returns 429 after 1,200 searches a minute with one token, twice a person's limit, refused ones included, for that token only",
  async (body) => {
    const { counts, countRequest } = counting({ [ofToken]: 2 * rateLimits().search - 1 });
    expect((await search(body, { countRequest }).response).status).not.toBe(429);
    const beyond = search(body, { countRequest });
    await expectTooMany(beyond.response);
    expect(beyond.searchVoters).not.toHaveBeenCalled();
    expect(Object.fromEntries(counts)).toEqual({ [ofToken]: 1_201, [searches]: 1 });
    const another = search({}, { countRequest, readToken: async () => "id2" });
    expect((await another.response).status).toBe(200);
  },
);

test.each([{}, "{"])(
  "returns 429 after 6,000 searches a minute of all tokens, refused ones included, to a token that has had its 60",
  async (body) => {
    const { countRequest } = counting({ [searches]: 5_999, [ofToken]: 60 });
    expect((await search(body, { countRequest }).response).status).not.toBe(429);
    const beyond = search(body, { countRequest });
    await expectTooMany(beyond.response);
    expect(beyond.searchVoters).not.toHaveBeenCalled();

    // Other tokens still have their 60.
    const statuses: number[] = [];
    for (let sent = 0; sent < 61; sent++) {
      statuses.push((await search({}, { countRequest, readToken: async () => "id2" }).response).status);
    }
    expect([new Set(statuses.slice(0, 60)), statuses[60]]).toEqual([new Set([200]), 429]);
  },
);

test.each<[string, Partial<Dependencies>]>([
  ["the token cannot be read", { readToken: () => Promise.reject(new Error("sb_secret")) }],
  ["the read fails", { searchVoters: async () => ({ data: null, error: { code: "42P01", message: "voters" } }) }],
  ["the read throws", { searchVoters: () => Promise.reject(new Error("voters")) }],
  ["hits have no id", { searchVoters: async () => ({ data: { total: 1, relation: "eq", hits: [{}] }, error: null }) }],
  ["the service account is empty", { serviceEmail: "" }],
])("returns 500 in general words when %s, logged once", async (_what, changed) => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const message = "Couldn't search the voter file. Try again in a moment.";
  await expectRefusal(search({}, changed).response, 500, "INTERNAL_SERVER_ERROR", message);
  expect(log).toHaveBeenCalledOnce();
});

const unreachable = { status: 503, message: "https://internal" };
test.each<[string, Partial<Dependencies>]>([
  ["Auth is unreachable", { checkPassword: async () => ({ data: { user: null }, error: unreachable }) }],
  ["Auth times out", { checkPassword: async () => ({ data: { user: null }, error: { ...unreachable, status: 0 } }) }],
  ["Auth throws", { checkPassword: () => Promise.reject(new Error("https://internal")) }],
  ["no account is the service account", { serviceEmail: undefined }],
  ["the digest of its password is not set", { servicePasswordDigest: undefined }],
  ["the digest of its password is invalid", { servicePasswordDigest: "p" }],
])("returns 500 to a login while %s", async (_what, changed) => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { response, countRequest } = login(credentials, changed);
  await expectRefusal(response, 500, "INTERNAL_SERVER_ERROR");
  expect(countRequest).not.toHaveBeenCalled();
});

test.each(["", "/", "/auth", "/auth/login/", "/essearch", "x/auth/login"])("returns 404 for “%s”", async (path) => {
  await expectRefusal(call(path, credentials).response, 404, "ROUTE_NOT_FOUND");
});

test.each(["GET", "PUT", "DELETE", "OPTIONS"])("returns 405 to %s", async (method) => {
  for (const path of ["/auth/login", "/essearch/validation"]) {
    const { response, checkPassword, searchVoters } = call(path, undefined, {}, { method });
    await expectRefusal(response, 405, "METHOD_NOT_ALLOWED");
    expect((await response).headers.get("allow")).toBe("POST");
    expect(checkPassword).not.toHaveBeenCalled();
    expect(searchVoters).not.toHaveBeenCalled();
  }
});

test("returns 413 to a body over 64 KiB, and reads one of 64 KiB", async () => {
  const withSize = (size: number) => JSON.stringify(credentials).padEnd(size);
  expect((await login(withSize(65_536)).response).status).toBe(200);
  const { response, checkPassword } = login(withSize(65_537));
  await expectRefusal(response, 413, "CONTENT_TOO_LARGE");
  expect(checkPassword).not.toHaveBeenCalled();
});
