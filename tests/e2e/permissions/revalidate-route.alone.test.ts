import { createServer, request as httpRequest } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { cookieHeader } from "../../../scripts/local-stack/session-cookies.ts";
import { signInOverApi, siteUrl } from "../../support/demo.ts";
import { connectToRedis, epochOf } from "../../support/epochs.ts";
import { sessionCookies } from "../../support/session-cookies.ts";

const redis = connectToRedis();
afterAll(() => redis.disconnect());

const staff = { email: "staff@demo.test", ...(await signInOverApi("staff@demo.test")) };
const clerk = { email: "clerk@demo.test", ...(await signInOverApi("clerk@demo.test")) };
const staffCookie = cookieHeader(await sessionCookies(staff.email));

beforeEach(async () => {
  await redis.del(`rate:revalidate:${staff.userId}`);
});

const post = (headers: Record<string, string>, init: RequestInit = {}) =>
  fetch(`${siteUrl}/api/permissions/revalidate`, { method: "POST", ...init, headers });

const epochs = () => Promise.all([epochOf(redis, staff.userId), epochOf(redis, clerk.userId)]);

describe("POST /api/permissions/revalidate (contract 4.6)", () => {
  test("with a user: 204 without a body, and a new epoch for her alone", async () => {
    const [before, clerkBefore] = await epochs();
    const response = await post({ cookie: staffCookie });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    const [after, clerkAfter] = await epochs();
    expect(after).not.toBe(before);
    expect(clerkAfter).toBe(clerkBefore);
  });

  test("a client cannot name another user, in the query or in the body", async () => {
    const [before, clerkBefore] = await epochs();
    const response = await fetch(`${siteUrl}/api/permissions/revalidate?user_id=${clerk.userId}`, {
      method: "POST",
      headers: { cookie: staffCookie, "content-type": "application/json" },
      body: JSON.stringify({ user_id: clerk.userId, userId: clerk.userId }),
    });
    expect(response.status).toBe(204);
    const [after, clerkAfter] = await epochs();
    expect(after).not.toBe(before);
    expect(clerkAfter).toBe(clerkBefore);
  });

  test.each([
    ["no cookies", {}],
    ["a bearer token instead of a session", { authorization: `Bearer ${staff.token}` }],
    ["a session whose token has no signature", { cookie: `sb-127-auth-token=${unsignedSession()}` }],
    ["a session that is nonsense", { cookie: "sb-127-auth-token=base64-bm9uc2Vuc2U" }],
    ["a session with a forged token", { cookie: staffCookie.replaceAll(/[A-Za-z0-9]{8}$/g, "AAAAAAAA") }],
  ])("with %s: 204, and nothing is invalidated", async (_name, headers: Record<string, string>) => {
    const before = await epochs();
    const response = await post(headers);
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(await epochs()).toEqual(before);
  });

  test.each([
    ["Sec-Fetch-Site says another site", { "sec-fetch-site": "cross-site" }],
    ["Sec-Fetch-Site says a sibling site", { "sec-fetch-site": "same-site" }],
    ["Origin is another host", { origin: "https://evil.test" }],
  ])("%s: 403, and nothing is invalidated", async (_name, headers: Record<string, string>) => {
    const before = await epochs();
    const response = await post({ cookie: staffCookie, ...headers });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ error: expect.stringContaining("another site") });
    expect(await epochs()).toEqual(before);
  });

  test.each(["GET", "PUT", "PATCH", "DELETE", "OPTIONS"])("%s: 405, and nothing is invalidated", async (method) => {
    const before = await epochs();
    const response = await post({ cookie: staffCookie }, { method });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await response.json()).toEqual({ error: expect.stringContaining("POST") });
    expect(await epochs()).toEqual(before);
  });

  test("beyond 60 in a minute: 429 with the seconds to wait, and nothing is invalidated", async () => {
    await redis.set(`rate:revalidate:${staff.userId}`, 59, "EX", 60);
    expect((await post({ cookie: staffCookie })).status).toBe(204);
    const before = await epochs();
    const response = await post({ cookie: staffCookie });
    expect(response.status).toBe(429);
    expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(Number(response.headers.get("retry-after"))).toBeLessThanOrEqual(60);
    expect(await response.json()).toEqual({ error: expect.stringContaining("seconds") });
    expect(await epochs()).toEqual(before);
  });

  test("when the epoch cannot be renewed: 503, so that nobody believes in a refresh that did not happen", async () => {
    const before = await epochs();
    await redis.client("PAUSE", 1_500, "ALL");
    const began = Date.now();
    const response = await post({ cookie: staffCookie });
    expect(response.status).toBe(503);
    expect(response.headers.get("retry-after")).toBe("1");
    expect(await response.json()).toEqual({ error: expect.stringContaining("Try again") });
    expect(Date.now() - began).toBeLessThan(1_400);
    await wait(3_000);
    expect(await epochs()).toEqual(before);
    expect((await post({ cookie: staffCookie })).status).toBe(204);
  });
});

