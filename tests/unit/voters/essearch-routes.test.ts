import { once } from "node:events";
import { createServer } from "node:net";
import { inspect } from "node:util";
import { delay, HttpResponse, http, passthrough } from "msw";
import { setupServer } from "msw/node";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { POST as essearch } from "../../../app/api/essearch/route.ts";
import { POST as common } from "../../../app/api/essearch-common/route.ts";
import { searchCredentials } from "../../../lib/voters/search-profile.ts";
import { postJson, readJson } from "../../support/post-json.ts";

type Cookie = { value: string; options?: Record<string, unknown> };
const state = vi.hoisted(() => ({
  jar: new Map<string, Cookie>(),
  dropped: [] as string[],
  session: null as { userId: string; email: string; accessToken: string } | null,
  mayUseProfile: true,
}));
vi.mock("next/headers", () => ({
  cookies: async () => ({
    get: (name: string) => state.jar.get(name),
    set: (name: string, value: string, options: Record<string, unknown>) => state.jar.set(name, { value, options }),
    delete: (name: string) => {
      state.dropped.push(name);
      state.jar.delete(name);
    },
  }),
}));
vi.mock("next/server", () => ({ after: () => undefined })); // the log: tests/integration/activity/read-log.test.ts
vi.mock("../../../lib/auth/get-session.ts", () => ({ getSession: async () => state.session }));
vi.mock("../../../lib/permissions/list-places.ts", () => ({
  listPlaces: async () => [{ id: "north", permissionKeys: [], campaigns: [{ permissionKeys: ["voters.search"] }] }],
}));
vi.mock("../../../lib/permissions/route-permissions.ts", () => ({ routePermissions: async () => ({}) }));

// Who may use which profile: tests/integration/voters/search-profiles.test.ts, with a real database.
vi.mock("../../../lib/voters/searches-with-profile.ts", () => ({
  searchesWithProfile: async () => state.mayUseProfile,
}));

const params = { lastName: "Smith", queryFrom: 0, querySize: 2 };
const hits = [{ _id: "1", _source: { lastName: "Smith" } }, { _id: "2" }];
const found = () => HttpResponse.json({ hits: { hits, total: { value: 312, relation: "eq" } } });
const answer = { status: 200, body: { persons: hits, hitsCount: 2, totalHits: 312 } };
const unauthorized = () => HttpResponse.json({}, { status: 401 });

const [shared, ny, unset] = [searchCredentials(null), searchCredentials("NY"), searchCredentials("WA")];
const backend = "http://search.test/base";
const nyBackend = "http://ny.test";
const server = setupServer();

// The requests to the backends, in order.
let sent: { path: string; body: unknown; token: string | null }[] = [];
const record = async (request: Request) => {
  const { pathname, host } = new URL(request.url);
  sent.push({ path: host + pathname, body: await request.clone().json(), token: request.headers.get("authorization") });
};
let logins = 0;
type Respond = (token: string) => Response | Promise<Response>;
function answerHits(respond: Respond, at = backend) {
  server.use(
    http.post(`${at}/essearch/validation`, async ({ request }) => {
      await record(request);
      return respond((request.headers.get("authorization") ?? "").replace("Bearer ", ""));
    }),
  );
}
function answerLogins(respond: Respond, at = backend) {
  server.use(
    http.post(`${at}/auth/login`, async ({ request }) => {
      await record(request);
      logins += 1;
      return respond(`token-${logins}`);
    }),
  );
}

server.listen({ onUnhandledFrame: "error" });
beforeEach(() => {
  for (const [name, value] of Object.entries({
    SEARCHSVC_URL_SEARCH: `${backend}/`,
    SEARCHSVC_API_EMAIL_SEARCH: "common@search.test",
    SEARCHSVC_API_PASSWORD_SEARCH: "common-password",
  })) {
    vi.stubEnv(name, value);
  }
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  state.jar.clear();
  state.dropped = [];
  state.mayUseProfile = true;
  signInAsAnother();
  sent = [];
  logins = 0;
  for (const at of [backend, nyBackend]) {
    answerHits(found, at);
    answerLogins((token) => HttpResponse.json({ data: { access_token: token, expires: 900_000 } }), at);
  }
});
afterEach(() => {
  server.resetHandlers();
  vi.restoreAllMocks();
});

