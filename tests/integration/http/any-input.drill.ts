import { globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { resolve } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { signIn, signUp } from "../../../lib/auth/sign-in.ts";
import { initialFormState } from "../../../lib/forms/form-state.ts";
import { processWide } from "../../../lib/process-wide.ts";
import { withRedis } from "../../../lib/redis.ts";
import { clerkChangeSchema } from "../../../lib/signatures/changes.ts";
import { searchParamsSchema } from "../../../lib/voters/search-request.ts";
import { listenNear } from "../../../scripts/local-stack/ports.ts";
import { handle as answerSnapshot } from "../../../supabase/functions/get-permissions-snapshot/handler.ts";
import { handle as answerSearch } from "../../../supabase/functions/search-backend/handler.ts";
import { caller } from "../../support/caller.ts";
import { addChart, addSignatures } from "../../support/chart-world.ts";
import { anyText, anyValue, asJson, type Known, nearMiss } from "../../support/near-misses.ts";
import { setUpRedis } from "../../support/redis.ts";
import { passwordDigest } from "../../support/search-token.ts";
import { seedOfTheDay } from "../../support/seed-of-the-day.ts";
import { setUpTestDatabase } from "../../support/test-database.ts";
import { makeAdministeredTeam } from "../team-access/administered-team.ts";

// Any input to a schema, route or server action is answered with 2xx, 3xx, 4xx or 503, without secrets and internals. The
// database, Auth and Redis are real; the caller administers a team. Inputs are generated from the schemas, with random errors.

type Spec = { method: string; params?: z.ZodType; body?: z.ZodType };
const registered = vi.hoisted(() => ({
  routes: new Map<unknown, unknown>(),
  actions: new Map<unknown, unknown>(),
  held: new Map<unknown, unknown>(),
  cookies: new Map<string, string>(),
  /** How often an action ran. */
  taken: 0,
}));
vi.mock("../../../lib/http/route.ts", async (load) => {
  const own = await load<{ route: (spec: Spec) => Record<string, unknown> }>();
  const recorded = (spec: Spec) => {
    const handlers = own.route(spec);
    registered.routes.set(handlers[spec.method], spec);
    return handlers;
  };
  return { ...own, route: recorded };
});
type Submit = { schema: z.ZodType; run: (...args: unknown[]) => unknown };
vi.mock("../../../lib/forms/form-action.ts", async (load) => {
  const own = await load<{ formAction: (action: Submit) => unknown }>();
  const recorded = (action: Submit) => {
    const run = (...args: unknown[]) => {
      registered.taken += 1;
      return action.run(...args);
    };
    const submit = own.formAction({ ...action, run });
    registered.actions.set(submit, action.schema);
    return submit;
  };
  return { ...own, formAction: recorded };
});
vi.mock("../../../lib/forms/json-field.ts", async (load) => {
  const own = await load<{ jsonField: (schema: z.ZodType, options?: object) => z.ZodType }>();
  const recorded = (schema: z.ZodType, options?: object) => {
    const field = own.jsonField(schema, options);
    registered.held.set(field, schema);
    return field;
  };
  return { ...own, jsonField: recorded };
});
vi.mock("../../../lib/http/enforce-rate-limit.ts", () => ({ enforceRateLimit: async () => undefined }));
vi.mock("../../../lib/auth/get-session.ts", () => import("../../support/caller.ts"));
vi.mock("node:timers/promises", () => ({
  setTimeout: (_milliseconds: number, value: unknown) => new Promise((done) => setTimeout(() => done(value), 1)),
}));
vi.mock("next/server", () => ({ after: (task: () => unknown) => void Promise.resolve(task()).catch(() => undefined) }));
vi.mock("next/cache", () => ({
  refresh: () => undefined,
  revalidateTag: () => undefined,
  updateTag: () => undefined,
  unstable_cache: (run: unknown) => run,
}));
vi.mock("next/headers", async () => {
  const { headersOf } = await import("../../support/next-headers.ts");
  return headersOf(() => registered.cookies);
});

const credentials = { email: "ann@people.test", password: "first-password-1" };
const home = { team_id: "riverside", campaign_id: "clean-water" };
vi.setConfig({ testTimeout: 300_000 });
fc.configureGlobal({ seed: seedOfTheDay });
let known: Known;
let secrets: string[];
let restore: () => Promise<void>;
let functions: Record<string, (request: Request) => Promise<Response>>;
const [{ server, redis }, database, backend] = await Promise.all([setUpRedis(), setUpTestDatabase(), startBackend()]);
afterAll(async () => {
  await withRedis(async (client) => client.disconnect());
  backend.close();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

beforeAll(async () => {
  for (const level of ["error", "info", "warn"] as const) vi.spyOn(console, level).mockImplementation(() => undefined);
  const supabase = await database.serve();
  const settings = {
    ...supabase,
    REDIS_URL: server.url,
    SITE_URL: "http://signet.test",
    SEARCHSVC_URL_SEARCH: backend.url,
    SEARCHSVC_API_EMAIL_SEARCH: "search@example.org",
    SEARCHSVC_API_PASSWORD_SEARCH: "backend-password",
    ALLOW_NEW_TEAMS: "true",
  };
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value);

  const team = await makeAdministeredTeam(database);
  await signUp({ ...credentials, name: "Ann", next: "/" });
  const response = await fetch(`${supabase.NEXT_PUBLIC_SUPABASE_URL}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: supabase.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY, "content-type": "application/json" },
    body: JSON.stringify(credentials),
  });
  const { access_token: accessToken, user } = z
    .object({ access_token: z.string(), user: z.object({ id: z.string() }) })
    .parse(await response.json());
  caller.session = { userId: user.id, email: credentials.email, accessToken };
  const service = database.client("service");
  const snapshots = {
    getUser: async () => ({ data: { user }, error: null }),
    readSnapshot: async (query: { userId: string; team: string | null; campaign: string | null }) =>
      service.rpc("permissions_snapshot", {
        p_user_id: query.userId,
        p_team_id: query.team,
        p_campaign_id: query.campaign,
      }),
  };
  functions = {
    "get-permissions-snapshot": (request) => answerSnapshot(request, snapshots),
    "search-backend": (request) =>
      answerSearch(request, {
        serviceEmail: credentials.email,
        servicePasswordDigest: passwordDigest(credentials.password),
        checkPassword: async (given) => database.client("service").auth.signInWithPassword(given),
        makeToken: async () => ({ token: "token-of-a-search", expires: 300_000 }),
        readToken: async () => "a-search",
        countRequest: async () => ({ count: 1, remaining: 60 }),
        searchVoters: async (params) => service.rpc("search_voters", { p_params: params }),
        similarVoters: async (params) => service.rpc("similar_voters", { p_params: params }),
      }),
  };
  const overNetwork = globalThis.fetch;
  vi.stubGlobal("fetch", (input: string | URL | Request, init?: RequestInit) => {
    const isSnapshot = String(input instanceof Request ? input.url : input).includes("/get-permissions-snapshot");
    return isSnapshot ? answerSnapshot(new Request(input, init), snapshots) : overNetwork(input, init);
  });
  await addSignatures(database, {
    team: home.team_id,
    campaign: home.campaign_id,
    counties: ["King", "Pierce", null],
  });
  const charts = [await addChart(database, home), await addChart(database, { ...home, campaign_id: null })];
  const lines = await database.sql<{ id: string }>("select id::text from public.lines");
  const roles = Object.values(team.roles);
  const digest = crypto.randomUUID();
  const lineIds = lines.map(({ id }) => id);
  const ids = [...charts, user.id, team.person("clerk").id, ...roles, ...Object.values(team.sets), ...lineIds];
  const metric = { key: "n", aggregation: "count" };
  const fields = {
    team_id: ["riverside"],
    campaign_id: ["clean-water"],
    mode: ["json"],
    team: ["riverside"],
    campaign: ["clean-water"],
    campaignId: ["clean-water"],
    to: ["hillside", 12],
    id: [...charts, ...lineIds, digest, crypto.randomUUID()],
    ids: charts,
    roleId: roles,
    role: roles,
    source: ["signatures", "lines"],
    groupBy: ["county", "county,city", ""],
    column: ["county", "signed_on"],
    value: ["King", null, 3, ["King"], "last 7 days"],
    group: [{ county: "King" }],
    key: ["n", "charts.view"],
    clerk: [user.id],
    sheet: [1, 2],
    line: [1, 2, 3, 4],
    number: [1, 7],
    label: ["Signatures"],
    display: [null],
    name: ["By county", "searchsvc_token_search"],
    emailKey: ["SEARCHSVC_API_EMAIL_SEARCH"],
    endpointKey: ["SEARCHSVC_URL_SEARCH"],
    passwordKey: ["SEARCHSVC_API_PASSWORD_SEARCH"],
    timeZone: ["America/New_York"],
    locale: ["en-US"],
    current: [credentials.password],
    scope: ["assigned"],
    email: ["ann@people.test", "new@people.test"],
    operator: ["eq"],
    aggregation: ["count"],
    segment: [[]],
    filters: [[], [{ column: "county", operator: "eq", value: "King" }]],
    startsOn: [null],
    endsOn: [null],
    metrics: [[metric]],
    signatureGoal: [null, 5_000],
    searchProfile: [null],
    districts: [null],
    linesPerSheet: [20],
    archived: [false],
    campaigns: [[]],
    kind: ["bar"],
    order: [""],
    queryFrom: [0],
    width: [1, 2, 3],
    requiredSignatures: [null, 4_000],
    safetyMargin: [null, 5],
    officialRejection: [null, 2],
    checkMethod: [null, "full", "sample"],
    samplePercent: [3],
    sampleMinimum: [null, 500],
    passPercent: [110],
    failPercent: [90],
    countyTargets: ["", []], // a text in the form, a list in what was shown
    password: ["another-password-2", credentials.password],
    keys: [["charts.view"]],
    page: ["/riverside"],
    cell: [{ source: "signatures", groupBy: "county", filters: [], group: { county: "King" }, metric }],
    code: ["123456", "123 456"],
    factorId: [crypto.randomUUID()],
  };
  known = { ids, fields };
  const changes = fc.sample(
    fc.array(nearMiss(clerkChangeSchema, { ...known, jsonOf, oddOneIn: 40 }), { maxLength: 4 }),
    200,
  );
  known = { ids, fields: { ...fields, changes } };
  secrets = [supabase.SUPABASE_SECRET_KEY, accessToken, "backend-password", "backend-token", server.url, backend.url];

  const [stored] = await database.sql("select encrypted_password as hash from auth.users where id = $1", [user.id]);
  restore = async () => {
    await database.sql(
      `insert into public.team_users (user_id, team_id, role_id, status) values ($1, 'riverside', $2, 'active')
       on conflict (user_id, team_id) do update set status = 'active', role_id = excluded.role_id`,
      [user.id, team.roles.Administrator],
    );
    await database.sql("insert into public.campaign_team values ('riverside', 'clean-water') on conflict do nothing");
    await database.sql(
      "update public.campaigns set archived_at = null, team_id = 'riverside' where id = 'clean-water'",
    );
    await database.sql("update public.charts set deleted_at = null where id = any ($1::uuid[])", [charts]);
    await database.sql(
      `insert into private.email_choices (user_id, digest) values ($1, true)
       on conflict (user_id) do update set digest = true`,
      [user.id],
    );
    // It is being sent.
    await database.sql(
      `insert into private.emails (id, user_id, team_id, kind, about, tried_at)
       values ($1, $2, 'riverside', 'digest', '2026-11-20', now())
       on conflict (id) do update set state = 'waiting', tried_at = now()`,
      [digest, user.id],
    );
    await database.sql("update auth.users set encrypted_password = $1 where id = $2", [stored?.hash, user.id]);
    const attempts = await redis.keys("attempts:*");
    if (attempts.length > 0) await redis.del(...attempts);
    processWide("attempts", () => new Map()).clear();
  };
}, 120_000);

// Accepts each login and finds no voters.
async function startBackend() {
  const server = createServer((request, response) => {
    const isLogin = request.url === "/auth/login";
    const result = isLogin ? { data: { access_token: "backend-token", expires: 900_000 } } : { hits: [], total: 0 };
    request
      .resume()
      .on("end", () => response.setHeader("content-type", "application/json").end(JSON.stringify(result)));
  });
  return { url: `http://127.0.0.1:${await listenNear(server)}`, close: () => server.close() };
}

beforeEach(async () => {
  await restore();
  await signIn(credentials);
});

/** Expects a text without internals: no secret, no stack, no place in the code, no message of the database. */
function expectNoInternals(text: string) {
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/\bat .+:\d+:\d+\)?|node_modules|file:\/\/|\/lib\/|\$2[aby]\$|sb_secret_/);
  expect(text).not.toMatch(
    /PGRST|SQLSTATE|violates|syntax error|invalid input syntax|does not exist|null value in|\bpg_\w|ZodError/i,
  );
  expect(text).not.toContain(process.cwd());
}

const jsonOf = (schema: unknown) => {
  const held = registered.held.get(schema);
  return held instanceof z.ZodType ? held : undefined;
};
const near = (schema: z.ZodType, oddOneIn: number) => nearMiss(schema, { ...known, jsonOf, oddOneIn });
const text = (value: unknown) => (typeof value === "object" ? asJson(value) : String(value));
// A path within Signet.
const isOwnPath = (path: string | null) => path !== null && /^\/(?![/\\])/.test(path);

/** Sends input that is valid by its schema until some is accepted, then input with random errors. */
async function sendAll<Sent>(make: (oddOneIn: number) => fc.Arbitrary<Sent>, send: (sent: Sent) => Promise<boolean>) {
  let taken = false;
  for (const sent of fc.sample(make(10_000), 200)) {
    taken = await send(sent);
    if (taken) break;
  }
  expect(taken, "no input was accepted").toBe(true);
  const sent = fc.oneof(make(100), make(12));
  await fc.assert(
    fc.asyncProperty(sent, async (input) => void (await send(input))),
    { numRuns: 40 },
  );
}

test("every schema of lib parses any value without throwing", async () => {
  let schemas = 0;
  for (const file of globSync("lib/**/*.ts")) {
    const exported: Record<string, unknown> = await import(/* @vite-ignore */ resolve(file));
    for (const [name, schema] of Object.entries(exported)) {
      if (!(schema instanceof z.ZodType)) continue;
      schemas += 1;
      await fc.assert(
        fc.asyncProperty(fc.oneof(anyValue, near(schema, 12)), async (value) => {
          const { success, error } = await schema.safeParseAsync(value);
          expect(success || error?.issues.length, `${file} ${name}`).toBeTruthy();
        }),
        { numRuns: 60 },
      );
    }
  }
  expect(schemas).toBeGreaterThan(40);
});

type Sent = { params: unknown; body: string | undefined; type: string };
const makeRequest =
  ({ params, body }: Spec) =>
  (oddOneIn: number): fc.Arbitrary<Sent> =>
    fc.record({
      params: params ? near(params, oddOneIn) : fc.constant({}),
      body: body
        ? fc.oneof(
            { weight: oddOneIn, arbitrary: near(body, oddOneIn).map(asJson) },
            { weight: 1, arbitrary: anyValue.map(asJson) },
            { weight: 1, arbitrary: anyText },
          )
        : fc.constant(undefined),
      type: fc.oneof({ weight: oddOneIn, arbitrary: fc.constant("application/json") }, fc.constant("text/plain")),
    });

const partsOf = (value: unknown): [string, unknown][] =>
  Object.entries(typeof value === "object" && value !== null ? value : { value });

function requestOf(method: string, { params, body, type }: Sent, inPath: string[] = []) {
  const query = new URLSearchParams();
  for (const [name, value] of partsOf(params)) {
    if (value !== undefined && !inPath.includes(name)) query.append(name, text(value));
  }
  return new Request(`http://signet.test/any?${query}`, {
    method,
    headers: { host: "signet.test", authorization: "Bearer token", "content-type": type },
    ...(body !== undefined && { body }),
  });
}

/** Expects an allowed answer; returns whether the input was accepted. */
async function expectAnswer(response: Response) {
  const { status, headers } = response;
  const answered = await response.text();
  expectNoInternals(`${answered}\n${[...headers].join("\n")}`);
  if (status >= 300 && status < 400) expect(isOwnPath(headers.get("location"))).toBe(true);
  else expect(status === 503 || status < 500, `${status} ${answered}`).toBe(true);
  return status < 400;
}

test.each(globSync("app/**/route.ts", { exclude: ["**/[[]...rest]/*"] }).sort())("%s", async (file) => {
  const handlers: Record<string, (request: Request, context: object) => Promise<Response>> = await import(
    /* @vite-ignore */ resolve(file)
  );
  const spec = [handlers.GET, handlers.POST].map((handler) => registered.routes.get(handler)).find(Boolean) as Spec;
  const handle = handlers[spec.method];
  if (!handle) throw new Error(`${file} isn't made by \`route\`.`);
  const names = [...file.matchAll(/\[(\w+)\]/g)].map(([, name]) => name ?? "");
  await sendAll(makeRequest(spec), async (sent) => {
    await restore();
    const params = Object.fromEntries(partsOf(sent.params));
    const inPath = names.map((name) => [name, text(params[name] ?? "riverside").toWellFormed()]);
    const context = { params: Promise.resolve(Object.fromEntries(inPath)) };
    const response = await handle(requestOf(spec.method, sent, names), context);
    expect(await response.clone().text()).not.toMatch(/\bInvalid [a-z]/); // a message of zod
    return expectAnswer(response);
  });
});

const place = z.object({ team_id: z.string(), campaign_id: z.string().optional() });
const login = z.object({ email: z.string(), password: z.string(), mode: z.literal("json") });
test.each<[path: string, spec: Spec]>([
  ["get-permissions-snapshot", { method: "GET", params: place }],
  ["search-backend/auth/login", { method: "POST", body: login }],
  ["search-backend/essearch/validation", { method: "POST", body: searchParamsSchema }],
])("the edge function %s", async (path, spec) => {
  const handler = functions[path.split("/")[0] ?? ""];
  if (!handler) throw new Error(`There is no function ${path}.`);
  await sendAll(makeRequest(spec), async (sent) => {
    const request = requestOf(spec.method, sent);
    return expectAnswer(await handler(new Request(request.url.replace("/any", `/${path}`), request)));
  });
});

type Action = (state: unknown, form: unknown) => Promise<unknown>;
const actionFiles = globSync("{app,components,lib}/**/*.{ts,tsx}").filter((file) =>
  /^\s*"use server"/.test(readFileSync(file, "utf8")),
);
const actions = await Promise.all(
  actionFiles.sort().map(async (file) => {
    const exported: Record<string, Action> = await import(/* @vite-ignore */ resolve(file));
    return Object.entries(exported).map(([name, submit]): [string, Action] => [`${file} ${name}`, submit]);
  }),
);
// For an action that wraps another one: all of their fields.
const wrapped = z.object({
  team: z.string(),
  campaign: z.string(),
  id: z.uuid(),
  reason: z.string(),
  sheet: z.number(),
  line: z.number(),
});
const stateSchema = z.object({ message: z.string().nullable(), error: z.string().nullable() });

test.each(actions.flat())("%s", async (_name, submit) => {
  const schema = registered.actions.get(submit);
  const fields = schema instanceof z.ZodType ? schema : wrapped;
  const make = (oddOneIn: number) =>
    fc.record({
      given: near(fields, oddOneIn),
      state: fc.oneof({ weight: oddOneIn, arbitrary: fc.constant(initialFormState) }, anyValue),
      odd: fc.oneof({ weight: oddOneIn, arbitrary: fc.constant(undefined) }, anyValue),
    });
  await sendAll(make, async ({ given, state, odd }) => {
    await restore();
    const form = new FormData();
    for (const [name, value] of partsOf(given)) {
      if (value !== undefined) form.append(name, value === null ? "" : text(value));
    }
    registered.taken = 0;
    try {
      const answered = await submit(state, odd ?? form);
      expect(stateSchema.parse(answered).error ?? "").not.toContain("on our side");
      expectNoInternals(JSON.stringify(answered));
    } catch (thrown) {
      const digest = thrown instanceof Error && "digest" in thrown ? String(thrown.digest) : "";
      if (/^NEXT_HTTP_ERROR_FALLBACK;4/.test(digest)) return false;
      const [kind, , path = null] = digest.split(";");
      if (kind !== "NEXT_REDIRECT") throw thrown;
      expect(isOwnPath(path), String(path)).toBe(true);
    }
    return registered.taken > 0;
  });
});
