import { globSync, readFileSync } from "node:fs";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { fetchSnapshot } from "../../../lib/permissions/fetch-snapshot.ts";

const server = setupServer();
beforeAll(() => {
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", "http://supabase.test");
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
  server.listen({ onUnhandledFrame: "error" });
});
afterEach(() => {
  server.resetHandlers();
  vi.restoreAllMocks();
});
afterAll(() => {
  server.close();
  vi.unstubAllEnvs();
});

const address = "http://supabase.test/functions/v1/get-permissions-snapshot";
const user = { userId: "u1", accessToken: "token-1" };

test("is a GET with the bearer token, cached for an hour under the user's tag (contract 4.7)", async () => {
  const seen: string[] = [];
  server.use(
    http.get(address, ({ request }) => {
      seen.push(`${new URL(request.url).search} ${request.headers.get("authorization")}`);
      return HttpResponse.json({ teamAccess: true, campaignAccess: false, permissionKeys: ["a.b"] });
    }),
  );
  const fetched = vi.spyOn(globalThis, "fetch");
  expect(await fetchSnapshot({ ...user, team: "t1", campaign: "c1" })).toEqual({
    teamAccess: true,
    campaignAccess: false,
    permissionKeys: ["a.b"],
  });
  await fetchSnapshot(user);
  expect(seen).toEqual(["?team_id=t1&campaign_id=c1 Bearer token-1", " Bearer token-1"]);
  for (const [, init] of fetched.mock.calls) {
    expect(init).toMatchObject({ next: { revalidate: 3600, tags: ["permissions-u1"] } });
  }
});

test.each([401, 500, 502])("an answer %i throws and is never a snapshot", async (status) => {
  server.use(http.get(address, () => HttpResponse.json({ teamAccess: true, permissionKeys: [] }, { status })));
  await expect(fetchSnapshot(user)).rejects.toThrow(String(status));
});

test("an answer that is no snapshot throws", async () => {
  server.use(http.get(address, () => HttpResponse.json({ ok: true })));
  await expect(fetchSnapshot(user)).rejects.toThrow();
});

test("nothing in Signet calls it (contract 4.7)", () => {
  const callers = globSync("{app,components,lib,scripts,supabase/functions}/**/*.{ts,tsx}").concat("middleware.ts");
  expect(callers.length).toBeGreaterThan(400);
  expect(callers.filter((file) => /permissions\/fetch-snapshot\b/.test(readFileSync(file, "utf8")))).toEqual([]);
});