function signInAsAnother() {
  state.session = { userId: crypto.randomUUID(), email: "canvasser@demo.test", accessToken: "session-token" };
}
function setNy() {
  vi.stubEnv("SEARCHSVC_URL_NY", nyBackend);
  vi.stubEnv("SEARCHSVC_API_EMAIL_NY", "ny@search.test");
  vi.stubEnv("SEARCHSVC_API_PASSWORD_NY", "ny-password");
}
const search = (body: unknown = { params }) => postJson(common, body);
const searchWith = (credentials: object) => postJson(essearch, { params, credentials });

const until = (check: () => void) => vi.waitFor(check, { timeout: 10_000 });
const setToken = (value: string, { name } = shared) => void state.jar.set(name, { value });
const tokens = () => Object.fromEntries([...state.jar].map(([name, { value }]) => [name, value]));
const loginCall = {
  path: "search.test/base/auth/login",
  body: { email: "common@search.test", password: "common-password", mode: "json" },
  token: null,
};
const nyLoginCall = {
  path: "ny.test/auth/login",
  body: { email: "ny@search.test", password: "ny-password", mode: "json" },
  token: null,
};
const searchCall = (token: string, at = "search.test/base") => ({
  path: `${at}/essearch/validation`,
  body: params,
  token: `Bearer ${token}`,
});

describe("the steps of contract 4.2", () => {
  test("steps 3, 4 and 6: logs in without a token, stores it as the contract says, searches and reshapes", async () => {
    const response = await search();
    expect(await readJson(response)).toEqual(answer);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(sent).toEqual([loginCall, searchCall("token-1")]);
    expect(state.jar.get("searchsvc_token_search")).toEqual({
      value: "token-1",
      options: { httpOnly: true, maxAge: 3600, secure: false, sameSite: "strict", path: "/" },
    });
  });

  test("step 3: the cookie is secure in production", async () => {
    vi.stubEnv("NODE_ENV", "production");
    await search();
    expect(state.jar.get(shared.name)?.options).toMatchObject({ secure: true });
  });

  test("step 2: uses a token from the cookie without a login", async () => {
    setToken("kept");
    expect((await search()).status).toBe(200);
    expect([sent, tokens()]).toEqual([[searchCall("kept")], { [shared.name]: "kept" }]);
  });

  test.each(["a\r\nb", "€", "a b", ""])("step 3: ignores %j, which can't be a token", async (value) => {
    setToken(value);
    expect((await search()).status).toBe(200);
    expect(sent).toEqual([loginCall, searchCall("token-1")]);
    expect(tokens()).toEqual({ [shared.name]: "token-1" });
  });

  test("step 6: passes persons on unchanged, long numbers to the last digit", async () => {
    const persons = '[{"_id":12345678901234567890,"score":0.1,"id":-9007199254740993,"text":"1234567890123456789"}]';
    answerHits(() => new HttpResponse(`{"hits":{"hits":${persons},"total":1}}`));
    expect(await (await search()).text()).toBe(`{"persons":${persons},"hitsCount":1,"totalHits":1}`);
  });

  test("step 5: after a 401 of the backend, deletes the cookie, logs in again and retries once", async () => {
    setToken("old");
    answerHits((token) => (token === "old" ? unauthorized() : found()));
    expect(await readJson(await search())).toEqual(answer);
    expect(sent).toEqual([searchCall("old"), loginCall, searchCall("token-1")]);
    expect([state.dropped, tokens()]).toEqual([[shared.name], { [shared.name]: "token-1" }]);
  });

  test("step 5: a 401 of the login after that is an error, and the cookie stays deleted", async () => {
    setToken("old");
    answerLogins(unauthorized);
    answerHits(unauthorized);
    expect(await readJson(await search())).toMatchObject({ status: 502, body: { errorCode: 401 } });
    expect([sent, state.jar.size]).toEqual([[searchCall("old"), loginCall], 0]);
  });

  test("step 5: answers a 401 of the retry without a further try", async () => {
    answerHits(unauthorized);
    const error = expect.stringContaining("Try again");
    expect(await readJson(await search())).toEqual({ status: 502, body: { error, errorCode: 401 } });
    expect(sent).toEqual([loginCall, searchCall("token-1"), loginCall, searchCall("token-2")]);
    expect(state.jar.size).toBe(0);
  });

  test.each([
    ["hits.hits with hits.total.value", { hits: { hits, total: { value: 9 } } }, 9],
    ["hits.hits with hits.total", { hits: { hits, total: 8 } }, 8],
    ["hits.hits with total", { hits: { hits }, total: 7 }, 7],
    ["hits with total", { hits, total: 6 }, 6],
  ])("step 6: reads %s", async (_name, body, totalHits) => {
    answerHits(() => HttpResponse.json(body));
    expect(await readJson(await search())).toEqual({ status: 200, body: { persons: hits, hitsCount: 2, totalHits } });
  });

  test.each(["SEARCHSVC_URL_SEARCH", "SEARCHSVC_API_EMAIL_SEARCH", "SEARCHSVC_API_PASSWORD_SEARCH"])(
    "step 1: returns 500 without %s, and sends nothing",
    async (name) => {
      vi.stubEnv(name, undefined);
      const expected = { status: 500, body: { error: expect.stringContaining("set up") } };
      expect(await readJson(await search())).toEqual(expected);
      expect(await readJson(await searchWith(ny))).toEqual(expected);
      expect(sent).toEqual([]);
    },
  );
});

