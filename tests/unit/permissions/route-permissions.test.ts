import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { cacheCounters } from "../../../lib/permissions/cached-by-epoch.ts";
import { routePermissions } from "../../../lib/permissions/route-permissions.ts";

// All arguments to Next.js's cache, because only they have the key, the tag and the lifetime.

type Entry = { beganAt: number; value: unknown };
type Given = { name: string; keyParts: string[]; options: object; args: unknown[] };
const next = vi.hoisted(() => ({ given: [] as Given[], stored: undefined as Entry | undefined }));
vi.mock("next/cache", () => ({
  unstable_cache:
    (compute: (...args: unknown[]) => Promise<Entry>, keyParts: string[], options: object) =>
    async (...args: unknown[]) => {
      next.given.push({ name: String(compute), keyParts, options, args });
      return next.stored ?? (await compute(...args));
    },
}));
vi.mock("../../../lib/permissions/read-epoch.ts", () => ({
  readEpoch: async (userId: string) => `epoch of ${userId}`,
}));

const server = setupServer();
server.listen({ onUnhandledFrame: "error" });
const requests: string[] = [];
const fromFunction = { teamAccess: true, campaignAccess: true, permissionKeys: ["voters.search"] };
beforeEach(() => {
  server.use(
    http.get("http://supabase.test/functions/v1/get-permissions-snapshot", ({ request }) => {
      requests.push(`${new URL(request.url).search} ${request.headers.get("authorization")}`);
      return HttpResponse.json(fromFunction);
    }),
  );
});
afterEach(() => {
  server.resetHandlers();
  Object.assign(next, { given: [], stored: undefined });
  requests.length = 0;
});

// Each test has a new user, because a read is reused for a second.
const signedIn = () => ({
  userId: crypto.randomUUID(),
  email: "clerk@demo.test",
  sessionId: "session-1",
  accessToken: "token-1",
});

test.each([
  ["no place", {}, ["", ""], ""],
  ["a team", { team: "riverside" }, ["riverside", ""], "?team_id=riverside"],
  [
    "a campaign",
    { team: "riverside", campaign: "clean-water" },
    ["riverside", "clean-water"],
    "?team_id=riverside&campaign_id=clean-water",
  ],
])(
  "caches %s under the key, the tag and for the time of contract 4.7",
  async (_what, place, [team, campaign], query) => {
    const session = signedIn();
    expect(await routePermissions(session, place)).toEqual(fromFunction);
    expect(next.given).toEqual([
      {
        name: "permissions-snapshot",
        keyParts: ["permissions-snapshot", session.userId, team, campaign],
        options: { revalidate: 3600, tags: [`permissions-${session.userId}`] },
        args: [`epoch of ${session.userId}`, "session-1"],
      },
    ]);
    expect(requests).toEqual([`${query} Bearer token-1`]);
  },
);

test("reads another session of the same user by its own token, because it may have ended", async () => {
  const session = signedIn();
  await routePermissions(session, {});
  await routePermissions({ ...session, sessionId: "session-2", accessToken: "token-2" }, {});
  expect(next.given.map(({ args }) => args[1])).toEqual(["session-1", "session-2"]);
  expect(requests).toEqual([" Bearer token-1", " Bearer token-2"]);
});

test.each([
  ["one of 3599 s", 3_599_000, { hit: 1, recompute: 0 }, []],
  ["none of 3600 s", 3_600_000, { hit: 0, recompute: 1 }, [" Bearer token-1"]],
])("serves entries for 3600 s: %s", async (_what, age, counted, calls) => {
  Object.assign(cacheCounters, { hit: 0, recompute: 0 });
  const old = { teamAccess: false, campaignAccess: false, permissionKeys: [] };
  next.stored = { beganAt: Date.now() - age, value: old };
  expect(await routePermissions(signedIn(), {})).toEqual(calls.length > 0 ? fromFunction : old);
  expect(requests).toEqual(calls);
  expect(cacheCounters).toMatchObject(counted);
});