describe("the hard reload of a page", () => {
  const reload = { "sec-fetch-dest": "document", "cache-control": "max-age=0" };
  const open = (headers: Record<string, string>) => fetch(`${siteUrl}/`, { headers, redirect: "manual" });

  test("renews the epoch before the page is made; a plain navigation does not", async () => {
    const before = await epochOf(redis, staff.userId);
    expect((await open({ cookie: staffCookie, "sec-fetch-dest": "document" })).status).toBe(200);
    expect(await epochOf(redis, staff.userId)).toBe(before);
    expect((await open({ cookie: staffCookie, ...reload })).status).toBe(200);
    expect(await epochOf(redis, staff.userId)).not.toBe(before);
  });

  test("uses the refreshed session, hands it to the browser, and keeps that answer out of caches", async () => {
    const cookies = (await sessionCookies(staff.email)).map(({ name, value }) => ({
      name,
      value: expireSession(value),
    }));
    const before = await epochOf(redis, staff.userId);
    const response = await open({ cookie: cookieHeader(cookies), ...reload });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("Your teams");
    expect(response.headers.getSetCookie().join()).toContain("auth-token");
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(await epochOf(redis, staff.userId)).not.toBe(before);
  });

  test("carries the refreshed session over to a redirect", async () => {
    const cookies = (await sessionCookies(staff.email)).map(({ name, value }) => ({
      name,
      value: expireSession(value),
    }));
    const response = await fetch(`${siteUrl}/hillside`, {
      headers: { cookie: cookieHeader(cookies) },
      redirect: "manual",
    });
    expect([response.status, response.headers.get("location")]).toEqual([307, "/"]);
    expect(response.headers.getSetCookie().join()).toContain("auth-token");
  });

  test("goes to the configured origin, whatever the Host header says", async () => {
    let stolen = 0;
    const evil = createServer((_request, answer) => {
      stolen += 1;
      answer.end();
    });
    await new Promise<void>((listening) => evil.listen(0, "127.0.0.1", listening));
    const address = evil.address();
    const port = typeof address === "object" && address ? address.port : 0;
    const before = await epochOf(redis, staff.userId);
    const status = await new Promise((resolve, reject) => {
      const { hostname, port: sitePort } = new URL(siteUrl);
      const headers = {
        ...reload,
        cookie: staffCookie,
        host: `127.0.0.1:${port}`,
        "x-forwarded-host": `127.0.0.1:${port}`,
      };
      httpRequest({ hostname, port: sitePort, path: "/", headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      })
        .once("error", reject)
        .end();
    });
    evil.close();
    expect([status, stolen]).toEqual([200, 0]);
    expect(await epochOf(redis, staff.userId)).not.toBe(before);
  });
});

// The session as it is an hour later: the token that the server still accepts counts as expired for the client.
function expireSession(value: string) {
  const json: Record<string, unknown> = JSON.parse(Buffer.from(value.replace(/^base64-/, ""), "base64url").toString());
  const expired = { ...json, expires_at: Math.floor(Date.now() / 1000) - 10, expires_in: 0 };
  return `base64-${Buffer.from(JSON.stringify(expired)).toString("base64url")}`;
}

function unsignedSession() {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const token = `${encode({ alg: "none", typ: "JWT" })}.${encode({ sub: staff.userId, exp })}.`;
  return `base64-${encode({ access_token: token, refresh_token: "r", token_type: "bearer", expires_at: exp, user: {} })}`;
}