describe("a backend gets only its own credentials and tokens", () => {
  beforeEach(setNy);
  const nySearchCall = (token: string) => searchCall(token, "ny.test");

  test("uses the common backend without names or with its own (contract 4.3)", async () => {
    expect(await readJson(await search())).toEqual(answer);
    expect(await readJson(await searchWith(shared))).toEqual(answer);
    expect(sent).toEqual([loginCall, searchCall("token-1"), searchCall("token-1")]);
    expect(tokens()).toEqual({ searchsvc_token_search: "token-1" });
  });

  test("keeps a profile's token next to the common one", async () => {
    await search();
    expect(await readJson(await searchWith(ny))).toEqual(answer);
    expect(sent).toEqual([loginCall, searchCall("token-1"), nyLoginCall, nySearchCall("token-2")]);
    expect(tokens()).toEqual({ searchsvc_token_search: "token-1", searchsvc_token_ny: "token-2" });
  });

  test.each([
    ["names of unset variables", unset],
    ["other names", { ...unset, emailKey: "PATH", passwordKey: "", name: "searchsvc_token_x" }],
    ["the name of an unset variable next to common ones", { ...shared, emailKey: unset.emailKey }],
  ])("%s: uses the common profile with that cookie", async (_what, credentials) => {
    expect(await readJson(await searchWith(credentials))).toEqual(answer);
    expect(sent).toEqual([loginCall, searchCall("token-1")]);
    expect(tokens()).toEqual({ [credentials.name]: "token-1" });
  });

  test.each([
    ["SEARCHSVC_API_EMAIL_NY", { email: "common@search.test" }],
    ["SEARCHSVC_API_PASSWORD_NY", { password: "common-password" }],
  ])("uses the common value for a profile without %s", async (missing, fallback) => {
    vi.stubEnv(missing, undefined);
    expect(await readJson(await searchWith(ny))).toEqual(answer);
    expect(sent).toEqual([{ ...nyLoginCall, body: { ...nyLoginCall.body, ...fallback } }, nySearchCall("token-1")]);
  });

  test("searches the common backend for a profile without an address, with the profile's cookie", async () => {
    vi.stubEnv("SEARCHSVC_URL_NY", "");
    expect(await readJson(await searchWith(ny))).toEqual(answer);
    expect(sent).toEqual([{ ...nyLoginCall, path: loginCall.path }, searchCall("token-1")]);
    expect((await searchWith({ ...ny, name: shared.name })).status).toBe(400);
  });

  test("returns 403 for a profile of campaigns in which the user may not search, and sends nothing", async () => {
    state.mayUseProfile = false;
    setToken("ny-token", ny);
    vi.stubEnv("SEARCHSVC_API_EMAIL_SEARCH", undefined);
    vi.stubEnv("SEARCHSVC_API_EMAIL_NY", undefined);
    const error = expect.stringContaining("in a campaign with this search profile");
    expect(await readJson(await searchWith(ny))).toEqual({ status: 403, body: { error } });
    expect((await searchWith({ ...ny, name: shared.name })).status).toBe(400);
    expect([sent, tokens()]).toEqual([[], { searchsvc_token_ny: "ny-token" }]);
  });
});

