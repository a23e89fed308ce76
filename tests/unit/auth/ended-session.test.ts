import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { AppError } from "../../../lib/errors.ts";
import { sessionEnded } from "../../../lib/forms/session-ended.ts";

// Every server action in a session that Auth has ended although its token is still valid. For routes: routes.test.ts.

const auth = vi.hoisted(() => ({ live: async (): Promise<null> => null, touched: [] as string[] }));
vi.mock("../../../lib/auth/get-session.ts", () => {
  const session = { userId: crypto.randomUUID(), email: "ada@demo.test", sessionId: "s", accessToken: "t" };
  return {
    getSession: async () => session,
    getSignIn: async () => ({ session, accountHasSecondFactor: false, needsCode: false }),
    getLiveSession: () => auth.live(),
  };
});
const touch = (what: string) => () => {
  auth.touched.push(what);
  throw new Error(`${what} was touched`);
};
vi.mock("../../../lib/redis.ts", () => ({ withRedis: touch("redis") }));
vi.mock("../../../lib/supabase/admin.ts", () => ({ createAdminClient: touch("database") }));
vi.mock("../../../lib/permissions/route-permissions.ts", () => ({ routePermissions: touch("permissions") }));
vi.mock("next/headers", () => ({
  headers: async () => new Headers(),
  cookies: async () => ({ getAll: () => [], get: () => undefined, set: touch("cookies") }),
}));
beforeAll(() => void vi.spyOn(console, "error").mockImplementation(() => undefined));

// Allowed without signing in.
const forEveryone = ["verifyCode", "requestPasswordReset", "confirmEmailLink", "resetPassword", "sendPasswordLink"]
  .concat(["startSession", "renewSession", "endSession", "createAccount", "saveTheme"])
  .sort();
type Action = (state: object, form: FormData) => Promise<{ error: unknown }>;
const isAction = (value: unknown): value is Action => typeof value === "function";

const actions = await Promise.all(
  globSync("{app,components,lib}/**/*.{ts,tsx}")
    .filter((file) => readFileSync(file, "utf8").startsWith('"use server"'))
    .map(async (file) => Object.entries<unknown>(await import(/* @vite-ignore */ resolve(file)))),
).then((files) => files.flat().filter((file): file is [string, Action] => isAction(file[1])));
const guarded = actions.filter(([name]) => !forEveryone.includes(name));

test("the list has every action that is allowed without signing in", () => {
  expect(actions.map(([name]) => name)).toEqual(expect.arrayContaining(forEveryone));
  expect(guarded.length).toBeGreaterThan(30);
});

describe.each(guarded)("the action %s", (_name, action) => {
  const unreachable = "Couldn't confirm that you're signed in. Try again in a moment.";
  test.each<[string, () => Promise<null>, string]>([
    ["in a session that has ended", async () => null, sessionEnded],
    ["while Auth is unreachable", () => Promise.reject(new AppError("unavailable", unreachable)), unreachable],
  ])("does nothing %s", async (_what, live, error) => {
    auth.live = live;
    expect(await action({}, new FormData())).toMatchObject({ message: null, error });
    expect(auth.touched).toEqual([]);
  });
});
