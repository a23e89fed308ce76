// Where a search goes and what is sent there: the real routes, a real database, and two real backends.
import { createServer } from "node:http";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { POST as essearch } from "../../../app/api/essearch/route.ts";
import { POST as common } from "../../../app/api/essearch-common/route.ts";
import { processWide } from "../../../lib/process-wide.ts";
import { emptyWorld, insertWorld } from "../../support/access-world.ts";
import { openTestDatabase, type Person, type TestDatabase } from "../../support/test-database.ts";

const state = vi.hoisted(() => ({
  jar: new Map<string, string>(),
  session: null as { userId: string; email: string; accessToken: string } | null,
}));
vi.mock("next/headers", () => ({
  cookies: async () => ({
    get: (name: string) => (state.jar.has(name) ? { value: state.jar.get(name) } : undefined),
    set: (name: string, value: string) => state.jar.set(name, value),
    delete: (name: string) => state.jar.delete(name),
  }),
}));
vi.mock("next/server", () => ({ after: () => undefined })); // what is recorded: tests/integration/activity/read-log.test.ts
vi.mock("../../../lib/auth/get-session.ts", () => ({ getSession: async () => state.session }));
vi.mock("../../../lib/permissions/route-permissions.ts", () => ({ routePermissions: async () => ({}) }));

/** A backend that answers everything and notes what it was sent: path, e-mail and password, or the token. */
async function startBackend(name: string) {
  const received: unknown[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { email, password } = JSON.parse(Buffer.concat(chunks).toString());
    const isLogin = request.url === "/auth/login";
    received.push(isLogin ? [request.url, email, password] : [request.url, request.headers.authorization]);
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(isLogin ? { data: { access_token: `${name}-token` } } : { hits: [], total: 0 }));
  });
  const port = await new Promise<number>((listening) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      if (address !== null && typeof address === "object") listening(address.port);
    });
  });
  return { url: `http://127.0.0.1:${port}`, received, close: () => server.close() };
}

let database: TestDatabase;
let env: Record<string, string>;
const people: Record<string, Person> = {};
let ours: Awaited<ReturnType<typeof startBackend>>;
let ny: Awaited<ReturnType<typeof startBackend>>;

// lakes is searched with NY, rivers with the common profile. `ann` may search in lakes, `ben` in rivers alone, `cleo` in
// rivers and sees lakes, `dan` as a member of the team, who reaches no campaign, `fay` as its administrator, `gus` was
// ann's like until she was suspended, and `hal` may search in lakes for another team, which has left it.
beforeAll(async () => {
  database = await openTestDatabase();
  env = { ...(await database.serve()), REDIS_URL: "redis://127.0.0.1:1", RATE_LIMIT_SEARCH: "100000" };
  for (const name of ["ann", "ben", "cleo", "dan", "fay", "gus", "hal"]) people[name] = await database.signUp(name);
  const lakes = { team_id: "north", campaign_id: "lakes" };
  const rivers = { team_id: "north", campaign_id: "rivers" };
  await insertWorld(
    database,
    {
      ...emptyWorld,
      teams: [{ id: "north" }, { id: "south" }],
      campaigns: [{ id: "lakes" }, { id: "rivers" }],
      campaign_team: [lakes, rivers],
      roles: [
        { id: "administrator", team_id: null, scope: "inherit_team" },
        { id: "member", team_id: null, scope: "assigned" },
        { id: "searcher", team_id: null, scope: "assigned" },
      ],
      permission_sets: [
        { id: "searching", team_id: null },
        { id: "looking", team_id: null },
      ],
      permission_set_keys: [
        { permission_set_id: "searching", key: "voters.search" },
        { permission_set_id: "looking", key: "campaign.view" },
      ],
      role_p_sets: [{ role_id: "searcher", permission_set_id: "searching" }],
      team_p_sets: [{ team_id: "north", permission_set_id: "searching" }],
      team_users: [
        { user_id: "ann", team_id: "north", role_id: "member", status: "active" },
        { user_id: "ben", team_id: "north", role_id: "member", status: "active" },
        { user_id: "cleo", team_id: "north", role_id: "member", status: "active" },
        { user_id: "dan", team_id: "north", role_id: "searcher", status: "active" },
        { user_id: "fay", team_id: "north", role_id: "administrator", status: "active" },
        { user_id: "gus", team_id: "north", role_id: "member", status: "suspended" },
        { user_id: "hal", team_id: "south", role_id: "administrator", status: "active" },
      ],
      campaign_user_team_sets: [
        { user_id: "ann", ...lakes, permission_set_id: "searching" },
        { user_id: "ben", ...rivers, permission_set_id: "searching" },
        { user_id: "cleo", ...rivers, permission_set_id: "searching" },
        { user_id: "cleo", ...lakes, permission_set_id: "looking" },
        { user_id: "gus", ...lakes, permission_set_id: "searching" },
      ],
      campaign_team_sets: [{ team_id: "south", campaign_id: "lakes", permission_set_id: "searching" }],
    },
    new Map(Object.entries(people).map(([name, { id }]) => [name, id])),
  );
  await database.sql("update public.campaigns set search_profile = 'NY' where id = 'lakes'");
  ours = await startBackend("common");
  ny = await startBackend("ny");
});
afterAll(async () => {
  ours.close();
  ny.close();
  await database.close();
});