describe("returns 400 for names that don't belong together, and sends nothing", () => {
  const unlike = (field: string, other: string) => `credentials.${field} must end as credentials.${other} does.`;
  const ofOther = "credentials.name must not be that of another search profile.";
  const { emailKey, passwordKey, endpointKey } = ny;

  test.each<[what: string, credentials: object, error: string]>([
    ["the common email and password to NY", { ...shared, endpointKey }, unlike("endpointKey", "emailKey")],
    ["names of unset variables to NY", { ...unset, endpointKey }, unlike("emailKey", "endpointKey")],
    ["a foreign secret to NY", { ...ny, emailKey: "SUPABASE_SECRET_KEY" }, unlike("emailKey", "passwordKey")],
    ["the common password to NY", { ...ny, passwordKey: shared.passwordKey }, unlike("passwordKey", "emailKey")],
    ["the common email to NY", { ...ny, emailKey: shared.emailKey }, unlike("passwordKey", "emailKey")],
    ["NY's values to the common address", { ...shared, emailKey, passwordKey }, unlike("endpointKey", "emailKey")],
    ["NY's values to no address", { ...ny, endpointKey: unset.endpointKey }, unlike("endpointKey", "emailKey")],
    ["a name of another field", { ...ny, emailKey: passwordKey }, unlike("emailKey", "passwordKey")],
    ["small letters", { ...ny, emailKey: "SEARCHSVC_API_EMAIL_ny" }, unlike("emailKey", "passwordKey")],
    ["a line break", { ...ny, emailKey: `${emailKey}\n` }, unlike("emailKey", "passwordKey")],
    ["the common token to NY", { ...ny, name: shared.name }, "credentials.name must be searchsvc_token_ny."],
    ["NY's token to the common address", { ...shared, name: ny.name }, ofOther],
    ["NY's token to an unset address", { ...unset, name: ny.name }, ofOther],
    ["the token of a half-set profile", { ...shared, name: "searchsvc_token_half" }, ofOther],
  ])("%s", async (_what, credentials, error) => {
    setNy();
    vi.stubEnv("SEARCHSVC_API_EMAIL_HALF", "half@search.test");
    const jars: Record<string, string>[] = [
      {},
      { searchsvc_token_search: "common", searchsvc_token_ny: "ny", searchsvc_token_half: "half" },
    ];
    for (const jar of jars) {
      state.jar = new Map(Object.entries(jar).map(([name, value]) => [name, { value }]));
      expect(await readJson(await searchWith(credentials))).toEqual({ status: 400, body: { error } });
      expect([sent, tokens()]).toEqual([[], jar]);
    }
  });
});

