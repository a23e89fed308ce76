import "next/dist/server/node-environment-baseline.js"; // before anything else of Next.js
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { revalidateTag } from "next/cache";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { fetchSnapshot } from "../../../lib/permissions/fetch-snapshot.ts";
import { permissionsTag } from "../../../lib/permissions/permissions-tag.ts";
import { runAsRoute, startNextCache } from "../../support/next-cache.ts";

// The helper on Next.js's own fetch and cache: that it caches at all, with a time-out and an Authorization header, is
// Next.js's to say.

const snapshot = { teamAccess: true, campaignAccess: true, permissionKeys: ["voters.search"] };
const none = { teamAccess: false, permissionKeys: [] };
const calls: string[] = [];
let answer: RequestListener;
const server = createServer((request, response) => {
  calls.push(request.url ?? "");
  answer(request, response);
});

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = z.object({ port: z.int() }).parse(server.address());
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", `http://127.0.0.1:${port}`);
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
  vi.unstubAllEnvs();
});

let cache: Awaited<ReturnType<typeof startNextCache>>;
beforeEach(async () => {
  cache = await startNextCache();
  calls.length = 0;
  answer = (_request, response) =>
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(snapshot));
});

// People have tags of their own in each test: what of a tag was invalidated stays so in the process.
const person = () => {
  const userId = crypto.randomUUID();
  return { userId, accessToken: `token of ${userId}` };
};
const read = (who: ReturnType<typeof person>, place = { team: "riverside", campaign: "clean-water" }) =>
  runAsRoute(cache, () => fetchSnapshot({ ...who, ...place }));

test("a second read is answered by the cache, for this person and this place alone", async () => {
  const [ann, ben] = [person(), person()];
  expect([await read(ann), await read(ann)]).toEqual([snapshot, snapshot]);
  expect(calls).toEqual(["/functions/v1/get-permissions-snapshot?team_id=riverside&campaign_id=clean-water"]);
  await read(ben);
  await read(ann, { team: "riverside", campaign: "open-parks" });
  expect(calls).toHaveLength(3);
});

test("once her tag is invalidated the function is asked again, and others keep what they have", async () => {
  const [ann, ben] = [person(), person()];
  await read(ann);
  await read(ben);
  await runAsRoute(cache, async () => revalidateTag(permissionsTag(ann.userId), { expire: 0 }));
  answer = (_request, response) => response.end(JSON.stringify(none));
  expect(await read(ann)).toEqual(none);
  expect(await read(ben)).toEqual(snapshot);
  expect(calls).toHaveLength(3);
});

test("a function that does not answer within 5 s is an error, and nothing of it is cached", async () => {
  const ann = person();
  const timeOut = vi.spyOn(AbortSignal, "timeout").mockImplementationOnce((milliseconds) => {
    const soon = new AbortController();
    setTimeout(() => soon.abort(new DOMException("late", "TimeoutError")), milliseconds / 5);
    return soon.signal;
  });
  const answerInTime = answer;
  answer = () => undefined;
  await expect(read(ann)).rejects.toThrow("late");
  expect(timeOut.mock.calls).toEqual([[5_000]]);
  answer = answerInTime;
  expect([await read(ann), await read(ann)]).toEqual([snapshot, snapshot]);
  expect(calls).toHaveLength(2);
});

test("an answer that is no 200 is not cached", async () => {
  const ann = person();
  const answerWell = answer;
  answer = (_request, response) => response.writeHead(500).end();
  await expect(read(ann)).rejects.toThrow("500");
  answer = answerWell;
  expect(await read(ann)).toEqual(snapshot);
});
