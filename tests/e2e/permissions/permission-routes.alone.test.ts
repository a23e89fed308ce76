import { afterAll, describe, expect, test } from "vitest";
import { cookieHeader } from "../../../scripts/local-stack/session-cookies.ts";
import { setting, signInOverApi, siteUrl } from "../../support/demo.ts";
import { connectToRedis } from "../../support/epochs.ts";
import { sessionCookies } from "../../support/session-cookies.ts";

const redis = connectToRedis();
afterAll(() => redis.disconnect());

const cookieOf = async (name: string) => cookieHeader(await sessionCookies(`${name}@demo.test`));

describe("GET /api/permissions/fingerprint", () => {
  const ask = (query: string, headers: Record<string, string>) =>
    fetch(`${siteUrl}/api/permissions/fingerprint${query}`, { headers });

  test("is the same while nothing changes, and differs between people and places", async () => {
    const read = async (name: string, query: string) => {
      const response = await ask(query, { cookie: await cookieOf(name) });
      expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
      return response.json();
    };
    const clerk = await read("clerk", "?team=riverside");
    expect(clerk).toEqual({ fingerprint: expect.stringMatching(/^[\w-]{22}$/) });
    expect(await read("clerk", "?team=riverside")).toEqual(clerk);
    expect(await read("clerk", "?team=riverside&campaign=clean-water")).not.toEqual(clerk);
    expect(await read("staff", "?team=riverside")).not.toEqual(clerk);
    expect(await read("outsider", "?team=riverside")).toEqual(await read("suspended", "?team=riverside"));
  });

  test("without a session: 401; from another site: 403", async () => {
    const stranger = await ask("?team=riverside", {});
    expect([stranger.status, await stranger.json()]).toEqual([
      401,
      { error: "Your session has ended. Sign in again." },
    ]);
    const foreign = await ask("?team=riverside", { cookie: await cookieOf("staff"), "sec-fetch-site": "cross-site" });
    expect([foreign.status, await foreign.json()]).toEqual([403, { error: expect.stringContaining("another site") }]);
  });

  test("beyond 300 in a minute: 429, and the button that refreshes still works", async () => {
    const { userId } = await signInOverApi("outsider@demo.test");
    const headers = { cookie: await cookieOf("outsider") };
    const counter = `rate:fingerprint:${userId}`;
    await redis.set(counter, 299, "EX", 60);
    try {
      expect((await ask("?team=one", headers)).status).toBe(200);
      const refused = await ask("?team=two", headers);
      const seconds = Number(refused.headers.get("retry-after"));
      expect([refused.status, seconds > 0, seconds <= 60]).toEqual([429, true, true]);
      expect(await refused.json()).toEqual({ error: `That was too often. Try again in ${seconds} seconds.` });
      const refreshed = await fetch(`${siteUrl}/api/permissions/revalidate`, { method: "POST", headers });
      expect(refreshed.status).toBe(204);
    } finally {
      await redis.del(counter);
    }
  });
});

describe("GET /api/health", () => {
  const secondsOrNull = expect.toSatisfy((seconds: unknown) => seconds === null || typeof seconds === "number");
  const ask = async (headers: Record<string, string> = {}) => {
    const response = await fetch(`${siteUrl}/api/health`, { headers });
    return { status: response.status, body: await response.json() };
  };

  test("tells the public ok, and nothing else", async () => {
    expect(await ask()).toEqual({ status: 200, body: { status: "ok" } });
    expect(await ask({ apikey: setting("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY") })).toEqual({
      status: 200,
      body: { status: "ok" },
    });
  });

  test("tells the holder of the secret key which part answers and what the cache did", async () => {
    const counters = async () => {
      const { body } = await ask({ apikey: setting("SUPABASE_SECRET_KEY") });
      expect(body).toEqual({
        status: "ok",
        database: true,
        snapshotFunction: true,
        redis: true,
        leaseAge: secondsOrNull,
        oldestNotes: { permissions: secondsOrNull, signers: secondsOrNull },
        jobs: expect.objectContaining({ "sync-signers": "not scheduled" }),
        redisServer: { version: expect.any(String), evictionPolicy: expect.any(String), refuses: [] },
        permissionCache: {
          hit: expect.any(Number),
          miss: expect.any(Number),
          bypass: expect.any(Number),
          recompute: expect.any(Number),
        },
      });
      return (body as { permissionCache: { hit: number; miss: number } }).permissionCache;
    };
    const cookie = await cookieOf("analyst");
    await fetch(`${siteUrl}/api/permissions/revalidate`, { method: "POST", headers: { cookie } });
    const before = await counters();
    await fetch(`${siteUrl}/riverside`, { headers: { cookie } });
    const cold = await counters();
    expect(cold.miss).toBeGreaterThan(before.miss);
    await fetch(`${siteUrl}/riverside`, { headers: { cookie } });
    const warm = await counters();
    expect([warm.miss, warm.hit > cold.hit]).toEqual([cold.miss, true]);
  });

  test("is degraded while Redis hangs", async () => {
    const apikey = setting("SUPABASE_SECRET_KEY");
    await redis.client("PAUSE", 1_500, "ALL");
    const { body } = await ask({ apikey });
    expect(body).toMatchObject({ status: "degraded", database: true, snapshotFunction: true, redis: false });
    await expect.poll(() => ask({ apikey })).toMatchObject({ body: { status: "ok" } });
  });
});