describe("the request to the backend", () => {
  const contract = {
    firstName: "Ada",
    lastName: "Smith",
    houseNumber: "12",
    zip: "98030",
    county: "King",
    city: "Kent",
    order: "-city",
    queryFrom: 25,
    querySize: 50,
  };
  const { street, voterId, birthYear } = { street: "Oak St", voterId: "WA-1", birthYear: "1943" };
  const all = { ...contract, street, voterId };
  const bodies = () => sent.filter(({ path }) => path.endsWith("validation")).map(({ body }) => body);
  const ask = (body: object, credentials?: object) =>
    credentials ? postJson(essearch, { params: body, credentials }) : search({ params: body });

  test.each([
    ["the common one", undefined],
    ["a profile", ny],
  ])("sends only the contract's params, whatever else was asked: %s", async (_who, credentials) => {
    for (const similar of [false, undefined]) {
      await ask({ ...all, similar, fields: "*", size: 10_000, _source: true }, credentials);
    }
    await ask({}, credentials);
    expect(bodies()).toEqual([contract, contract, { queryFrom: 0, querySize: 25 }]);
  });

  test.each([
    ["street", { ...contract, street }],
    ["voterId , street,", all],
    ["street,voterId,birthYear,similar", { ...all, birthYear, similar: true }],
  ])("sends the params that the setting names: %s", async (setting, expected) => {
    vi.stubEnv("SEARCHSVC_FIELDS_SEARCH", setting);
    expect((await ask({ ...all, birthYear, similar: setting.includes("similar"), size: 1 })).status).toBe(200);
    expect(bodies()).toEqual([expected]);
  });

  test("sends nothing to a backend without near matches, and answers with none", async () => {
    vi.stubEnv("SEARCHSVC_FIELDS_SEARCH", "street");
    const noVoters = { status: 200, body: { persons: [], hitsCount: 0, totalHits: 0 } };
    expect(await readJson(await ask({ ...contract, similar: true }))).toEqual(noVoters);
    expect(sent).toEqual([]);
  });

  test("uses a profile's setting if the profile has an address, otherwise the common one", async () => {
    vi.stubEnv("SEARCHSVC_FIELDS_SEARCH", "street");
    await ask(all, ny);
    vi.stubEnv("SEARCHSVC_URL_NY", nyBackend);
    await ask(all, ny);
    vi.stubEnv("SEARCHSVC_FIELDS_NY", "voterId");
    await ask(all, ny);
    expect(bodies()).toEqual([{ ...contract, street }, contract, { ...contract, voterId }]);
  });

  test("ignores unknown names in the setting, which are logged once", async () => {
    vi.stubEnv("SEARCHSVC_FIELDS_SEARCH", "street,stret,constructor");
    for (const _ of ["one", "another"]) await ask(all);
    expect(bodies()).toEqual(Array(2).fill({ ...contract, street }));
    const logged = vi.mocked(console.error).mock.calls.map(([line]) => JSON.parse(line).message);
    expect(logged).toEqual([
      "SEARCHSVC_FIELDS_SEARCH has unknown params: stret, constructor. Known: street, voterId, birthYear, similar.",
    ]);
  });
});

