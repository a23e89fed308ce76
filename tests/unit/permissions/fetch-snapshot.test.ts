import "next/dist/server/node-environment-baseline.js"; // before anything else of Next.js
import { once } from "node:events";
import { globSync, readFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import { revalidateTag } from "next/cache";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { fetchSnapshot } from "../../../lib/permissions/fetch-snapshot.ts";
import { permissionsTag } from "../../../lib/permissions/snapshot.ts";
import { runAsRoute, startNextCache } from "../../support/next-cache.ts";

// Uses Next.js's real fetch and cache, because Next.js decides whether a request with these headers is cached.

const snapshot = { teamAccess: true, campaignAccess: true, permissionKeys: ["voters.search"] };
const none = { teamAccess: false, permissionKeys: [] };
const requests: string[] = [];
let listener: RequestListener;
const server = createServer((request, response) => {
  requests.push(`${request.method} ${request.url} ${request.headers.authorization}`);
  listener(request, response);
});
const answers =
  (body: object, status = 200): RequestListener =>
  (_, response) =>
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.int() }).parse(server.address());
  process.env.NEXT_PUBLIC_SUPABASE_URL = `http://127.0.0.1:${port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let cache: Awaited<ReturnType<typeof startNextCache>>;
beforeEach(async () => {
  cache = await startNextCache();
  requests.length = 0;
  listener = answers(snapshot);
});

// Each test has new users, because an invalidated tag stays invalidated in the process.
const newUser = () => {
  const userId = crypto.randomUUID();
  return { userId, accessToken: `token of ${userId}` };
};
const read = (who: ReturnType<typeof newUser>, place = { team: "riverside", campaign: "clean-water" }) =>
  runAsRoute(cache, () => fetchSnapshot({ ...who, ...place }));

test("is a GET with the bearer token, cached for an hour under the user's tag (contract 4.7)", async () => {
  const ann = newUser();
  const fetched = vi.spyOn(globalThis, "fetch");
  onTestFinished(() => fetched.mockRestore());
  expect(await fetchSnapshot({ ...ann, team: "riverside", campaign: "clean-water" })).toEqual(snapshot);
  await fetchSnapshot(ann);
  const path = "GET /functions/v1/get-permissions-snapshot";
  expect(requests).toEqual([
    `${path}?team_id=riverside&campaign_id=clean-water Bearer ${ann.accessToken}`,
    `${path} Bearer ${ann.accessToken}`,
  ]);
  for (const [, init] of fetched.mock.calls) {
    expect(init).toMatchObject({ next: { revalidate: 3600, tags: [`permissions-${ann.userId}`] } });
  }
});

test("answers a second read from the cache, only for this user and this place", async () => {
  const [ann, ben] = [newUser(), newUser()];
  expect([await read(ann), await read(ann)]).toEqual([snapshot, snapshot]);
  expect(requests).toHaveLength(1);
  await read(ben);
  await read(ann, { team: "riverside", campaign: "open-parks" });
  expect(requests).toHaveLength(3);
});

test("asks the function again once the user's tag is invalidated, and keeps what others have", async () => {
  const [ann, ben] = [newUser(), newUser()];
  await read(ann);
  await read(ben);
  await runAsRoute(cache, async () => revalidateTag(permissionsTag(ann.userId), { expire: 0 }));
  listener = answers(none);
  expect(await read(ann)).toEqual(none);
  expect(await read(ben)).toEqual(snapshot);
  expect(requests).toHaveLength(3);
});

test("fails without an answer within 5 s, and caches nothing", async () => {
  const ann = newUser();
  const late = new AbortController();
  const timeOut = vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(late.signal);
  listener = () => late.abort(new DOMException("late", "TimeoutError"));
  await expect(read(ann)).rejects.toThrow("late");
  expect(timeOut.mock.calls).toEqual([[5_000]]);
  listener = answers(snapshot);
  expect([await read(ann), await read(ann)]).toEqual([snapshot, snapshot]);
  expect(requests).toHaveLength(2);
});

test.each([401, 500, 502])("throws on an answer %i, and doesn't cache it", async (status) => {
  const ann = newUser();
  listener = answers(snapshot, status);
  await expect(read(ann)).rejects.toThrow(String(status));
  listener = answers(snapshot);
  expect(await read(ann)).toEqual(snapshot);
});

test("throws on an answer that isn't a snapshot, and doesn't cache it", async () => {
  const ann = newUser();
  listener = answers({ ok: true });
  await expect(read(ann)).rejects.toThrow("teamAccess");
  listener = answers(snapshot);
  expect(await read(ann)).toEqual(snapshot);
});

test("nothing in Signet calls it (contract 4.7)", () => {
  const callers = globSync("{app,components,lib,scripts,supabase/functions}/**/*.{ts,tsx}").concat("middleware.ts");
  expect(callers.length).toBeGreaterThan(400);
  expect(callers.filter((file) => /permissions\/fetch-snapshot\b/.test(readFileSync(file, "utf8")))).toEqual([]);
});
