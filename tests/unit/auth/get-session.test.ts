import { createHmac } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { NextRequest } from "next/server";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { getLiveSession, getSession, getSignIn, verifiedClaims } from "../../../lib/auth/get-session.ts";
import { refreshSession } from "../../../lib/supabase/middleware.ts";
import { encode, es256Key, sessionCookie } from "../../support/es256.ts";

// Hosted projects sign with an asymmetric key, so the token is verified here without asking Auth.

const jar = vi.hoisted(() => ({ cookies: [] as { name: string; value: string }[] }));
vi.mock("next/headers", () => ({ cookies: async () => ({ getAll: () => jar.cookies, set: () => undefined }) }));

const ours = es256Key();
const foreign = es256Key();
const { kid } = ours;
const userId = "6f2b1f5e-5a0c-4f39-9d52-0e9a5b7c1d2e";
const sessionId = "0d4c3b2a-5a0c-4f39-9d52-0e9a5b7c1d2e";

let authRequests = 0;
const server = setupServer(
  http.get("http://supabase.test/auth/v1/.well-known/jwks.json", () => HttpResponse.json(ours.keySet)),
  http.get("http://supabase.test/auth/v1/user", () => {
    authRequests += 1;
    return HttpResponse.json({ code: 403, error_code: "bad_jwt", msg: "invalid JWT" }, { status: 403 });
  }),
);
server.listen({ onUnhandledFrame: "error" });
beforeEach(() => {
  authRequests = 0;
  server.resetHandlers();
});

const now = () => Math.floor(Date.now() / 1000);
const claims = () => ({
  sub: userId,
  email: "ada@demo.test",
  role: "authenticated",
  session_id: sessionId,
  exp: now() + 900,
});

const setCookie = (accessToken: string, expiresAt?: number) => {
  jar.cookies = [sessionCookie(accessToken, expiresAt)];
};

test("accepts a token signed with the project's key without asking Auth", async () => {
  const accessToken = ours.token(claims());
  setCookie(accessToken);
  expect(await getSession()).toEqual({
    userId,
    email: "ada@demo.test",
    sessionId,
    accessToken,
    hasEnteredCode: false,
  });
  expect(authRequests).toBe(0);
});

const withSecondFactor = { app_metadata: { provider: "email", second_factor: true } };
test("accepts an account with a second factor only after its code was entered", async () => {
  for (const aal of [{}, { aal: "aal1" }]) {
    setCookie(ours.token({ ...claims(), ...withSecondFactor, ...aal }));
    expect(await getSession()).toBeNull();
    expect(await getSignIn()).toMatchObject({ needsCode: true, accountHasSecondFactor: true, session: { userId } });
  }
  setCookie(ours.token({ ...claims(), ...withSecondFactor, aal: "aal2" }));
  expect(await getSession()).toMatchObject({ userId });
  setCookie(ours.token({ ...claims(), app_metadata: { provider: "email" }, aal: "aal1" }));
  expect(await getSession()).toMatchObject({ userId });
});

const publicPem = ours.publicKey.export({ format: "pem", type: "spki" }).toString();
test.each([
  ["signed with another key", () => foreign.token(claims())],
  ["changed after signing", () => ours.token(claims()).replace(/\.[^.]+\./, `.${encode({ ...claims(), sub: kid })}.`)],
  ["expired", () => ours.token({ ...claims(), exp: now() - 10 })],
  ["without a signature", () => `${encode({ alg: "none", typ: "JWT", kid })}.${encode(claims())}.`],
  [
    "signed with the public key as a shared secret",
    () => {
      const content = `${encode({ alg: "HS256", typ: "JWT", kid })}.${encode(claims())}`;
      return `${content}.${createHmac("sha256", publicPem).update(content).digest("base64url")}`;
    },
  ],
  ["whose subject isn't a user ID", () => ours.token({ ...claims(), sub: "service_role" })],
  ["without a session", () => ours.token({ ...claims(), session_id: undefined })],
  ["that isn't a token", () => "nonsense"],
])("rejects a token %s", async (_name, token) => {
  setCookie(token());
  expect(await getSession()).toBeNull();
});