describe("a backend that fails", () => {
  test.each([302, 403, 429, 500, 504])("returns 502 with errorCode for %i of the search", async (status) => {
    answerHits(
      () => new HttpResponse("https://internal password", { status, headers: { location: "http://evil.test/" } }),
    );
    const error =
      status === 504
        ? "The voter search took too long. Try again."
        : `Voter search isn't working (error ${status}). Try again in a moment.`;
    expect(await readJson(await search())).toEqual({ status: 502, body: { error, errorCode: status } });
    expect(sent).toEqual([loginCall, searchCall("token-1")]);
  });

  test.each([401, 500])(
    "returns 502 with errorCode for %i of the login, without a retry or a search",
    async (status) => {
      answerLogins(() => HttpResponse.json({ errors: [] }, { status }));
      expect(await readJson(await search())).toMatchObject({ status: 502, body: { errorCode: status } });
      expect([sent, state.jar.size]).toEqual([[loginCall], 0]);
    },
  );

  test.each([
    ["HTML", () => HttpResponse.html("<h1>hello</h1>")],
    ["half a JSON", () => new HttpResponse('{"hits":{"hits":[')],
    ["JSON of another shape", () => HttpResponse.json({ data: [] })],
    ["hits without a total", () => HttpResponse.json({ hits: [] })],
    ["invalid UTF-8", () => new HttpResponse(new Uint8Array([0xff, 0xfe, 0x22]))],
    ["more than 5 MB", () => HttpResponse.json({ hits: ["x".repeat(6 * 1024 * 1024)], total: 1 })],
    ["a broken connection", () => HttpResponse.error()],
  ])("returns 502 without errorCode for %s", async (_name, respond) => {
    answerHits(respond);
    const error = "The voter search returned an unreadable answer. Try again in a moment.";
    expect(await readJson(await search())).toEqual({ status: 502, body: { error } });
  });

  test.each([
    ["search", answerHits],
    ["login", answerLogins],
  ])("returns 504 when the %s doesn't answer in time", async (_what, answerWith) => {
    const time = new AbortController();
    const ofLogin = new AbortController();
    vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(time.signal).mockReturnValue(ofLogin.signal);
    answerWith(() => {
      time.abort(new DOMException("late", "TimeoutError"));
      return delay("infinite").then(found);
    });
    const error = "The voter search took too long. Try again.";
    expect(await readJson(await search())).toEqual({ status: 504, body: { error } });
  });
});

describe("logins", () => {
  test.each([undefined, "expired"])(
    "searches of one user share a login, at once or while typing (cookie: %s)",
    async (cookie) => {
      const answers = Promise.withResolvers<void>();
      let searchCount = 0;
      answerHits(async (token) => {
        if (token === "expired") return unauthorized();
        searchCount += 1;
        return answers.promise.then(found);
      });
      const searches: Promise<Response>[] = [];
      // Each letter aborts the search before it: the cookie of that one never arrives.
      for (const atOnce of [5, 1, 1]) {
        state.jar.clear();
        if (cookie) setToken(cookie);
        for (let one = 0; one < atOnce; one++) searches.push(search());
        await until(() => expect(searchCount).toBe(searches.length));
      }
      answers.resolve();
      expect(new Set((await Promise.all(searches)).map(({ status }) => status))).toEqual(new Set([200]));
      expect(logins).toBe(1);
      state.jar.clear();
      expect((await search()).status).toBe(200);
      expect(logins).toBe(2); // nothing is cached
    },
  );

  test.each<[whose: string, second: () => Promise<Response>]>([
    [
      "two users",
      () => {
        signInAsAnother();
        return search();
      },
    ],
    ["searches of one user with two profiles", () => searchWith(ny)],
  ])("%s share no login", async (_whose, another) => {
    vi.stubEnv("SEARCHSVC_API_EMAIL_NY", "ny@search.test");
    const answers = Promise.withResolvers<void>();
    answerLogins((token) => answers.promise.then(() => HttpResponse.json({ data: { access_token: token } })));
    const first = search();
    await until(() => expect(logins).toBe(1));
    const second = another();
    await until(() => expect(logins).toBe(2));
    answers.resolve();
    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    expect(sent.slice(2).map(({ token }) => token)).toEqual(["Bearer token-1", "Bearer token-2"]);
  });

  test("don't share a token that was refused", async () => {
    const answers = Promise.withResolvers<void>();
    let searchCount = 0;
    answerHits((token) => {
      searchCount += 1;
      if (searchCount === 1) return answers.promise.then(found);
      return token === "token-2" ? found() : unauthorized();
    });
    const first = search();
    await until(() => expect(searchCount).toBe(1));
    expect((await search()).status).toBe(200);
    answers.resolve();
    expect([(await first).status, logins]).toEqual([200, 2]);
  });

  test("don't share a failed login, and are repeated after a 403", async () => {
    setToken("slow");
    answerHits((token) => {
      if (token === "slow") return delay("infinite").then(found);
      return token === "token-2" ? HttpResponse.json({}, { status: 403 }) : found();
    });
    void search(); // keeps running
    await until(() => expect(sent).toEqual([searchCall("slow")]));
    sent = [];
    state.jar.clear();
    answerLogins((token) =>
      token === "token-1" ? HttpResponse.error() : HttpResponse.json({ data: { access_token: token } }),
    );
    expect((await search()).status).toBe(502);
    expect(await readJson(await search())).toMatchObject({ status: 502, body: { errorCode: 403 } });
    expect(state.jar.size).toBe(0);
    expect((await search()).status).toBe(200);
    expect(sent).toEqual([loginCall, loginCall, searchCall("token-2"), loginCall, searchCall("token-3")]);
  });

  test("a user's 7th login in a minute is 429 with a time to retry, and nothing is sent", async () => {
    answerHits((token) => (token === "old" ? unauthorized() : found()));
    const ask = (token?: string) => {
      state.jar.clear();
      if (token) setToken(token);
      return search();
    };
    for (let login = 1; login <= 6; login++) expect((await ask(login % 2 ? "old" : undefined)).status).toBe(200);
    expect(logins).toBe(6);
    for (const token of [undefined, "old"]) {
      sent = [];
      const response = await ask(token);
      const error = expect.stringMatching(/Try again in \d+ seconds/);
      expect(await readJson(response)).toEqual({ status: 429, body: { error } });
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      expect([sent, state.jar.size]).toEqual([token ? [searchCall(token)] : [], 0]);
    }
    expect((await ask("good")).status).toBe(200); // anyone with a token goes on
    signInAsAnother();
    expect([(await ask()).status, logins]).toEqual([200, 7]);
  });
});

