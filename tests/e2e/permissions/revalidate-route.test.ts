import { createServer, request as httpRequest } from "node:http";
import { afterAll, describe, expect, test } from "vitest";
import { decodeSession, encodeSession } from "../../../harness/session.ts";
import { listenNear } from "../../../scripts/local-stack/ports.ts";
import { cookieHeader } from "../../../scripts/local-stack/session-cookies.ts";
import { signInOverApi, siteUrl } from "../../support/demo.ts";
import { connectToRedis, epochOf } from "../../support/epochs.ts";
import { createOwnTeam } from "../../support/own-team.ts";
import { cookieOf, sessionCookies } from "../../support/session-cookies.ts";

const redis = connectToRedis();
afterAll(() => redis.disconnect());

const { people } = await createOwnTeam({ staff: { team: "Office" }, clerk: { team: "Field team" } });
const { staff, clerk } = people;
const { token } = await signInOverApi(staff.email);
const staffCookie = await cookieOf(staff.email);

const post = (headers: Record<string, string>) =>
  fetch(`${siteUrl}/api/permissions/revalidate`, { method: "POST", headers });

const epochs = () => Promise.all([epochOf(redis, staff.id), epochOf(redis, clerk.id)]);

describe("POST /api/permissions/revalidate (contract 4.6)", () => {
  test.each([
    ["with a user", "", {}],
    ["with another user in the query and in the body", `?user_id=${clerk.id}`, { user_id: clerk.id, userId: clerk.id }],
  ])("%s: 204 without a body, and a new epoch for the signed-in user alone", async (_what, query, body) => {
    const [before, clerkBefore] = await epochs();
    const response = await fetch(`${siteUrl}/api/permissions/revalidate${query}`, {
      method: "POST",
      headers: { cookie: staffCookie, "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect([response.status, await response.text()]).toEqual([204, ""]);
    const [after, clerkAfter] = await epochs();
    expect(after).not.toBe(before);
    expect(clerkAfter).toBe(clerkBefore);
  });

  test.each([
    ["no cookies", {}],
    ["a bearer token instead of a session", { authorization: `Bearer ${token}` }],
    ["a session whose token has no signature", { cookie: `sb-127-auth-token=${unsignedSession()}` }],
    ["an invalid session", { cookie: "sb-127-auth-token=base64-bm9uc2Vuc2U" }],
    ["a session with a forged token", { cookie: staffCookie.replaceAll(/[A-Za-z0-9]{8}$/g, "AAAAAAAA") }],
  ])("with %s: 204, and nothing is invalidated", async (_name, headers: Record<string, string>) => {
    const before = await epochs();
    const response = await post(headers);
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(await epochs()).toEqual(before);
  });
});

describe("the hard reload of a page", () => {
  const reload = { "sec-fetch-dest": "document", "cache-control": "max-age=0" };
  const open = (headers: Record<string, string>) => fetch(`${siteUrl}/account`, { headers, redirect: "manual" });

  test("renews the epoch before the page is rendered; a plain navigation doesn't", async () => {
    const before = await epochOf(redis, staff.id);
    expect((await open({ cookie: staffCookie, "sec-fetch-dest": "document" })).status).toBe(200);
    expect(await epochOf(redis, staff.id)).toBe(before);
    expect((await open({ cookie: staffCookie, ...reload })).status).toBe(200);
    expect(await epochOf(redis, staff.id)).not.toBe(before);
  });

  test("uses the refreshed session, sends it to the browser, and prevents caching of that answer", async () => {
    const before = await epochOf(redis, staff.id);
    const response = await open({ cookie: await expiredCookie(), ...reload });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain("Account");
    expect(response.headers.getSetCookie().join()).toContain("auth-token");
    expect(response.headers.get("cache-control")).toContain("no-store");
    expect(await epochOf(redis, staff.id)).not.toBe(before);
  });

  test("keeps the refreshed session in a redirect", async () => {
    const response = await fetch(`${siteUrl}/hillside`, {
      headers: { cookie: await expiredCookie() },
      redirect: "manual",
    });
    expect([response.status, response.headers.get("location")]).toEqual([307, "/"]);
    expect(response.headers.getSetCookie().join()).toContain("auth-token");
  });

  test("uses the configured origin, not the Host header", async () => {
    let stolen = 0;
    const evil = createServer((_request, response) => {
      stolen += 1;
      response.end();
    });
    const port = await listenNear(evil);
    const before = await epochOf(redis, staff.id);
    const status = await new Promise((resolve, reject) => {
      const { hostname, port: sitePort } = new URL(siteUrl);
      const headers = {
        ...reload,
        cookie: staffCookie,
        host: `127.0.0.1:${port}`,
        "x-forwarded-host": `127.0.0.1:${port}`,
      };
      httpRequest({ hostname, port: sitePort, path: "/", headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once("error", reject)
        .end();
    });
    evil.close();
    expect([status, stolen]).toEqual([200, 0]);
    expect(await epochOf(redis, staff.id)).not.toBe(before);
  });
});

// The session as if an hour had passed: expired for the client, but still accepted by the server.
async function expiredCookie() {
  const cookies = await sessionCookies(staff.email);
  const expired = { expires_at: Math.floor(Date.now() / 1000) - 10, expires_in: 0 };
  return cookieHeader(
    cookies.map(({ name, value }) => ({ name, value: encodeSession({ ...decodeSession(value), ...expired }) })),
  );
}

function unsignedSession() {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const token = `${encode({ alg: "none", typ: "JWT" })}.${encode({ sub: staff.id, exp })}.`;
  return encodeSession({ access_token: token, refresh_token: "r", token_type: "bearer", expires_at: exp, user: {} });
}
