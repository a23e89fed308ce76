import { afterEach, expect, test, vi } from "vitest";
import { type Dependencies, handle } from "../../supabase/functions/search-backend/handler.ts";

const email = "search@signet.local";
const user = { email, email_confirmed_at: "2026-11-01T00:00:00Z" };
const session = { access_token: "a1", refresh_token: "r1", expires_in: 900 };
const hit = { voterId: "WA1", firstName: "Ana", lastName: "Núñez" };
const credentials = { email, password: "p", mode: "json" };

function call(path: string, body: unknown, changed: Partial<Dependencies> = {}, init: RequestInit = {}) {
  const found = { data: { total: 1, relation: "eq", hits: [hit] }, error: null };
  const dependencies = {
    serviceEmail: "serviceEmail" in changed ? changed.serviceEmail : email,
    signIn: vi.fn(changed.signIn ?? (async () => ({ data: { session }, error: null }))),
    getUser: vi.fn(changed.getUser ?? (async () => ({ data: { user }, error: null }))),
    searchVoters: vi.fn(changed.searchVoters ?? (async () => found)),
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

async function refused(response: Promise<Response>, status: number, code: string, message = expect.any(String)) {
  const answer = await response;
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect({ status: answer.status, body: await answer.json() }).toEqual({
    status,
    body: { errors: [{ message, extensions: { code } }] },
  });
}

afterEach(() => vi.restoreAllMocks());

// ── Login ──────────────────────────────────────────────────────────────────────────────────────────────────────────

test("a login answers as Directus does, with the expiry in ms", async () => {
  const { response, signIn } = login(credentials);
  const answer = await response;
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await answer.json()).toEqual({ data: { access_token: "a1", refresh_token: "r1", expires: 900_000 } });
  expect(signIn.mock.calls).toEqual([[{ email, password: "p" }]]);
});

test.each([
  ["no JSON", "{", "The body must be JSON."],
  ["an empty body", undefined, "The body must be JSON."],
  ["a list", [], "The body must be a JSON object."],
  ["null", "null", "The body must be a JSON object."],
  ["no e-mail", { ...credentials, email: undefined }, "email must be a text."],
  ["an e-mail that is no text", { ...credentials, email: ["a"] }, "email must be a text."],
  ["no password", { ...credentials, password: "" }, "password must be a text."],
  ["another mode", { ...credentials, mode: "cookie" }, 'mode must be "json".'],
  ["no mode", { ...credentials, mode: undefined }, 'mode must be "json".'],
  ["more than that", { ...credentials, otp: "1" }, "otp is not known here."],
])("a login with %s is 400, and nobody is signed in", async (_what, body, message) => {
  const { response, signIn } = login(body);
  await refused(response, 400, "INVALID_PAYLOAD", message);
  expect(signIn).not.toHaveBeenCalled();
});

test.each([
  ["Auth refuses", { data: { session: null }, error: { status: 400, message: "Invalid login credentials" } }],
  ["Auth gives no session", { data: { session: null }, error: null }],
])("%s: 401", async (_what, answer) => {
  await refused(login(credentials, { signIn: async () => answer }).response, 401, "INVALID_CREDENTIALS");
});

test("the login is for the service account alone: other passwords cannot be tried through it", async () => {
  const { response, signIn } = login({ ...credentials, email: "admin@demo.test" });
  await refused(response, 401, "INVALID_CREDENTIALS");
  expect(signIn).not.toHaveBeenCalled();
});

test("too many logins are 429", async () => {
  const signIn = async () => ({ data: { session: null }, error: { status: 429, message: "slow down" } });
  await refused(login(credentials, { signIn }).response, 429, "REQUESTS_EXCEEDED");
});

// ── Search ─────────────────────────────────────────────────────────────────────────────────────────────────────────

test("a search answers as Elasticsearch does, and passes on what was asked", async () => {
  const params = { firstName: "an", lastName: "", order: "-city", queryFrom: 25, querySize: 50 };
  const { response, getUser, searchVoters } = search(params);
  const answer = await response;
  expect(answer.status).toBe(200);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  expect(await answer.json()).toEqual({
    hits: { total: { value: 1, relation: "eq" }, hits: [{ _id: "WA1", _source: hit }] },
  });
  expect(getUser.mock.calls).toEqual([["t1"]]);
  expect(searchVoters.mock.calls).toEqual([[params]]);
});

test.each<Record<string, string>>([
  {},
  { Authorization: "t1" },
  { Authorization: "Basic t1" },
  { Authorization: "Bearer " },
])("without a bearer token (%j) it is 401, and nobody is asked", async (headers) => {
  const { response, getUser, searchVoters } = search({}, {}, { headers });
  await refused(response, 401, "INVALID_TOKEN");
  expect(getUser).not.toHaveBeenCalled();
  expect(searchVoters).not.toHaveBeenCalled();
});

test.each([400, 401, 403, 404])("an answer %i of Auth is 401, and nothing is read", async (status) => {
  const getUser = async () => ({ data: { user: null }, error: { status, message: "no" } });
  const { response, searchVoters } = search({}, { getUser });
  await refused(response, 401, "TOKEN_EXPIRED");
  expect(searchVoters).not.toHaveBeenCalled();
});

test.each([
  ["somebody else", { ...user, email: "admin@demo.test" }],
  ["somebody whose address only begins alike", { ...user, email: `${email}.test` }],
  ["somebody without an address", { email_confirmed_at: user.email_confirmed_at }],
  ["an address that is not confirmed", { email }],
  ["an address whose confirmation is empty", { email, email_confirmed_at: "" }],
])("the valid token of %s is 403, and nothing is read", async (_who, found) => {
  const { response, searchVoters } = search({}, { getUser: async () => ({ data: { user: found }, error: null }) });
  await refused(response, 403, "FORBIDDEN");
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
  ["__proto__", {}],
])("%s: %j is 400 naming it, and nothing is read", async (name, value) => {
  const { response, searchVoters } = search(`{${JSON.stringify(name)}: ${JSON.stringify(value)}}`);
  await refused(response, 400, "INVALID_PAYLOAD", expect.stringMatching(`^${name} `));
  expect(searchVoters).not.toHaveBeenCalled();
});

test("what the database refuses by name is 400", async () => {
  const error = { code: "22023", message: "querySize must be 1 to 100." };
  await refused(
    search({ querySize: 101 }, { searchVoters: async () => ({ data: null, error }) }).response,
    400,
    "INVALID_PAYLOAD",
    "querySize must be 1 to 100.",
  );
});

// ── Both ───────────────────────────────────────────────────────────────────────────────────────────────────────────

const away = { status: 503, message: "https://internal" };
test.each<[string, Partial<Dependencies>]>([
  ["Auth is away", { getUser: async () => ({ data: { user: null }, error: away }) }],
  ["Auth does not answer", { getUser: async () => ({ data: { user: null }, error: { ...away, status: 0 } }) }],
  ["Auth throws", { getUser: () => Promise.reject(new Error("https://internal")) }],
  ["the read fails", { searchVoters: async () => ({ data: null, error: { code: "42P01", message: "voters" } }) }],
  ["the read throws", { searchVoters: () => Promise.reject(new Error("voters")) }],
  ["the read gives nothing", { searchVoters: async () => ({ data: null, error: null }) }],
  ["hits have no id", { searchVoters: async () => ({ data: { total: 1, relation: "eq", hits: [{}] }, error: null }) }],
  ["nobody is the service account", { serviceEmail: undefined }],
  ["the service account is empty", { serviceEmail: "" }],
])("%s: 500 in general words, told once", async (_what, changed) => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const message = "The voter file cannot be searched right now. Try again in a moment.";
  await refused(search({}, changed).response, 500, "INTERNAL_SERVER_ERROR", message);
  expect(log).toHaveBeenCalledOnce();
});