// Permissions, methods, media types, sizes and invalid JSON: tests/unit/http/routes.test.ts, for each route.
describe("refuses params before anything is sent", () => {
  const orders =
    /^params\.order must be one of voterId, firstName, middleName, lastName, houseNumber, street, unit, city, zip, county, with a leading - for descending\.$/;

  test.each<[what: string, params: unknown, message: RegExp]>([
    ["none", undefined, /^params must be an object\.$/],
    ["a text that is too long", { city: "x".repeat(101) }, /^params\.city/],
    ["a number for a text", { zip: 98030 }, /^params\.zip must be text\.$/],
    ["a number for a street", { street: 4 }, /^params\.street must be text\.$/],
    ["a long voter id", { voterId: "x".repeat(101) }, /^params\.voterId/],
    ["a text for similar", { similar: "yes" }, /^params\.similar must be true or false\.$/],
    ["an unknown order", { order: "height" }, orders],
    ["an order twice descending", { order: "--city" }, orders],
    ["an order that is a property of every object", { order: "constructor" }, orders],
    ["querySize 0", { querySize: 0 }, /^params\.querySize/],
    ["querySize 101", { querySize: 101 }, /^params\.querySize/],
    ["querySize as a text", { querySize: "25" }, /^params\.querySize/],
    ["querySize 1.5", { querySize: 1.5 }, /^params\.querySize/],
    ["a negative queryFrom", { queryFrom: -1 }, /^params\.queryFrom/],
    ["a queryFrom beyond all integers", { queryFrom: 1e300 }, /^params\.queryFrom/],
    ["past 10 000 hits", { queryFrom: 9_990 }, /^params\.queryFrom/],
  ])("%s", async (_what, params, message) => {
    const error = expect.stringMatching(message);
    expect(await readJson(await search({ params }))).toEqual({ status: 400, body: { error } });
    expect(sent).toEqual([]);
  });

  test("counts 100 characters, not 100 UTF-16 units", async () => {
    expect((await search({ params: { lastName: "😀".repeat(100) } })).status).toBe(200);
    expect((await search({ params: { lastName: "😀".repeat(101) } })).status).toBe(400);
  });
});

