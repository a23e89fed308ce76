import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { listPlaces } from "@/lib/permissions/list-places";

const cached = vi.hoisted(() => vi.fn());
vi.mock("@/lib/permissions/cached-by-epoch", () => ({
  cachedByEpoch: (given: { compute: () => Promise<unknown> }) => {
    cached(given);
    return given.compute();
  },
}));

const session = { userId: "ada", email: "ada@people.test", sessionId: "first", accessToken: "token-of-ada" };
const teams = [{ id: "north", name: "North", timeZone: "UTC", locale: "en-US", permissionKeys: [], campaigns: [] }];
const snapshot = { teamAccess: true, permissionKeys: [] };
const supabase = "http://supabase.test";
const snapshotOf = `${supabase}/functions/v1/get-permissions-snapshot`;
const server = setupServer(
  http.post(`${supabase}/rest/v1/rpc/permission_places`, () => HttpResponse.json({ teams })),
  http.get(snapshotOf, ({ request }) =>
    request.headers.get("authorization") === "Bearer token-of-ada"
      ? HttpResponse.json(snapshot)
      : HttpResponse.json({ error: "No." }, { status: 401 }),
  ),
);
beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
beforeEach(() => {
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", supabase);
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
  vi.stubEnv("SUPABASE_SECRET_KEY", "sb_secret_test");
});
afterEach(() => {
  server.resetHandlers();
  vi.clearAllMocks();
  vi.unstubAllEnvs();
});
afterAll(() => server.close());

test("places are kept for one session of one person", async () => {
  expect(await listPlaces(session)).toEqual(teams);
  expect(cached).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ userId: "ada", sessionId: "first" }));
});

test.each([
  [401, "unauthenticated"],
  [500, "unavailable"],
])("where the function answers %i about the session, there are none", async (status, code) => {
  server.use(http.get(snapshotOf, () => HttpResponse.json({ error: "No." }, { status })));
  await expect(listPlaces(session)).rejects.toMatchObject({ code });
});
