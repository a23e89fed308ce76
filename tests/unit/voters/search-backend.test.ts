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

/** Counts as Redis does, within one minute of which 17 seconds remain. */
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

async function refused(response: Promise<Response>, status: number, code: string, message = expect.any(String)) {
  const answer = await response;
  expect(answer.headers.get("cache-control")).toBe("no-store");
  const body = { errors: [{ message, extensions: { code } }] };
  expect({ status: answer.status, body: await answer.json() }).toEqual({ status, body });
}
async function tooMany(response: Promise<Response>) {
  await refused(response, 429, "REQUESTS_EXCEEDED", "Too many requests. Try again in 17 seconds.");
  expect((await response).headers.get("retry-after")).toBe("17");
}

afterEach(() => vi.restoreAllMocks());

// ── Login ──────────────────────────────────────────────────────────────────────────────────────────────────────────

test("a login answers as Directus does, with the expiry in ms", async () => {
  const { response, checkPassword, makeToken } = login({ ...credentials, email: "Search@Signet.local" });
  const answer = await response;
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await answer.json()).toEqual({ data: { access_token: "a1", expires: 300_000 } });
  expect(checkPassword.mock.calls).toEqual([[{ email: "Search@Signet.local", password: "p" }]]);
  expect(makeToken.mock.calls).toEqual([[email]]);
});

test.each([
  ["no JSON", "{", "The body must be JSON."],
  ["a list", [], "The body must be a JSON object."],
  ["no e-mail", { ...credentials, email: undefined }, "email must be text."],
  ["an e-mail that is no text", { ...credentials, email: ["a"] }, "email must be text."],
  ["no password", { ...credentials, password: "" }, "password must be text."],
  ["another mode", { ...credentials, mode: "cookie" }, 'mode must be "json".'],
  ["more than that", { ...credentials, otp: "1" }, "otp isn't a known field."],
])("a login with %s is 400, and nobody is signed in", async (_what, body, message) => {
  const { response, checkPassword } = login(body);
  await refused(response, 400, "INVALID_PAYLOAD", message);
  expect(checkPassword).not.toHaveBeenCalled();
});

test.each([
  ["Auth refuses", { data: { user: null }, error: { status: 400, message: "Invalid login credentials" } }],
  ["Auth knows nobody", { data: { user: null }, error: null }],
])("%s: 401", async (_what, answer) => {
  const { response, makeToken } = login(credentials, { checkPassword: async () => answer });
  await refused(response, 401, "INVALID_CREDENTIALS");
  expect(makeToken).not.toHaveBeenCalled();
});

test.each([
  ["somebody else", { ...user, email: "admin@demo.test" }],
  ["somebody whose address only begins alike", { ...user, email: `${email}.test` }],
  ["somebody without an address", { email_confirmed_at: user.email_confirmed_at }],
  ["an address that is not confirmed", { email }],
])("the password of %s is 403, and no token is made", async (_who, found) => {
  const checkPassword = async () => ({ data: { user: found }, error: null });
  const { response, makeToken } = login(credentials, { checkPassword });
  await refused(response, 403, "FORBIDDEN");
  expect(makeToken).not.toHaveBeenCalled();
});

test.each([
  ["another address", { ...credentials, email: "admin@demo.test" }],
  ["a wrong password", { ...credentials, password: "P" }],
  ["a password that only begins alike", { ...credentials, password: "pp" }],
  ["a password with a NUL", { ...credentials, password: "p\0" }],
  ["a password of half a character", { ...credentials, password: "\ud800" }],
])("%s is 401, and Auth is not asked", async (_what, body) => {
  const { response, checkPassword } = login(body);
  await refused(response, 401, "INVALID_CREDENTIALS", "Invalid user credentials.");
  expect(checkPassword).not.toHaveBeenCalled();
});

test("Auth's own limit, which all logins here share, doesn't keep the right password out", async () => {
  const checkPassword = async () => ({ data: { user: null }, error: { status: 429, message: "slow down" } });
  const { response } = login(credentials, { checkPassword });
  expect((await response).status).toBe(200);
});

test("60 failed logins in a minute, of whatever kind, never block the right one; the next that fails is 429", async () => {
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
  await tooMany(response);
});

// ── Search ─────────────────────────────────────────────────────────────────────────────────────────────────────────

test("a search answers as Elasticsearch does, and passes on what was asked", async () => {
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
])("without a bearer token (%j) it is 401, and nobody is asked", async (headers) => {
  const { response, readToken, searchVoters } = search({}, {}, { headers });
  await refused(response, 401, "INVALID_TOKEN");
  expect(readToken).not.toHaveBeenCalled();
  expect(searchVoters).not.toHaveBeenCalled();
});

