import { createHmac, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { NextRequest } from "next/server";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { getSession, getSignIn } from "../../../lib/auth/get-session.ts";
import { refreshSession } from "../../../lib/supabase/middleware.ts";
import { verifiedClaims } from "../../../lib/supabase/verified-claims.ts";

// Hosted projects sign with an asymmetric key: the token is then verified here, and Auth is not asked.

const jar = vi.hoisted(() => ({ cookies: [] as { name: string; value: string }[] }));
vi.mock("next/headers", () => ({ cookies: async () => ({ getAll: () => jar.cookies, set: () => undefined }) }));

const ours = generateKeyPairSync("ec", { namedCurve: "P-256" });
const foreign = generateKeyPairSync("ec", { namedCurve: "P-256" });
const kid = "key-1";
const userId = "6f2b1f5e-5a0c-4f39-9d52-0e9a5b7c1d2e";

let askedAuth = 0;
const server = setupServer(
  http.get("http://supabase.test/auth/v1/.well-known/jwks.json", () =>
    HttpResponse.json({ keys: [{ ...ours.publicKey.export({ format: "jwk" }), kid, alg: "ES256", use: "sig" }] }),
  ),
  http.get("http://supabase.test/auth/v1/user", () => {
    askedAuth += 1;
    return HttpResponse.json({ code: 403, error_code: "bad_jwt", msg: "invalid JWT" }, { status: 403 });
  }),
);
beforeAll(() => {
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", "http://supabase.test");
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
  vi.stubEnv("SITE_URL", "http://signet.test");
  server.listen({ onUnhandledFrame: "error" });
});
beforeEach(() => {
  askedAuth = 0;
  server.resetHandlers();
});
afterAll(() => {
  server.close();
  vi.unstubAllEnvs();
});

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const now = () => Math.floor(Date.now() / 1000);
const claims = () => ({
  sub: userId,
  email: "ada@demo.test",
  role: "authenticated",
  session_id: "s",
  exp: now() + 3600,
});

function es256(payload: unknown, key: KeyObject, header: unknown = { alg: "ES256", typ: "JWT", kid }) {
  const content = `${encode(header)}.${encode(payload)}`;
  const signature = sign("sha256", Buffer.from(content), { key, dsaEncoding: "ieee-p1363" });
  return `${content}.${signature.toString("base64url")}`;
}

function hold(accessToken: string, expiresAt = now() + 3600) {
  const session = {
    access_token: accessToken,
    refresh_token: "r",
    token_type: "bearer",
    expires_in: 3600,
    expires_at: expiresAt,
    user: { id: "somebody-else" },
  };
  jar.cookies = [{ name: "sb-supabase-auth-token", value: `base64-${encode(session)}` }];
}

test("a token signed with the project's key is a session, verified without asking Auth", async () => {
  const accessToken = es256(claims(), ours.privateKey);
  hold(accessToken);
  expect(await getSession()).toEqual({ userId, email: "ada@demo.test", sessionId: "s", accessToken });
  expect(askedAuth).toBe(0);
});

const marked = { app_metadata: { provider: "email", second_factor: true } };
test("who has a second factor is nobody until it was shown", async () => {
  for (const aal of [{}, { aal: "aal1" }]) {
    hold(es256({ ...claims(), ...marked, ...aal }, ours.privateKey));
    expect(await getSession()).toBeNull();
    expect(await getSignIn()).toMatchObject({ isHalf: true, hasSecondFactor: true, session: { userId } });
  }
  hold(es256({ ...claims(), ...marked, aal: "aal2" }, ours.privateKey));
  expect(await getSession()).toMatchObject({ userId });
  hold(es256({ ...claims(), app_metadata: { provider: "email" }, aal: "aal1" }, ours.privateKey));
  expect(await getSession()).toMatchObject({ userId });
});

const publicPem = ours.publicKey.export({ format: "pem", type: "spki" }).toString();
test.each([
  ["signed with another key", () => es256(claims(), foreign.privateKey)],
  [
    "changed after signing",
    () => es256(claims(), ours.privateKey).replace(/\.[^.]+\./, `.${encode({ ...claims(), sub: kid })}.`),
  ],
  ["expired", () => es256({ ...claims(), exp: now() - 10 }, ours.privateKey)],
  ["without a signature", () => `${encode({ alg: "none", typ: "JWT", kid })}.${encode(claims())}.`],
  [
    "signed with the public key as a shared secret",
    () => {
      const content = `${encode({ alg: "HS256", typ: "JWT", kid })}.${encode(claims())}`;
      return `${content}.${createHmac("sha256", publicPem).update(content).digest("base64url")}`;
    },
  ],
  ["whose subject is no user id", () => es256({ ...claims(), sub: "service_role" }, ours.privateKey)],
  ["that is no token", () => "nonsense"],
])("a token %s is nobody", async (_name, token) => {
  hold(token());
  expect(await getSession()).toBeNull();
});

const answered = (status: number) =>
  server.use(http.post("http://supabase.test/auth/v1/token", () => HttpResponse.json({ code: "x" }, { status })));

describe.each([429, 503, 507])("Auth that answers %i while the session needs a refresh", (status) => {
  beforeEach(() => answered(status));

  test("is an error in time, and never nobody", async () => {
    hold(es256(claims(), ours.privateKey), now() - 10);
    const began = Date.now();
    await expect(getSession()).rejects.toMatchObject({ code: "unavailable" });
    expect(Date.now() - began).toBeLessThan(6_000);
  });

  test("leaves the cookies as they are", async () => {
    hold(es256(claims(), ours.privateKey), now() - 10);
    expect(await changedCookies()).toEqual([]);
  });
});

test("a session that Auth does not refresh is over, and its cookie goes", async () => {
  answered(400);
  hold(es256(claims(), ours.privateKey), now() - 10);
  expect(await getSession()).toBeNull();
  expect(await changedCookies()).toEqual([expect.stringMatching(/^sb-supabase-auth-token=; .*Max-Age=0/)]);
});

async function changedCookies() {
  const cookie = jar.cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
  const { response } = await refreshSession(new NextRequest("http://signet.test/north", { headers: { cookie } }));
  return response.headers.getSetCookie();
}

test("requests with one token that come at once share one question to Auth; a later one asks again", async () => {
  hold(`${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims())}.c2ln`);
  expect(await Promise.all(Array.from({ length: 200 }, getSession))).toEqual(Array(200).fill(null));
  expect(askedAuth).toBe(1);
  await getSession();
  expect(askedAuth).toBe(2);
});

test("requests with different tokens that come at once are each answered by their own", async () => {
  const supabase = createClient("http://supabase.test", "sb_publishable_test");
  const subjects = [userId, crypto.randomUUID()];
  const tokens = subjects.map((sub) => es256({ ...claims(), sub }, ours.privateKey));
  const given = await Promise.all(tokens.map((token) => verifiedClaims(supabase, token)));
  expect(given).toEqual(subjects.map((sub) => expect.objectContaining({ sub })));
});

test("an Auth that could not be asked is asked again, and says when to", async () => {
  server.use(
    http.get("http://supabase.test/auth/v1/user", () => new HttpResponse(null, { status: 503 }), { once: true }),
  );
  hold(`${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims())}.c2ln`);
  await expect(getSession()).rejects.toMatchObject({ code: "unavailable", retryAfter: 1 });
  expect(await getSession()).toBeNull();
});

test("no cookie, or one that is no session, is nobody", async () => {
  jar.cookies = [];
  expect(await getSession()).toBeNull();
  jar.cookies = [{ name: "sb-supabase-auth-token", value: "base64-@@@" }];
  expect(await getSession()).toBeNull();
});