const answerRefresh = (status: number) =>
  server.use(http.post("http://supabase.test/auth/v1/token", () => HttpResponse.json({ code: "x" }, { status })));

test.each([429, 503, 507])("is an error, not a signed-out user, when Auth answers %i to a refresh", async (status) => {
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }).setTimerTickMode("nextTimerAsync");
  onTestFinished(() => void vi.useRealTimers());
  answerRefresh(status);
  setCookie(ours.token(claims()), now() - 10);
  const began = Date.now();
  await expect(getSession()).rejects.toMatchObject({ code: "unavailable" });
  expect(Date.now() - began).toBeLessThan(6_000);
  expect(await changedCookies()).toEqual([]);
});

test("ends a session that Auth doesn't refresh, and removes its cookie", async () => {
  answerRefresh(400);
  setCookie(ours.token(claims()), now() - 10);
  expect(await getSession()).toBeNull();
  expect(await changedCookies()).toEqual([expect.stringMatching(/^sb-supabase-auth-token=; .*Max-Age=0/)]);
});

async function changedCookies() {
  const cookie = jar.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const { response } = await refreshSession(new NextRequest("http://signet.test/north", { headers: { cookie } }));
  return response.headers.getSetCookie();
}

test("asks Auth once for requests with the same token at the same time, and again later", async () => {
  setCookie(`${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims())}.c2ln`);
  expect(await Promise.all(Array.from({ length: 200 }, getSession))).toEqual(Array(200).fill(null));
  expect(authRequests).toBe(1);
  await getSession();
  expect(authRequests).toBe(2);
});

test("answers requests with different tokens at the same time by their own token", async () => {
  const supabase = createClient("http://supabase.test", "sb_publishable_test");
  const subjects = [userId, crypto.randomUUID()];
  const tokens = subjects.map((sub) => ours.token({ ...claims(), sub }));
  const verified = await Promise.all(tokens.map((token) => verifiedClaims(supabase, token)));
  expect(verified).toEqual(subjects.map((sub) => expect.objectContaining({ sub })));
});

test("asks Auth again after a failure, and says when to retry", async () => {
  server.use(
    http.get("http://supabase.test/auth/v1/user", () => new HttpResponse(null, { status: 503 }), { once: true }),
  );
  setCookie(`${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims())}.c2ln`);
  await expect(getSession()).rejects.toMatchObject({ code: "unavailable", retryAfterSeconds: 1 });
  expect(await getSession()).toBeNull();
});

test.each<[string, () => Response, "the session" | "no one" | "unavailable"]>([
  ["knows it", () => Response.json({ id: userId }), "the session"],
  ["has ended it", () => Response.json({ error_code: "session_not_found" }, { status: 403 }), "no one"],
  ["fails", () => Response.json({}, { status: 500 }), "unavailable"],
  ["is asked too often", () => Response.json({}, { status: 429 }), "unavailable"],
  ["doesn't answer", () => Response.error(), "unavailable"],
])("getLiveSession asks Auth, whatever the token says: when Auth %s it is %s", async (_what, response, is) => {
  setCookie(ours.token(claims()));
  server.use(http.get("http://supabase.test/auth/v1/user", response));
  const expected = { "the session": { userId }, "no one": null, unavailable: { code: "unavailable" } }[is];
  const result = await getLiveSession().catch((error: unknown) => error);
  if (expected === null) expect(result).toBeNull();
  else expect(result).toMatchObject(expected);
});

test("has no session without a cookie, or with an unreadable one", async () => {
  jar.cookies = [];
  expect(await getSession()).toBeNull();
  jar.cookies = [{ name: "sb-supabase-auth-token", value: "base64-@@@" }];
  expect(await getSession()).toBeNull();
});