beforeEach(() => {
  for (const [name, value] of Object.entries({
    ...env,
    SEARCHSVC_URL_SEARCH: ours.url,
    SEARCHSVC_API_EMAIL_SEARCH: "common@search.test",
    SEARCHSVC_API_PASSWORD_SEARCH: "common-password",
    SEARCHSVC_URL_NY: ny.url,
    SEARCHSVC_API_EMAIL_NY: "ny@search.test",
    SEARCHSVC_API_PASSWORD_NY: "ny-password",
  })) {
    vi.stubEnv(name, value);
  }
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  state.jar.clear();
  ours.received.length = 0;
  ny.received.length = 0;
  processWide("rate-limit", () => new Map()).clear();
  signIn("ann");
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

function signIn(name: string) {
  state.session = { userId: people[name]?.id ?? "", email: `${name}@people.test`, accessToken: "token" };
}

const named = (ending: string) => ({
  name: `searchsvc_token_${ending.toLowerCase()}`,
  emailKey: `SEARCHSVC_API_EMAIL_${ending}`,
  passwordKey: `SEARCHSVC_API_PASSWORD_${ending}`,
  endpointKey: `SEARCHSVC_URL_${ending}`,
});

async function search(credentials: Record<string, string> | null) {
  const request = new Request("http://signet.test/api/essearch", {
    method: "POST",
    headers: { "content-type": "application/json", host: "signet.test" },
    body: JSON.stringify({ params: { lastName: "Li" }, ...(credentials ? { credentials } : {}) }),
  });
  const response = await (credentials ? essearch : common)(request);
  return { status: response.status, body: await response.json() };
}
const nobody = { status: 200, body: { persons: [], hitsCount: 0, totalHits: 0 } };
const commonCalls = [
  ["/auth/login", "common@search.test", "common-password"],
  ["/essearch/validation", "Bearer common-token"],
];
const nyCalls = [
  ["/auth/login", "ny@search.test", "ny-password"],
  ["/essearch/validation", "Bearer ny-token"],
];

describe("a backend gets its own credentials and its own tokens", () => {
  test("the common one", async () => {
    expect(await search(null)).toEqual(nobody);
    expect(await search(named("SEARCH"))).toEqual(nobody);
    expect([ours.received, ny.received]).toEqual([[...commonCalls, commonCalls[1]], []]);
    expect(Object.fromEntries(state.jar)).toEqual({ searchsvc_token_search: "common-token" });
  });

  test("that of a profile, beside the token of the common one", async () => {
    await search(null);
    expect(await search(named("NY"))).toEqual(nobody);
    expect([ours.received, ny.received]).toEqual([commonCalls, nyCalls]);
    expect(Object.fromEntries(state.jar)).toEqual({
      searchsvc_token_search: "common-token",
      searchsvc_token_ny: "ny-token",
    });
  });

  test("names of nothing are the common profile, under whatever cookie", async () => {
    expect(await search(named("WA"))).toEqual(nobody);
    expect(await search({ ...named("WA"), emailKey: "PATH", passwordKey: "", name: "searchsvc_token_x" })).toEqual(
      nobody,
    );
    expect([ours.received, ny.received]).toEqual([[...commonCalls, ...commonCalls], []]);
    expect(Object.fromEntries(state.jar)).toEqual({
      searchsvc_token_wa: "common-token",
      searchsvc_token_x: "common-token",
    });
  });

  test("a name of nothing beside the common ones is the common profile too", async () => {
    expect(await search({ ...named("SEARCH"), emailKey: "SEARCHSVC_API_EMAIL_WA" })).toEqual(nobody);
    expect(await search({ ...named("SEARCH"), passwordKey: "PATH" })).toEqual(nobody);
    expect([ours.received, ny.received]).toEqual([[...commonCalls, commonCalls[1]], []]);
  });

  test.each([
    ["SEARCHSVC_API_EMAIL_NY", ["/auth/login", "common@search.test", "ny-password"]],
    ["SEARCHSVC_API_PASSWORD_NY", ["/auth/login", "ny@search.test", "common-password"]],
  ])("a profile without %s falls back to the common value", async (missing, login) => {
    vi.stubEnv(missing, undefined);
    expect(await search(named("NY"))).toEqual(nobody);
    expect([ours.received, ny.received]).toEqual([[], [login, nyCalls[1]]]);
  });

  test("a profile without an address is searched at the common one, still under its own cookie", async () => {
    vi.stubEnv("SEARCHSVC_URL_NY", "");
    expect(await search(named("NY"))).toEqual(nobody);
    expect([ours.received, ny.received]).toEqual([[nyCalls[0], commonCalls[1]], []]);
    expect(await search({ ...named("NY"), name: "searchsvc_token_search" })).toMatchObject({ status: 400 });
  });
});

describe("what does not belong together is 400, and nothing is sent anywhere", () => {
  const address = { endpointKey: "SEARCHSVC_URL_NY" };
  const { emailKey, passwordKey } = named("NY");
  const holes: [what: string, credentials: Record<string, string>, message: string][] = [
    [
      "the common e-mail and password to NY",
      { ...named("SEARCH"), ...address },
      "credentials.endpointKey must end as credentials.emailKey does.",
    ],
    [
      "the same under NY's cookie",
      { ...named("SEARCH"), ...address, name: "searchsvc_token_ny" },
      "credentials.endpointKey must end as credentials.emailKey does.",
    ],
    [
      "names of nothing to NY",
      { ...named("WA"), ...address },
      "credentials.emailKey must end as credentials.endpointKey does.",
    ],
    [
      "names that are not allowed to NY",
      { ...named("NY"), emailKey: "PATH", passwordKey: "SUPABASE_SECRET_KEY" },
      "credentials.emailKey must end as credentials.endpointKey does.",
    ],
    [
      "no names to NY",
      { ...named("NY"), emailKey: "", passwordKey: "" },
      "credentials.emailKey must end as credentials.endpointKey does.",
    ],
    [
      "a name of each object to NY",
      { ...named("NY"), emailKey: "constructor", passwordKey: "__proto__" },
      "credentials.emailKey must end as credentials.endpointKey does.",
    ],
    [
      "the common password alone to NY",
      { ...named("NY"), passwordKey: "SEARCHSVC_API_PASSWORD_SEARCH" },
      "credentials.passwordKey must end as credentials.emailKey does.",
    ],
    [
      "the common e-mail alone to NY",
      { ...named("NY"), emailKey: "SEARCHSVC_API_EMAIL_SEARCH" },
      "credentials.passwordKey must end as credentials.emailKey does.",
    ],
    [
      "NY's e-mail and password to the common address",
      { ...named("SEARCH"), emailKey, passwordKey },
      "credentials.endpointKey must end as credentials.emailKey does.",
    ],
    [
      "NY's e-mail and password to the address of nothing, which is the common one",
      { ...named("NY"), endpointKey: "SEARCHSVC_URL_WA" },
      "credentials.endpointKey must end as credentials.emailKey does.",
    ],
    [
      "a name of another field",
      { ...named("NY"), emailKey: "SEARCHSVC_API_PASSWORD_NY" },
      "credentials.emailKey must end as credentials.passwordKey does.",
    ],
    [
      "NY in small letters",
      { ...named("NY"), emailKey: "SEARCHSVC_API_EMAIL_ny", passwordKey: "SEARCHSVC_API_PASSWORD_ny" },
      "credentials.emailKey must end as credentials.endpointKey does.",
    ],
    [
      "NY with a line break",
      { ...named("NY"), emailKey: "SEARCHSVC_API_EMAIL_NY\n" },
      "credentials.emailKey must end as credentials.passwordKey does.",
    ],
    [
      "the common token to NY",
      { ...named("NY"), name: "searchsvc_token_search" },
      "credentials.name must be searchsvc_token_ny.",
    ],
    [
      "a token of unknown origin to NY",
      { ...named("NY"), name: "searchsvc_token_x" },
      "credentials.name must be searchsvc_token_ny.",
    ],
    [
      "NY's token to the common address",
      { ...named("SEARCH"), name: "searchsvc_token_ny" },
      "credentials.name must not be that of another search profile.",
    ],
    [
      "NY's token to the address of nothing",
      { ...named("WA"), name: "searchsvc_token_ny" },
      "credentials.name must not be that of another search profile.",
    ],
    [
      "the token of a profile that is half set to the common address",
      { ...named("SEARCH"), name: "searchsvc_token_half" },
      "credentials.name must not be that of another search profile.",
    ],
  ];

  test.each(holes)("%s", async (_what, credentials, message) => {
    vi.stubEnv("SEARCHSVC_API_EMAIL_HALF", "half@search.test");
    const cookies = {
      searchsvc_token_search: "common-token",
      searchsvc_token_ny: "ny-token",
      searchsvc_token_half: "half-token",
      searchsvc_token_x: "x-token",
    };
    for (const jar of [{}, cookies]) {
      state.jar = new Map(Object.entries(jar));
      expect(await search(credentials)).toEqual({ status: 400, body: { error: message } });
      expect([ours.received, ny.received, Object.fromEntries(state.jar)]).toEqual([[], [], jar]);
    }
  });
});

describe("a profile is for those who may search in a campaign that has it", () => {
  const refused = { status: 403, body: { error: expect.stringContaining("in a campaign with this search profile") } };

  test.each(["ann", "fay"])("%s may", async (name) => {
    signIn(name);
    expect(await search(named("NY"))).toEqual(nobody);
    expect(ny.received).toEqual(nyCalls);
  });

  test.each(["ben", "cleo", "dan"])("%s, who may search elsewhere, may not: nothing is sent", async (name) => {
    signIn(name);
    state.jar.set("searchsvc_token_ny", "ny-token");
    expect(await search(named("NY"))).toEqual(refused);
    expect([ours.received, ny.received, state.jar.get("searchsvc_token_ny")]).toEqual([[], [], "ny-token"]);
    expect(await search(named("SEARCH"))).toEqual(nobody);
  });

  test.each(["gus", "hal"])("%s, who may search nowhere, may not", async (name) => {
    signIn(name);
    expect(await search(named("NY"))).toMatchObject({ status: 403 });
    expect([ours.received, ny.received]).toEqual([[], []]);
  });

  test("a profile of no campaign is for nobody", async () => {
    vi.stubEnv("SEARCHSVC_URL_OH", ny.url);
    signIn("fay");
    expect(await search(named("OH"))).toEqual(refused);
    expect(ny.received).toEqual([]);
  });

  test("a revoke holds at the next search", async () => {
    const change = (id: string) =>
      database.sql("update public.campaigns set search_profile = $1 where id = 'lakes'", [id]);
    expect(await search(named("NY"))).toEqual(nobody);
    await change("OH");
    expect(await search(named("NY"))).toEqual(refused);
    await change("NY");
    expect(await search(named("NY"))).toEqual(nobody);
  });

  test("the token of a person who is suspended is of no use to them", async () => {
    const suspend = (status: string) =>
      database.sql("update public.team_users set status = $1 where user_id = $2", [status, people.ann?.id ?? ""]);
    const both = async () => [await search(named("NY")), await search(null)];
    expect(await both()).toEqual([nobody, nobody]);
    const tokens = Object.fromEntries(state.jar);
    expect(tokens).toEqual({ searchsvc_token_ny: "ny-token", searchsvc_token_search: "common-token" });
    ours.received.length = 0;
    ny.received.length = 0;
    await suspend("suspended");
    try {
      expect(await both()).toMatchObject([{ status: 403 }, { status: 403 }]);
      expect([ours.received, ny.received, Object.fromEntries(state.jar)]).toEqual([[], [], tokens]);
    } finally {
      await suspend("active");
    }
  });

  test("a read that fails is 503 and never no, and nothing is sent", async () => {
    await database.sql("alter function public.searches_with_profile rename to searches_away");
    try {
      expect(await search(named("NY"))).toEqual({
        status: 503,
        body: { error: "The data could not be read. Try again in a moment." },
      });
      expect([ours.received, ny.received]).toEqual([[], []]);
      expect(await search(named("SEARCH"))).toEqual(nobody);
    } finally {
      await database.sql("alter function public.searches_away rename to searches_with_profile");
    }
  });

  test("names are checked before rights, and rights before values", async () => {
    signIn("ben");
    vi.stubEnv("SEARCHSVC_API_EMAIL_NY", undefined);
    vi.stubEnv("SEARCHSVC_API_EMAIL_SEARCH", undefined);
    expect(await search({ ...named("NY"), name: "searchsvc_token_search" })).toMatchObject({ status: 400 });
    expect(await search(named("NY"))).toEqual(refused);
    signIn("ann");
    expect(await search(named("NY"))).toEqual({ status: 500, body: { error: expect.stringContaining("not set up") } });
  });
});