test("any other token is 401, and nothing is counted or read", async () => {
  const { response, countRequest, searchVoters } = search({}, { readToken: async () => null });
  await refused(response, 401, "TOKEN_EXPIRED");
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
  ["similar", "true"],
  ["similar", null],
  ["__proto__", {}],
])("%s: %j is 400 naming it, and nothing is read", async (name, value) => {
  const { response, searchVoters } = search(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`);
  await refused(response, 400, "INVALID_PAYLOAD", expect.stringMatching(`^${name} `));
  expect(searchVoters).not.toHaveBeenCalled();
});

test.each([undefined, false, true])(
  "similar: %j decides which search is asked, and is told to neither",
  async (similar) => {
    const params = { lastName: "smtih", street: "mill", voterId: "WA1" };
    const hits = [{ ...hit, match: "sounds like" }];
    const { response, searchVoters, similarVoters } = search(
      { ...params, similar },
      { similarVoters: async () => ({ data: { total: 1, relation: "eq", hits }, error: null }) },
    );
    const told = { _id: "WA1", _source: similar ? hits[0] : hit };
    expect(await (await response).json()).toEqual({ hits: { total: { value: 1, relation: "eq" }, hits: [told] } });
    expect([searchVoters.mock.calls, similarVoters.mock.calls]).toEqual(similar ? [[], [[params]]] : [[[params]], []]);
  },
);

test("what the database refuses by name is 400", async () => {
  const message = "querySize must be 1 to 100.";
  const searchVoters = async () => ({ data: null, error: { code: "22023", message } });
  await refused(search({ querySize: 101 }, { searchVoters }).response, 400, "INVALID_PAYLOAD", message);
});

// ── Both ───────────────────────────────────────────────────────────────────────────────────────────────────────────

test.each([{}, "{", "x".repeat(65_537)])(
  "1 200 searches in a minute with one token, twice a person's limit, refused bodies too: the next is 429 and counts for that token alone",
  async (body) => {
    const { counts, countRequest } = counting({ [ofToken]: 2 * rateLimits().search - 1 });
    expect((await search(body, { countRequest }).response).status).not.toBe(429);
    const beyond = search(body, { countRequest });
    await tooMany(beyond.response);
    expect(beyond.searchVoters).not.toHaveBeenCalled();
    expect(Object.fromEntries(counts)).toEqual({ [ofToken]: 1_201, [searches]: 1 });
    const another = search({}, { countRequest, readToken: async () => "id2" });
    expect((await another.response).status).toBe(200);
  },
);

test.each([{}, "{"])(
  "6 000 searches in a minute of all tokens, refused bodies too: 429 for a token that has had its 60",
  async (body) => {
    const { countRequest } = counting({ [searches]: 5_999, [ofToken]: 60 });
    expect((await search(body, { countRequest }).response).status).not.toBe(429);
    const beyond = search(body, { countRequest });
    await tooMany(beyond.response);
    expect(beyond.searchVoters).not.toHaveBeenCalled();

    // Whoever uses up the minute of all stops nobody else.
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
])("%s: 500 in general words, told once", async (_what, changed) => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const message = "Couldn't search the voter file. Try again in a moment.";
  await refused(search({}, changed).response, 500, "INTERNAL_SERVER_ERROR", message);
  expect(log).toHaveBeenCalledOnce();
});

const away = { status: 503, message: "https://internal" };
test.each<[string, Partial<Dependencies>]>([
  ["Auth is away", { checkPassword: async () => ({ data: { user: null }, error: away }) }],
  ["Auth does not answer", { checkPassword: async () => ({ data: { user: null }, error: { ...away, status: 0 } }) }],
  ["Auth throws", { checkPassword: () => Promise.reject(new Error("https://internal")) }],
  ["nobody is the service account", { serviceEmail: undefined }],
  ["the digest of its password is not set", { servicePasswordDigest: undefined }],
  ["the digest of its password is none", { servicePasswordDigest: "p" }],
])("a login is 500 while %s", async (_what, changed) => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { response, countRequest } = login(credentials, changed);
  await refused(response, 500, "INTERNAL_SERVER_ERROR");
  expect(countRequest).not.toHaveBeenCalled();
});

test.each(["", "/", "/auth", "/auth/login/", "/essearch", "x/auth/login"])("%s is 404", async (path) => {
  await refused(call(path, credentials).response, 404, "ROUTE_NOT_FOUND");
});

test.each(["GET", "PUT", "DELETE", "OPTIONS"])("%s is 405", async (method) => {
  for (const path of ["/auth/login", "/essearch/validation"]) {
    const { response, checkPassword, searchVoters } = call(path, undefined, {}, { method });
    await refused(response, 405, "METHOD_NOT_ALLOWED");
    expect((await response).headers.get("allow")).toBe("POST");
    expect(checkPassword).not.toHaveBeenCalled();
    expect(searchVoters).not.toHaveBeenCalled();
  }
});

test("a body over 64 KiB is 413, and one of 64 KiB is read", async () => {
  const withSize = (size: number) => JSON.stringify(credentials).padEnd(size);
  expect((await login(withSize(65_536)).response).status).toBe(200);
  const { response, checkPassword } = login(withSize(65_537));
  await refused(response, 413, "CONTENT_TOO_LARGE");
  expect(checkPassword).not.toHaveBeenCalled();
});