describe("names that a client can't choose", () => {
  const forbidden = ["SUPABASE_SECRET_KEY", "PATH", "constructor", "__proto__", "", "SEARCHSVC_URL_A\r\nX"];

  test.each(["emailKey", "passwordKey", "endpointKey"])(
    "treats a forbidden name in %s as unset, and never sends its value",
    async (field) => {
      vi.stubEnv("SUPABASE_SECRET_KEY", "sb_secret_of_ours");
      for (const name of [...forbidden, "SEARCHSVC_URL_ny", "A".repeat(10_000)]) {
        state.jar.clear();
        sent = [];
        signInAsAnother();
        logins = 0;
        expect(await readJson(await searchWith({ ...ny, [field]: name }))).toEqual(answer);
        expect(sent).toEqual([loginCall, searchCall("token-1")]);
      }
    },
  );

  test.each([
    "sb-127-auth-token",
    "__proto__",
    "",
    "searchsvc_token_",
    "searchsvc_token_NY",
    "searchsvc_token_a\r\nSet-Cookie: x",
    "searchsvc_token_a;b",
    `searchsvc_token_${"a".repeat(10_000)}`,
  ])("returns 400 for the cookie %j, without reading, setting or deleting one", async (name) => {
    state.jar.set(name, { value: "session-secret" });
    const error = "credentials.name must look like searchsvc_token_ny.";
    expect(await readJson(await searchWith({ ...ny, name }))).toEqual({ status: 400, body: { error } });
    expect([sent, state.dropped, state.jar.get(name)]).toEqual([[], [], { value: "session-secret" }]);
  });
});

test.each(["params", "credentials", "name", "emailKey", "passwordKey", "endpointKey"])(
  "returns 400 without %s, and sends nothing (contract 2.3)",
  async (left) => {
    const without = (whole: object) => Object.fromEntries(Object.entries(whole).filter(([name]) => name !== left));
    const body = without({ params, credentials: without(ny) });
    const error = expect.stringMatching(new RegExp(`^(credentials\\.)?${left} must be `));
    expect(await readJson(await postJson(essearch, body))).toEqual({ status: 400, body: { error } });
    expect(sent).toEqual([]);
  },
);

async function hangUp() {
  const closing = createServer((socket) => socket.destroy()).listen(0, "127.0.0.1");
  await once(closing, "listening");
  const address = closing.address();
  const port = address !== null && typeof address === "object" ? address.port : 0;
  vi.stubEnv("SEARCHSVC_URL_SEARCH", `http://127.0.0.1:${port}`);
  server.use(http.post(`http://127.0.0.1:${port}/auth/login`, passthrough));
  onTestFinished(() => void closing.close());
}
test.each<[string, () => void | Promise<void>, logged: RegExp]>([
  ["an error", () => answerHits(() => HttpResponse.json({ message: "common-password" }, { status: 500 })), /error 500/],
  ["half a JSON", () => answerHits(() => new HttpResponse('{"hits":[{"name":"Smith"')), /SyntaxError/],
  ["a login in plain text", () => answerLogins((token) => new HttpResponse(token)), /SyntaxError/],
  [
    "a login without quotes",
    () => answerLogins((token) => new HttpResponse(`{"data":{"access_token":${token}}}`)),
    /SyntaxError/,
  ],
  [
    "a token that no header can carry",
    () => answerLogins((token) => HttpResponse.json({ data: { access_token: `${token}\r\n` } })),
    /unreadable/,
  ],
  ["a backend that hangs up", hangUp, /UND_ERR_SOCKET|ECONNRESET|EPIPE/],
  ["no address", () => vi.stubEnv("SEARCHSVC_URL_SEARCH", "search.test"), /ERR_INVALID_URL/],
])("keeps credentials, backend and voters out of answers and logs: %s", async (_, begin, expectedLog) => {
  await begin();
  const text = await (await search()).text();
  const log = inspect(vi.mocked(console.error).mock.calls, { depth: null });
  expect(log).toMatch(expectedLog);
  for (const secret of ["common-password", "common@search.test", "search.test", "127.0.0.1", "token-1", "Smith"]) {
    for (const output of [text, log]) expect(output).not.toContain(secret);
  }
});
