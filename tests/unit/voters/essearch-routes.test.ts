import { once } from "node:events";
import { createServer } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { inspect } from "node:util";
import { delay, HttpResponse, http, passthrough } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { POST as essearch } from "../../../app/api/essearch/route.ts";
import { POST as common } from "../../../app/api/essearch-common/route.ts";

type Cookie = { value: string; options?: Record<string, unknown> };
const state = vi.hoisted(() => ({
  jar: new Map<string, { value: string; options?: Record<string, unknown> }>(),
  dropped: [] as string[],
  session: null as { userId: string; email: string; accessToken: string } | null,
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
vi.mock("next/server", () => ({ after: () => undefined })); // what is recorded: tests/integration/activity/read-log.test.ts
vi.mock("../../../lib/auth/get-session.ts", () => ({ getSession: async () => state.session }));
vi.mock("../../../lib/permissions/list-places.ts", () => ({
  listPlaces: async () => [{ id: "north", permissionKeys: [], campaigns: [{ permissionKeys: ["voters.search"] }] }],
}));
vi.mock("../../../lib/permissions/route-permissions.ts", () => ({ routePermissions: async () => ({}) }));

// Who may use which profile is tested on a real database, in tests/integration/search-profiles.test.ts.
vi.mock("../../../lib/voters/searches-with-profile.ts", () => ({ searchesWithProfile: async () => true }));

const cookieName = "searchsvc_token_search";
const params = { lastName: "Smith", queryFrom: 0, querySize: 2 };
const credentials = {
  name: "searchsvc_token_ny",
  emailKey: "SEARCHSVC_API_EMAIL_NY",
  endpointKey: "SEARCHSVC_URL_NY",
  passwordKey: "SEARCHSVC_API_PASSWORD_NY",
};
const hits = [{ _id: "1", _source: { lastName: "Smith" } }, { _id: "2" }];

// What the backend was sent, in order.
let sent: { path: string; body: unknown; token: string | null }[] = [];
const record = async (request: Request) => {
  const { pathname, host } = new URL(request.url);
  sent.push({ path: host + pathname, body: await request.clone().json(), token: request.headers.get("authorization") });
};
let logins = 0;
const server = setupServer();
const backend = "http://search.test/base";

function answerHits(answer: (token: string) => Response | Promise<Response>) {
  server.use(
    http.post(`${backend}/essearch/validation`, async ({ request }) => {
      await record(request);
      return answer((request.headers.get("authorization") ?? "").replace("Bearer ", ""));
    }),
  );
}
const found = () => HttpResponse.json({ hits: { hits, total: { value: 312, relation: "eq" } } });

beforeAll(() => {
  server.listen({ onUnhandledFrame: "error" });
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});
beforeEach(() => {
  for (const [name, value] of Object.entries({
    NEXT_PUBLIC_SUPABASE_URL: "http://supabase.test",
    NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY: "sb_publishable_test",
    REDIS_URL: "redis://127.0.0.1:1",
    SEARCHSVC_URL_SEARCH: `${backend}/`,
    SEARCHSVC_API_EMAIL_SEARCH: "common@search.test",
    SEARCHSVC_API_PASSWORD_SEARCH: "common-password",
  })) {
    vi.stubEnv(name, value);
  }
  state.jar.clear();
  state.dropped = [];
  signInAsAnother();
  sent = [];
  logins = 0;
  server.use(
    http.post(`${backend}/auth/login`, async ({ request }) => {
      await record(request);
      logins += 1;
      return HttpResponse.json({ data: { access_token: `token-${logins}`, refresh_token: "r", expires: 900_000 } });
    }),
  );
});
afterEach(() => {
  server.resetHandlers();
  vi.unstubAllEnvs();
});
afterAll(() => server.close());

function signInAsAnother() {
  state.session = { userId: crypto.randomUUID(), email: "canvasser@demo.test", accessToken: "session-token" };
}
const post = (handler: (request: Request) => Promise<Response>, body: unknown) =>
  handler(
    new Request("http://signet.test/api/essearch", {
      method: "POST",
      headers: { "content-type": "application/json", host: "signet.test" },
      body: JSON.stringify(body),
    }),
  );
const search = (body: unknown = { params }) => post(common, body);
const read = async (response: Response) => ({ status: response.status, body: await response.json() });

const loginCall = {
  path: "search.test/base/auth/login",
  body: { email: "common@search.test", password: "common-password", mode: "json" },
  token: null,
};
const searchCall = (token: string) => ({
  path: "search.test/base/essearch/validation",
  body: params,
  token: `Bearer ${token}`,
});

describe("the steps of contract 4.2", () => {
  test("steps 3, 4 and 6: without a token, log in, keep it as the contract says, search, reshape", async () => {
    answerHits(found);
    const response = await search();
    expect(await read(response)).toEqual({ status: 200, body: { persons: hits, hitsCount: 2, totalHits: 312 } });
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(sent).toEqual([loginCall, searchCall("token-1")]);
    expect(state.jar.get(cookieName)).toEqual({
      value: "token-1",
      options: { httpOnly: true, maxAge: 3600, secure: false, sameSite: "strict", path: "/" },
    });
  });

  test("step 3: the cookie is secure in production", async () => {
    vi.stubEnv("NODE_ENV", "production");
    answerHits(found);
    await search();
    expect(state.jar.get(cookieName)?.options).toMatchObject({ secure: true });
  });

  test("step 2: a token from the cookie is used, and nobody logs in", async () => {
    state.jar.set(cookieName, { value: "kept" } satisfies Cookie);
    answerHits(found);
    expect((await search()).status).toBe(200);
    expect(sent).toEqual([searchCall("kept")]);
    expect(state.jar.get(cookieName)).toEqual({ value: "kept" });
  });

  test.each(["a\r\nb", "€", "a b", ""])("step 3: what cannot be a token, as %j, is none", async (value) => {
    state.jar.set(cookieName, { value } satisfies Cookie);
    answerHits(found);
    expect((await search()).status).toBe(200);
    expect(sent).toEqual([loginCall, searchCall("token-1")]);
    expect(state.jar.get(cookieName)?.value).toBe("token-1");
  });

  test("step 6: persons are passed on as they came, long numbers to the last digit", async () => {
    const persons = '[{"_id":12345678901234567890,"score":0.1,"id":-9007199254740993,"text":"1234567890123456789"}]';
    answerHits(() => new HttpResponse(`{"hits":{"hits":${persons},"total":1}}`));
    expect(await (await search()).text()).toBe(`{"persons":${persons},"hitsCount":1,"totalHits":1}`);
  });

  test("step 5: a 401 of the backend deletes the cookie, logs in again and tries once more", async () => {
    state.jar.set(cookieName, { value: "old" } satisfies Cookie);
    answerHits((token) => (token === "old" ? HttpResponse.json({}, { status: 401 }) : found()));
    expect(await read(await search())).toEqual({ status: 200, body: { persons: hits, hitsCount: 2, totalHits: 312 } });
    expect(sent).toEqual([searchCall("old"), loginCall, searchCall("token-1")]);
    expect(state.dropped).toEqual([cookieName]);
    expect(state.jar.get(cookieName)?.value).toBe("token-1");
  });

  test("step 5: each stale token costs a login, as nothing but the cookie keeps a token", async () => {
    answerHits((token) => (token === "old" ? HttpResponse.json({}, { status: 401 }) : found()));
    for (const token of ["token-1", "token-2"]) {
      state.jar.set(cookieName, { value: "old" } satisfies Cookie);
      sent = [];
      expect((await search()).status).toBe(200);
      expect(sent).toEqual([searchCall("old"), loginCall, searchCall(token)]);
    }
  });

  test("step 5: a 401 of the login after that is an error, and the cookie stays deleted", async () => {
    state.jar.set(cookieName, { value: "old" } satisfies Cookie);
    server.use(http.post(`${backend}/auth/login`, () => HttpResponse.json({}, { status: 401 })));
    answerHits(() => HttpResponse.json({}, { status: 401 }));
    expect(await read(await search())).toMatchObject({ status: 502, body: { errorCode: 401 } });
    expect(sent).toEqual([searchCall("old")]);
    expect(state.jar.size).toBe(0);
  });

  test("step 5: still 401 after the retry is an answer and no loop", async () => {
    answerHits(() => HttpResponse.json({}, { status: 401 }));
    expect(await read(await search())).toEqual({
      status: 502,
      body: { error: expect.stringContaining("Try again"), errorCode: 401 },
    });
    expect(sent).toEqual([loginCall, searchCall("token-1"), loginCall, searchCall("token-2")]);
    expect(state.jar.size).toBe(0);
  });

  test.each([
    ["hits.hits with hits.total.value", { hits: { hits, total: { value: 9 } } }, 9],
    ["hits.hits with hits.total", { hits: { hits, total: 8 } }, 8],
    ["hits.hits with total", { hits: { hits }, total: 7 }, 7],
    ["hits with total", { hits, total: 6 }, 6],
  ])("step 6: %s", async (_name, body, totalHits) => {
    answerHits(() => HttpResponse.json(body));
    expect(await read(await search())).toEqual({ status: 200, body: { persons: hits, hitsCount: 2, totalHits } });
  });

  test.each(["SEARCHSVC_URL_SEARCH", "SEARCHSVC_API_EMAIL_SEARCH", "SEARCHSVC_API_PASSWORD_SEARCH"])(
    "step 1: without %s: 500, and nothing is sent",
    async (name) => {
      vi.stubEnv(name, undefined);
      const expected = { status: 500, body: { error: expect.stringContaining("not set up") } };
      expect(await read(await search())).toEqual(expected);
      expect(await read(await post(essearch, { params, credentials }))).toEqual(expected);
      expect(sent).toEqual([]);
    },
  );
});

describe("what the backend is sent", () => {
  const contract = {
    ...{ firstName: "Ada", lastName: "Smith", houseNumber: "12", zip: "98030", county: "King", city: "Kent" },
    ...{ order: "-city", queryFrom: 25, querySize: 50 },
  };
  const extras = { street: "Oak St", voterId: "WA-1" };
  const bodies = () => sent.filter(({ path }) => path.endsWith("validation")).map(({ body }) => body);
  const ask = (body: object, names?: typeof credentials) =>
    names ? post(essearch, { params: body, credentials: names }) : search({ params: body });

  test.each([
    ["the common one", undefined],
    ["a profile", credentials],
  ])("exactly the contract's params, whatever else is sent: %s", async (_who, names) => {
    answerHits(found);
    for (const similar of [false, undefined]) {
      await ask({ ...contract, ...extras, similar, fields: "*", size: 10_000, _source: true }, names);
    }
    await ask({}, names);
    expect(bodies()).toEqual([contract, contract, { queryFrom: 0, querySize: 25 }]);
  });

  test.each([
    ["street", { street: "Oak St" }],
    ["voterId , street,", extras],
    ["street,voterId,similar", { ...extras, similar: true }],
  ])("and what its setting names: %s", async (setting, more) => {
    vi.stubEnv("SEARCHSVC_FIELDS_SEARCH", setting);
    answerHits(found);
    const similar = setting.includes("similar");
    expect((await ask({ ...contract, ...extras, similar, size: 1 })).status).toBe(200);
    expect(bodies()).toEqual([{ ...contract, ...more }]);
  });

  test("who is similar is not asked of a backend that knows none: nobody, and it hears nothing", async () => {
    vi.stubEnv("SEARCHSVC_FIELDS_SEARCH", "street");
    answerHits(found);
    const nobody = { status: 200, body: { persons: [], hitsCount: 0, totalHits: 0 } };
    expect(await read(await ask({ ...contract, similar: true }))).toEqual(nobody);
    expect(sent).toEqual([]);
  });

  test("a profile with an address of its own has a setting of its own; else that of the common address", async () => {
    vi.stubEnv("SEARCHSVC_FIELDS_SEARCH", "street");
    answerHits(found);
    server.use(
      http.post("http://ny.test/essearch/validation", async ({ request }) => {
        await record(request);
        return found();
      }),
    );
    state.jar.set(credentials.name, { value: "ny" } satisfies Cookie);
    await ask({ ...contract, ...extras }, credentials);
    vi.stubEnv("SEARCHSVC_URL_NY", "http://ny.test");
    await ask({ ...contract, ...extras }, credentials);
    vi.stubEnv("SEARCHSVC_FIELDS_NY", "voterId");
    await ask({ ...contract, ...extras }, credentials);
    const { street, voterId } = extras;
    expect(bodies()).toEqual([{ ...contract, street }, contract, { ...contract, voterId }]);
  });

  test("a name in the setting that is none is told to whoever runs Signet, once, and searches go on", async () => {
    vi.stubEnv("SEARCHSVC_FIELDS_SEARCH", "street,stret,constructor");
    vi.mocked(console.error).mockClear();
    answerHits(found);
    for (const _ of ["one", "another"]) expect((await ask({ ...contract, ...extras })).status).toBe(200);
    const { street } = extras;
    expect(bodies()).toEqual([
      { ...contract, street },
      { ...contract, street },
    ]);
    const logged = vi.mocked(console.error).mock.calls.map(([line]) => JSON.parse(line).message);
    expect(logged).toEqual([
      "SEARCHSVC_FIELDS_SEARCH names what no search takes: stret, constructor. Known: street, voterId, similar.",
    ]);
  });
});

describe("a backend that fails", () => {
  test.each([302, 400, 403, 418, 429, 500, 503])("%i of the search is 502 with errorCode", async (status) => {
    answerHits(
      () => new HttpResponse("https://internal password", { status, headers: { location: "http://evil.test/" } }),
    );
    expect(await read(await search())).toEqual({
      status: 502,
      body: { error: `The voter search answered an error (${status}). Try again in a moment.`, errorCode: status },
    });
    expect(sent).toEqual([loginCall, searchCall("token-1")]);
  });

  test.each([401, 403, 500])(
    "%i of the login is 502 with errorCode, not tried again, and nothing is searched",
    async (status) => {
      server.use(
        http.post(`${backend}/auth/login`, async ({ request }) => {
          await record(request);
          return HttpResponse.json({ errors: [] }, { status });
        }),
      );
      expect(await read(await search())).toMatchObject({ status: 502, body: { errorCode: status } });
      expect(sent).toEqual([loginCall]);
      expect(state.jar.size).toBe(0);
    },
  );

  test.each([
    ["HTML", () => HttpResponse.html("<h1>hello</h1>")],
    ["half a JSON", () => new HttpResponse('{"hits":{"hits":[')],
    ["JSON of another shape", () => HttpResponse.json({ data: [] })],
    ["hits without a total", () => HttpResponse.json({ hits: [] })],
    ["no UTF-8", () => new HttpResponse(new Uint8Array([0xff, 0xfe, 0x22]))],
    ["more than 5 MB", () => HttpResponse.json({ hits: ["x".repeat(6 * 1024 * 1024)], total: 1 })],
    ["a broken connection", () => HttpResponse.error()],
  ])("%s is 502 without errorCode", async (_name, answer) => {
    answerHits(answer);
    expect(await read(await search())).toEqual({
      status: 502,
      body: { error: "The voter search answered nothing that can be read. Try again in a moment." },
    });
  });

  test("no answer in time is 504", async () => {
    vi.spyOn(AbortSignal, "timeout").mockImplementation(() => {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new DOMException("late", "TimeoutError")), 100);
      return controller.signal;
    });
    answerHits(async () => {
      await delay("infinite");
      return found();
    });
    expect(await read(await search())).toEqual({
      status: 504,
      body: { error: "The voter search took too long. Try again." },
    });
    vi.mocked(AbortSignal.timeout).mockRestore();
  });
});

describe("a login is one person's", () => {
  const slowly = (loginMs: number, searchMs: number) => {
    server.use(
      http.post(`${backend}/auth/login`, async () => {
        logins += 1;
        const token = `token-${logins}`;
        await delay(loginMs);
        return HttpResponse.json({ data: { access_token: token } });
      }),
    );
    answerHits(async (token) => {
      if (token === "expired") return HttpResponse.json({}, { status: 401 });
      await delay(searchMs);
      return found();
    });
  };
  const statuses = async (searches: Promise<Response>[]) => (await Promise.all(searches)).map(({ status }) => status);

  test.each([undefined, "expired"])("20 searches of one person at once share it (cookie: %s)", async (value) => {
    if (value) state.jar.set(cookieName, { value } satisfies Cookie);
    slowly(200, 0);
    expect(new Set(await statuses(Array.from({ length: 20 }, () => search())))).toEqual(new Set([200]));
    expect(logins).toBe(1);
  });

  test.each([undefined, "expired"])("so do those of one who types (cookie: %s)", async (value) => {
    // Each letter aborts the search before: the cookies of all but the last never arrive.
    const answers = Promise.withResolvers<void>();
    let asked = 0;
    slowly(0, 0);
    answerHits(async (token) => {
      if (token === "expired") return HttpResponse.json({}, { status: 401 });
      asked += 1;
      await answers.promise;
      return found();
    });
    const searches: Promise<Response>[] = [];
    for (let letter = 1; letter <= 12; letter++) {
      state.jar.clear();
      if (value) state.jar.set(cookieName, { value } satisfies Cookie);
      searches.push(search());
      await vi.waitFor(() => expect(asked).toBe(letter)); // its login, if it is one, has ended
    }
    answers.resolve();
    expect(new Set(await statuses(searches))).toEqual(new Set([200]));
    expect(logins).toBe(1);
    state.jar.clear();
    expect((await search()).status).toBe(200);
    expect(logins).toBe(2); // nothing was kept
  });

  test("but not those of two people, at once or one after the other", async () => {
    slowly(50, 0);
    const first = search();
    await wait(10);
    signInAsAnother();
    const second = search();
    expect(await statuses([first, second])).toEqual([200, 200]);
    expect(logins).toBe(2);
    state.jar.clear();
    signInAsAnother();
    expect((await search()).status).toBe(200);
    expect(logins).toBe(3);
  });

  test("nor those of one person with two profiles", async () => {
    vi.stubEnv("SEARCHSVC_API_EMAIL_NY", "ny@search.test");
    slowly(50, 0);
    expect(await statuses([search(), post(essearch, { params, credentials })])).toEqual([200, 200]);
    expect(logins).toBe(2);
    expect(state.jar.get(cookieName)?.value).not.toBe(state.jar.get(credentials.name)?.value);
  });

  test("a token that was shared and is refused is shared no more", async () => {
    let valid = "token-1";
    answerHits(async (token) => {
      await delay(30);
      return token === valid ? found() : HttpResponse.json({}, { status: 401 });
    });
    const first = search();
    await wait(20);
    valid = "token-2";
    state.jar.set(cookieName, { value: "token-1" } satisfies Cookie);
    expect(await statuses([first, search()])).toEqual([200, 200]);
    expect(logins).toBe(2);
  });

  test("a login that failed is not shared, and one after a 403 is a new one", async () => {
    state.jar.set(cookieName, { value: "slow" } satisfies Cookie);
    answerHits(() => delay("infinite").then(found));
    void search(); // runs all the while
    await vi.waitFor(() => expect(sent).toEqual([searchCall("slow")]));
    sent = [];
    state.jar.clear();
    server.use(http.post(`${backend}/auth/login`, () => HttpResponse.json({}, { status: 500 }), { once: true }));
    answerHits((token) => (token === "token-2" ? found() : HttpResponse.json({}, { status: 403 })));
    expect((await search()).status).toBe(502);
    expect(await read(await search())).toMatchObject({ status: 502, body: { errorCode: 403 } });
    expect(state.jar.size).toBe(0);
    expect((await search()).status).toBe(200);
    expect(sent).toEqual([loginCall, searchCall("token-1"), loginCall, searchCall("token-2")]);
  });

  test("the 7th login of a person in a minute is 429 that says when to try again, and nothing is sent", async () => {
    answerHits((token) => (token === "old" ? HttpResponse.json({}, { status: 401 }) : found()));
    const ask = async (value?: string) => {
      state.jar.clear();
      if (value) state.jar.set(cookieName, { value } satisfies Cookie);
      return search();
    };
    for (let login = 1; login <= 6; login++) expect((await ask(login % 2 ? "old" : undefined)).status).toBe(200);
    expect(logins).toBe(6);
    for (const value of [undefined, "old"]) {
      sent = [];
      const response = await ask(value);
      expect(await read(response)).toEqual({
        status: 429,
        body: { error: expect.stringMatching(/Try again in \d+ seconds/) },
      });
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      expect([sent, state.jar.size]).toEqual([value ? [searchCall(value)] : [], 0]);
    }
    expect((await ask("good")).status).toBe(200); // who has a token goes on
    signInAsAnother();
    expect((await ask()).status).toBe(200);
    expect(logins).toBe(7);
  });
});

// Who may search, other methods, media types, sizes and what is no JSON: tests/unit/http/routes.test.ts, for each route.
describe("params that are refused before anything is sent", () => {
  const orders =
    /^params\.order must be one of voterId, firstName, middleName, lastName, houseNumber, street, unit, city, zip, county, with a leading - for descending\.$/;

  test.each<[what: string, params: unknown, message: RegExp]>([
    ["none", undefined, /^params must be an object\.$/],
    ["a text that is too long", { city: "x".repeat(101) }, /^params\.city/],
    ["a number for a text", { zip: 98030 }, /^params\.zip must be a text\.$/],
    ["a number for a street", { street: 4 }, /^params\.street must be a text\.$/],
    ["a long voter id", { voterId: "x".repeat(101) }, /^params\.voterId/],
    ["a text for similar", { similar: "yes" }, /^params\.similar must be true or false\.$/],
    ["a NUL", { zip: "9\0" }, /^params\.zip holds/],
    ["half a character", { city: "\ud83d" }, /^params\.city holds/],
    ["an unknown order", { order: "height" }, orders],
    ["an order of two fields", { order: "city,zip" }, orders],
    ["an order twice descending", { order: "--city" }, orders],
    ["an order that is every object's", { order: "constructor" }, orders],
    ["an order that is no text", { order: 1 }, orders],
    ["querySize 0", { querySize: 0 }, /^params\.querySize/],
    ["querySize 101", { querySize: 101 }, /^params\.querySize/],
    ["querySize as a text", { querySize: "25" }, /^params\.querySize/],
    ["querySize 1.5", { querySize: 1.5 }, /^params\.querySize/],
    ["a negative queryFrom", { queryFrom: -1 }, /^params\.queryFrom/],
    ["a queryFrom beyond all integers", { queryFrom: 1e300 }, /^params\.queryFrom/],
    ["past 10 000 hits", { queryFrom: 9_990 }, /^params\.queryFrom/],
  ])("%s", async (_what, params, message) => {
    expect(await read(await search({ params }))).toEqual({
      status: 400,
      body: { error: expect.stringMatching(message) },
    });
    expect(sent).toEqual([]);
  });
});

describe("names that a client must not choose", () => {
  const forbidden = [
    "SUPABASE_SECRET_KEY",
    "PATH",
    "constructor",
    "__proto__",
    "",
    "SEARCHSVC_URL_A\r\nX",
    "SEARCHSVC_URL_ny",
    "A".repeat(10_000),
  ];

  test.each(["emailKey", "passwordKey", "endpointKey"])(
    "%s: a forbidden name is as a missing one, and its value goes nowhere",
    async (field) => {
      vi.stubEnv("SUPABASE_SECRET_KEY", "sb_secret_of_ours");
      answerHits(found);
      const missing = { ...credentials, [field]: "SEARCHSVC_URL_NOT_THERE" };
      const expected = await read(await post(essearch, { params, credentials: missing }));
      expect(expected.status).toBe(200);
      for (const name of forbidden) {
        state.jar.clear();
        signInAsAnother();
        expect(await read(await post(essearch, { params, credentials: { ...credentials, [field]: name } }))).toEqual(
          expected,
        );
      }
      for (const { path, body } of sent) {
        expect(path).toMatch(/^search\.test\/base\//);
        expect(JSON.stringify(body)).not.toContain("sb_secret_of_ours");
      }
      expect(
        new Set(sent.filter(({ path }) => path.endsWith("login")).map(({ body }) => JSON.stringify(body))).size,
      ).toBe(1);
    },
  );

  test.each([
    "sb-127-auth-token",
    "__proto__",
    "constructor",
    "",
    "searchsvc_token_",
    "searchsvc_token_NY",
    "searchsvc_token_a\r\nSet-Cookie: x",
    "searchsvc_token_a;b",
    `searchsvc_token_${"a".repeat(10_000)}`,
  ])("cookie %j: 400, and no cookie is read, set or deleted", async (name) => {
    state.jar.set(name, { value: "session-secret" });
    expect(await read(await post(essearch, { params, credentials: { ...credentials, name } }))).toEqual({
      status: 400,
      body: { error: "credentials.name must look like searchsvc_token_ny." },
    });
    expect([sent, state.dropped, state.jar.get(name)]).toEqual([[], [], { value: "session-secret" }]);
  });
});

test.each(["params", "credentials", "name", "emailKey", "passwordKey", "endpointKey"])(
  "without %s: 400, and nothing is sent (contract 2.3)",
  async (left) => {
    const without = (whole: object) => Object.fromEntries(Object.entries(whole).filter(([name]) => name !== left));
    const body = without({ params, credentials: without(credentials) });
    const error = expect.stringMatching(new RegExp(`^(credentials\\.)?${left} must be `));
    expect(await read(await post(essearch, body))).toEqual({ status: 400, body: { error } });
    expect(sent).toEqual([]);
  },
);

test("100 characters are not 100 halves of them", async () => {
  answerHits(found);
  expect((await search({ params: { lastName: "😀".repeat(100) } })).status).toBe(200);
  expect((await search({ params: { lastName: "😀".repeat(101) } })).status).toBe(400);
});

const loginAnswers = (body: string) => server.use(http.post(`${backend}/auth/login`, () => new HttpResponse(body)));
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
  ["an error", () => answerHits(() => HttpResponse.json({ message: "common-password" }, { status: 500 })), /\(500\)/],
  ["half a JSON", () => answerHits(() => new HttpResponse('{"hits":[{"name":"Smith"')), /SyntaxError/],
  ["a login in plain text", () => loginAnswers("token-1"), /SyntaxError/],
  ["a login without quotes", () => loginAnswers('{"data":{"access_token":token-1}}'), /SyntaxError/],
  ["a token that no header can carry", () => loginAnswers('{"data":{"access_token":"token-1\\r\\n"}}'), /nothing/],
  ["a backend that hangs up", hangUp, /UND_ERR_SOCKET|ECONNRESET|EPIPE/],
  ["no address", () => vi.stubEnv("SEARCHSVC_URL_SEARCH", "search.test"), /ERR_INVALID_URL/],
])("nothing of credentials, backend and voters is in any answer or log line: %s", async (_, begin, told) => {
  const logged = vi.mocked(console.error);
  logged.mockClear();
  await begin();
  const answer = await (await search()).text();
  const log = inspect(logged.mock.calls, { depth: null });
  expect(log).toMatch(told);
  for (const secret of ["common-password", "common@search.test", "search.test", "127.0.0.1", "token-1", "Smith"]) {
    for (const text of [answer, log]) expect(text).not.toContain(secret);
  }
});
