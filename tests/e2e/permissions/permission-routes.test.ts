import { describe, expect, test } from "vitest";
import { setting, siteUrl } from "../../support/demo.ts";
import { createOwnTeam, type Member, signUp } from "../../support/own-team.ts";
import { cookieOf } from "../../support/session-cookies.ts";

const { team, campaign, people } = await createOwnTeam({
  clerk: { team: "Field team", campaign: "Signature clerk" },
  staff: { team: "Office" },
  suspended: { team: "Office", status: "suspended" },
});
const { clerk, staff, suspended } = people;
const outsider = await signUp(`outsider-${team}@people.test`, "Nell Varga");

test("a fingerprint is the same while nothing changes, and differs between people and places", async () => {
  const read = async (who: Member, query: string) => {
    const headers = { cookie: await cookieOf(who.email) };
    const response = await fetch(`${siteUrl}/api/permissions/fingerprint?${query}`, { headers });
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    return response.json();
  };
  const seen = await read(clerk, `team=${team}`);
  expect(seen).toEqual({ fingerprint: expect.stringMatching(/^[\w-]{22}$/) });
  expect(await read(clerk, `team=${team}`)).toEqual(seen);
  expect(await read(clerk, `team=${team}&campaign=${campaign}`)).not.toEqual(seen);
  expect(await read(staff, `team=${team}`)).not.toEqual(seen);
  expect(await read(suspended, `team=${team}`)).toEqual(await read(outsider, `team=${team}`));
});

describe("GET /api/health", () => {
  const sendRequest = async (apikey?: string) => {
    const response = await fetch(`${siteUrl}/api/health`, { headers: apikey ? { apikey } : {} });
    return { status: response.status, body: await response.json() };
  };

  test("gives the public only the status", async () => {
    for (const key of [undefined, setting("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY")])
      expect(await sendRequest(key)).toEqual({ status: 200, body: { status: "ok" } });
  });

  test("gives the holder of the secret key the state of each part and the cache", async () => {
    const secondsOrNull = expect.toSatisfy((seconds: unknown) => seconds === null || typeof seconds === "number");
    const count = expect.any(Number);
    const counters = async () => {
      const { body } = await sendRequest(setting("SUPABASE_SECRET_KEY"));
      expect(body).toEqual({
        status: "ok",
        database: true,
        snapshotFunction: true,
        redis: true,
        leaseAge: secondsOrNull,
        oldestPending: { permissions: secondsOrNull, signers: secondsOrNull },
        jobs: expect.objectContaining({ "sync-signers": "not scheduled" }),
        redisServer: { version: expect.any(String), evictionPolicy: expect.any(String), refuses: [] },
        permissionCache: { hit: count, miss: count, bypass: count, recompute: count },
      });
      return (body as { permissionCache: { hit: number; miss: number } }).permissionCache;
    };
    const headers = { cookie: await cookieOf(staff.email) };
    const view = async () => {
      const before = await counters();
      await fetch(`${siteUrl}/${team}`, { headers });
      const after = await counters();
      return { hits: after.hit > before.hit, misses: after.miss > before.miss };
    };
    await fetch(`${siteUrl}/api/permissions/revalidate`, { method: "POST", headers });
    expect(await view()).toMatchObject({ misses: true });
    // Other tests can open pages too.
    await expect.poll(view).toEqual({ hits: true, misses: false });
  });
});
