import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { sessionEnded } from "../../../lib/forms/session-ended.ts";
import { es256Key, sessionCookie } from "../../support/es256.ts";

// A token that still holds, of a session that Auth has ended or never had, as a hosted project signs: the signature alone
// would let it pass. What must not outlive its session asks Auth each time, before anything else is asked for it.

const jar = vi.hoisted(() => ({ cookies: [] as { name: string; value: string }[] }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers(),
  cookies: async () => ({ getAll: () => jar.cookies, get: () => undefined, set: () => undefined }),
}));
vi.mock("../../../lib/redis.ts", () => ({ withRedis: () => Promise.reject(new Error("away")) }));

const key = es256Key();
const supabase = "http://supabase.test";
const asked: string[] = [];
let auth = () => Response.json({});
const server = setupServer(
  http.get(`${supabase}/auth/v1/.well-known/jwks.json`, () => HttpResponse.json(key.keySet)),
  http.all(`${supabase}/*`, ({ request }) => {
    asked.push(new URL(request.url).pathname);
    return asked.at(-1) === "/auth/v1/user" ? auth() : HttpResponse.json({}, { status: 500 });
  }),
);
beforeAll(() => {
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", supabase);
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
  vi.stubEnv("SUPABASE_SECRET_KEY", "sb_secret_test");
  vi.stubEnv("SITE_URL", "http://signet.test");
  vi.spyOn(console, "info").mockImplementation(() => undefined);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  server.listen({ onUnhandledFrame: "error" });
});
afterAll(() => {
  server.close();
  vi.unstubAllEnvs();
});
beforeEach(() => {
  asked.length = 0;
  const claims = { sub: crypto.randomUUID(), session_id: crypto.randomUUID(), email: "ada@demo.test" };
  jar.cookies = [sessionCookie(key.token({ ...claims, exp: Math.floor(Date.now() / 1000) + 900 }))];
});

const ended = () =>
  Response.json({ code: 403, error_code: "session_not_found", msg: "internal words" }, { status: 403 });
const cannotTell: [string, () => Response][] = [
  ["fails", () => Response.json({ msg: "internal words" }, { status: 500 })],
  ["is asked too often", () => Response.json({ msg: "internal words" }, { status: 429 })],
  ["does not answer", () => Response.error()],
];
const notChecked = "Your sign-in could not be checked. Try again in a moment.";

const exportsAndLines = [
  "[team]/activity/csv",
  "[team]/campaign/[campaign]/dashboard/records-csv",
  "[team]/campaign/[campaign]/signatures/register/csv",
  "[team]/dashboard/records-csv",
  "[team]/members/csv",
  "api/signatures",
];

async function send(name: string) {
  const handlers: Record<string, unknown> = await import(/* @vite-ignore */ resolve(`app/${name}/route.ts`));
  const text = readFileSync(`app/${name}/route.ts`, "utf8");
  const method = /method: "POST"|records-csv/.test(text) ? "POST" : "GET";
  const { [method]: handle } = handlers;
  if (typeof handle !== "function") throw new Error(`${name} has no ${method}.`);
  const request = new Request("http://signet.test/", { method, headers: { host: "signet.test" } });
  const response: Response = await handle(request, { params: Promise.resolve({ team: "north", campaign: "lakes" }) });
  return { status: response.status, body: await response.json() };
}

test("each route that gives a file is in the list", () => {
  const files = globSync("app/**/*csv/route.ts").map((file) => file.replace(/^app\/|\/route\.ts$/g, ""));
  expect(exportsAndLines.filter((name) => name.endsWith("csv"))).toEqual(files.sort());
});

describe.each(exportsAndLines)("%s", (name) => {
  test("is not there for a session that has ended, nor for one that was invented", async () => {
    auth = ended;
    expect(await send(name)).toEqual({ status: 401, body: { error: "Your session has ended. Sign in again." } });
    expect(asked).toEqual(["/auth/v1/user"]);
  });

  test.each(cannotTell)("answers 503 when Auth %s", async (_what, answer) => {
    auth = answer;
    expect(await send(name)).toEqual({ status: 503, body: { error: notChecked } });
    expect(new Set(asked)).toEqual(new Set(["/auth/v1/user"]));
  });

  test("goes on with one that Auth knows", async () => {
    auth = () => Response.json({ id: crypto.randomUUID() });
    expect((await send(name)).body).not.toEqual({ error: "Your session has ended. Sign in again." });
    expect(asked.length).toBeGreaterThan(0);
  });
});

// Those who are not signed in are let do these.
const forEveryone = ["submitCode", "submitForgotten", "submitLink", "submitNewPassword", "submitPasswordLink"]
  .concat(["submitSignIn", "submitSignInAgain", "submitSignOut", "submitSignUp", "submitTheme"])
  .sort();
type Action = (state: object, form: FormData) => Promise<{ error: unknown }>;
const isAction = (value: unknown): value is Action => typeof value === "function";

const actions = await Promise.all(
  globSync("{app,components,lib}/**/*.{ts,tsx}")
    .filter((file) => readFileSync(file, "utf8").startsWith('"use server"'))
    .map(async (file) => Object.entries<unknown>(await import(/* @vite-ignore */ resolve(file)))),
).then((files) => files.flat().filter((one): one is [string, Action] => isAction(one[1])));
const guarded = actions.filter(([name]) => !forEveryone.includes(name));

test("the list has every action that everyone may do", () => {
  expect(actions.map(([name]) => name)).toEqual(expect.arrayContaining(forEveryone));
  expect(guarded.length).toBeGreaterThan(30);
});

describe.each(guarded)("the action %s", (_name, action) => {
  const run = () => action({}, new FormData());

  test("does nothing in a session that has ended", async () => {
    auth = ended;
    expect(await run()).toMatchObject({ message: null, error: sessionEnded });
    expect(asked).toEqual(["/auth/v1/user"]);
  });

  test("nor while Auth cannot tell", async () => {
    auth = () => Response.json({}, { status: 503 });
    expect(await run()).toMatchObject({ message: null, error: notChecked });
    expect(new Set(asked)).toEqual(new Set(["/auth/v1/user"]));
  });
});