test("a login is 500 while Auth is away", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const signIn = async () => ({ data: { session: null }, error: away });
  await refused(login(credentials, { signIn }).response, 500, "INTERNAL_SERVER_ERROR");
});

test.each(["", "/", "/auth", "/auth/login/", "/essearch", "x/auth/login"])("%s is 404", async (path) => {
  await refused(call(path, credentials).response, 404, "ROUTE_NOT_FOUND");
});

test.each(["GET", "PUT", "DELETE", "OPTIONS"])("%s is 405", async (method) => {
  for (const path of ["/auth/login", "/essearch/validation"]) {
    const { response, signIn, searchVoters } = call(path, undefined, {}, { method });
    await refused(response, 405, "METHOD_NOT_ALLOWED");
    expect((await response).headers.get("allow")).toBe("POST");
    expect(signIn).not.toHaveBeenCalled();
    expect(searchVoters).not.toHaveBeenCalled();
  }
});

test("a body over 64 KiB is 413, and one of 64 KiB is read", async () => {
  const empty = JSON.stringify({ ...credentials, password: "" }).length;
  const withSize = (size: number) => ({ ...credentials, password: "x".repeat(size - empty) });
  expect((await login(withSize(65_536)).response).status).toBe(200);
  const { response, signIn } = login(withSize(65_537));
  await refused(response, 413, "CONTENT_TOO_LARGE");
  expect(signIn).not.toHaveBeenCalled();
});
