import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { disableSecondFactor, enableSecondFactor, startSecondFactor } from "@/app/account/actions";
import { resetPassword } from "@/app/auth/confirm/actions";
import { renewSession, verifyCode } from "@/app/login/actions";
import { changePassword } from "@/lib/auth/account";
import { getSession, getSignIn } from "@/lib/auth/get-session";
import { confirmLink, exchangeCode } from "@/lib/auth/links";
import { unsent } from "@/lib/forms/form-state";
import { processWide } from "@/lib/process-wide";
import { formOf } from "../../support/form-of.ts";

// The local stack's Auth knows no second factors: this one answers as Supabase's does.

const cookies = new Map<string, string>();
vi.mock("next/headers", async () => {
  const { headersOf } = await import("../../support/next-headers.ts");
  return headersOf(() => cookies);
});
vi.mock("next/cache", () => ({ revalidateTag: vi.fn() }));
const tryRefreshPermissions = vi.hoisted(() => vi.fn(async (_userId: string) => true));
vi.mock("@/lib/permissions/invalidate", () => ({ tryRefreshPermissions }));
vi.mock("node:timers/promises", () => ({ setTimeout: async () => undefined }));

const userId = "00000000-0000-4000-8000-000000000001";
const password = "demo-password-1";
const rightCode = "123456";
type Factor = { id: string; factor_type: "totp"; status: "verified" | "unverified" };
const account = { factors: [] as Factor[], metadata: {}, password, isOn: true, session: 0, isOld: false };

const sessionId = () => `00000000-0000-4000-8000-${String(account.session).padStart(12, "0")}`;

const user = () => ({ id: userId, email: "ada@people.test", factors: account.factors, app_metadata: account.metadata });
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
const sessionAt = (aal: string) => ({
  access_token: `${encode({ alg: "HS256" })}.${encode({
    ...{ sub: userId, email: "ada@people.test", session_id: sessionId(), exp: 4_000_000_000, aal },
    app_metadata: account.metadata,
  })}.c2ln`,
  ...{ refresh_token: aal, token_type: "bearer", expires_in: 3600, user: user() },
});
const claimsOf = (request: Request): Record<string, unknown> =>
  JSON.parse(Buffer.from(request.headers.get("authorization")?.split(".")[1] ?? "", "base64url").toString());
const levelOf = (request: Request) => claimsOf(request).aal;
const isEnded = (request: Request) => claimsOf(request).session_id !== sessionId();
const refusal = (status: number, code: string) =>
  HttpResponse.json({ code, error_code: code, msg: "internal words" }, { status });

const auth = "http://auth.test/auth/v1";
const server = setupServer(
  http.post<never, Record<string, string>>(`${auth}/token`, async ({ request }) => {
    const { password, refresh_token, auth_code } = await request.json();
    if (refresh_token) return HttpResponse.json(sessionAt(refresh_token));
    if (auth_code) return HttpResponse.json(sessionAt("aal1"));
    return password === account.password ? HttpResponse.json(sessionAt("aal1")) : refusal(400, "invalid_credentials");
  }),
  http.post(`${auth}/logout`, () => new HttpResponse(null, { status: 204 })),
  http.post(`${auth}/verify`, () => HttpResponse.json(sessionAt("aal1"))),
  http.get(`${auth}/user`, ({ request }) =>
    isEnded(request) ? refusal(403, "session_not_found") : HttpResponse.json(user()),
  ),
  http.put<never, Record<string, string>>(`${auth}/user`, async ({ request }) => {
    if (account.factors.length > 0 && levelOf(request) !== "aal2") return refusal(401, "insufficient_aal");
    if (account.isOld && levelOf(request) === "aal2") return refusal(400, "reauthentication_needed");
    Object.assign(account, await request.json());
    return HttpResponse.json(user());
  }),
  http.post(`${auth}/factors`, () => {
    if (!account.isOn) return refusal(422, "mfa_totp_enroll_not_enabled");
    const id = crypto.randomUUID();
    account.factors.push({ id, factor_type: "totp", status: "unverified" });
    return HttpResponse.json({ id, type: "totp", totp: { qr_code: "<svg/>", secret: "ABCDEFGH", uri: "otpauth://" } });
  }),
  http.post(`${auth}/factors/:id/challenge`, () => HttpResponse.json({ id: "c", type: "totp", expires_at: 4e9 })),
  http.post<{ id: string }, Record<string, string>>(`${auth}/factors/:id/verify`, async ({ request, params }) => {
    if (isEnded(request)) return refusal(403, "session_not_found");
    const { code } = await request.json();
    const factor = account.factors.find(({ id }) => id === params.id);
    if (!factor || code !== rightCode) return refusal(422, "mfa_verification_failed");
    factor.status = "verified";
    return HttpResponse.json(sessionAt("aal2"));
  }),
  http.delete(`${auth}/factors/:id`, ({ request, params }) => {
    const { status } = account.factors.find(({ id }) => id === params.id) ?? {};
    if (status === "verified" && levelOf(request) !== "aal2") return refusal(422, "insufficient_aal");
    account.factors = account.factors.filter(({ id }) => id !== params.id);
    return HttpResponse.json({ id: params.id });
  }),
  http.get(`${auth}/admin/users/${userId}/factors`, () => HttpResponse.json(account.factors)),
  http.put<never, Record<string, object>>(`${auth}/admin/users/${userId}`, async ({ request }) => {
    const { app_metadata, ...changed } = await request.json();
    Object.assign(account.metadata, app_metadata);
    Object.assign(account, changed);
    if ("password" in changed) account.session += 1; // the others are over
    return HttpResponse.json(user());
  }),
);
const factorsAway = http.get(`${auth}/admin/users/${userId}/factors`, () => refusal(500, "unexpected_failure"));
const refreshAway = http.post<never, Record<string, string>>(`${auth}/token`, async ({ request }) =>
  (await request.clone().json()).refresh_token ? refusal(429, "over_request_rate_limit") : undefined,
);
beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterAll(() => server.close());
beforeEach(async () => {
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", "http://auth.test");
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
  vi.stubEnv("SUPABASE_SECRET_KEY", "sb_secret_test");
  vi.stubEnv("SITE_URL", "http://signet.test");
  Object.assign(account, { factors: [], metadata: {}, password, isOn: true, session: 0, isOld: false });
  await signIn();
});
afterEach(() => {
  server.resetHandlers();
  tryRefreshPermissions.mockClear();
  cookies.clear();
  processWide("attempts", () => new Map()).clear();
  vi.unstubAllEnvs();
});

const signIn = () => renewSession(unsent, formOf({ email: "ada@people.test", password }));
const code = (value: string) => verifyCode(unsent, formOf({ code: value }));

const begin = (current = password) => startSecondFactor(unsent, formOf({ current }));

async function turnOn(code = rightCode) {
  const begun = await begin();
  if (begun.error !== null || !begun.data) throw new Error(`Not begun: ${begun.error}`);
  return enableSecondFactor(unsent, formOf({ factorId: begun.data.factorId, code }));
}

describe("without a second factor", () => {
  it("a password signs in", async () => {
    expect(await signIn()).toMatchObject({ error: null, data: { userId, asksCode: false } });
    expect(await getSession()).toMatchObject({ userId });
  });

  it("is begun by nobody who does not know the password, nor where the operator has it off, which is said", async () => {
    expect(await begin("a guess")).toMatchObject({ error: expect.stringMatching(/^Wrong password/) });
    account.isOn = false;
    expect(await begin()).toMatchObject({ error: expect.stringMatching(/isn't available on this server/) });
    expect(account.factors).toEqual([]);
  });

  it("one that was begun and never shown counts for nothing, and the next takes its place", async () => {
    await begin();
    expect(await signIn()).toMatchObject({ data: { asksCode: false } });
    expect(await begin()).toMatchObject({
      data: { factorId: account.factors[0]?.id, picture: expect.stringContaining("<svg/>"), secret: "ABCDEFGH" },
    });
    expect(account.factors).toHaveLength(1);
  });

  it("a wrong first code turns nothing on", async () => {
    expect(await turnOn("654321")).toMatchObject({
      error: "Wrong or expired code. Enter the one your app shows now.",
    });
    expect(account.metadata).toEqual({});
  });
});

describe("with a second factor", () => {
  beforeEach(async () => {
    expect(await turnOn()).toMatchObject({ error: null, message: "Two-factor sign-in is on." });
  });

  it("who turned it on stays signed in, and nothing is kept for her other sessions", async () => {
    expect(await getSignIn()).toMatchObject({ hasSecondFactor: true, isHalf: false });
    expect(tryRefreshPermissions).toHaveBeenCalledExactlyOnceWith(userId);
  });

  it("a password is half a sign-in, which is nobody, until the code was shown", async () => {
    expect(await signIn()).toMatchObject({ data: { userId, asksCode: true } });
    expect(await getSession()).toBeNull();
    expect(await code("654321")).toMatchObject({ error: expect.stringMatching(/^Wrong or expired code/) });
    expect(await code("12345")).toMatchObject({ zodIssues: [{ path: ["code"], message: "must have six digits" }] });
    expect(await getSession()).toBeNull();
    expect(await code("123 456")).toMatchObject({ error: null, data: { userId } });
    expect(await getSession()).toMatchObject({ userId });
  });

  it("the sign-in page goes on to where they were", async () => {
    await signIn();
    const sent = verifyCode(unsent, formOf({ code: rightCode, next: "/riverside" }));
    await expect(sent).rejects.toMatchObject({ digest: expect.stringContaining(";/riverside;") });
  });

  it.each([
    ["by signing in anew between them", () => undefined],
    ["by that in another browser each time", () => cookies.clear()],
  ])("codes cannot be guessed, %s neither", async (_, between) => {
    for (let guess = 0; guess < 7; guess++) {
      between();
      await signIn();
      await code(`00000${guess}`);
    }
    between();
    await signIn();
    expect(await code(rightCode)).toMatchObject({ error: expect.stringMatching(/Too many attempts/) });
    expect(await getSession()).toBeNull();
  });

  it("half a sign-in changes nothing of it", async () => {
    await signIn();
    for (const action of [startSecondFactor, disableSecondFactor]) {
      expect(await action(unsent, formOf({ current: password }))).toMatchObject({ error: expect.any(String) });
    }
    expect(account.factors).toHaveLength(1);
  });

  it("is turned off with the password, and then a password signs in", async () => {
    expect(await disableSecondFactor(unsent, formOf({ current: "a guess" }))).toMatchObject({
      error: expect.stringMatching(/^Wrong password/),
    });
    expect(account.factors).toHaveLength(1);
    tryRefreshPermissions.mockClear();
    expect(await disableSecondFactor(unsent, formOf({ current: password }))).toMatchObject({ error: null });
    expect(tryRefreshPermissions).toHaveBeenCalledExactlyOnceWith(userId);
    expect(await getSignIn()).toMatchObject({ hasSecondFactor: false, isHalf: false });
    expect(await signIn()).toMatchObject({ data: { asksCode: false } });
  });

  it("the password is changed in the session that has shown it, and one that is old is to be made anew", async () => {
    const change = async () => {
      const session = await getSession();
      if (!session) throw new Error("Nobody is signed in.");
      return changePassword(session, { current: account.password, password: "another-password-2" });
    };
    account.isOld = true;
    await expect(change()).rejects.toThrow(/^You signed in too long ago\. Sign out, sign in again/);
    expect(account.password).toBe(password);
    account.isOld = false;
    await change();
    expect(account.password).toBe("another-password-2");
    expect(await getSignIn()).toMatchObject({ hasSecondFactor: true, isHalf: false });
  });

  it.each<[string, object, boolean]>([
    ["which the operator took off is asked for no more", { factors: [] }, false],
    ["that was added elsewhere is asked for from the next sign-in on", { metadata: {} }, true],
  ])("%s", async (_what, changed, asksCode) => {
    Object.assign(account, changed);
    expect(await signIn()).toMatchObject({ data: { asksCode } });
    expect((await getSession()) === null).toBe(asksCode);
  });

  it.each(["magiclink", "recovery"] as const)(
    "a link (%s) is half a sign-in, also where Auth alone knows",
    async (type) => {
      account.metadata = {};
      cookies.clear();
      expect(await confirmLink({ token_hash: "hash", type })).toBe(true);
      expect(await getSignIn()).toMatchObject({ isHalf: true });
      expect(await code(rightCode)).toMatchObject({ error: null, data: { userId } });
    },
  );

  it("a link with a code likewise, and where it cannot be told it signs nobody in", async () => {
    const verifier = `base64-${Buffer.from(JSON.stringify("verifier")).toString("base64url")}`;
    const follow = () => {
      cookies.clear();
      cookies.set("sb-auth-auth-token-code-verifier", verifier);
      account.metadata = {};
      return exchangeCode("code");
    };
    expect(await follow()).toBe("signed-in");
    expect(await getSignIn()).toMatchObject({ isHalf: true });
    server.use(factorsAway);
    expect(await follow()).toBe("unavailable");
    expect(await getSignIn()).toBeNull();
  });

  it.each([
    ["nobody can tell whether it is half a one", factorsAway],
    ["the token could not be made to tell", refreshAway],
  ])("a sign-in of which %s is none", async (_what, away) => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }).setTimerTickMode("nextTimerAsync");
    onTestFinished(() => void vi.useRealTimers());
    account.metadata = {};
    server.use(away);
    expect(await signIn()).toMatchObject({
      error: expect.stringMatching(/Two-factor sign-in isn't working right now/),
    });
    expect(await getSignIn()).toBeNull();
  });

  it("where its session has ended meanwhile, it says so", async () => {
    await signIn();
    account.session += 1;
    expect(await code(rightCode)).toMatchObject({ error: expect.stringMatching(/^Your sign-in has expired/) });
  });

  it("a forgotten password is chosen anew by the e-mail's link, and the code is asked all the same", async () => {
    await signIn();
    tryRefreshPermissions.mockClear();
    const link = { token_hash: "hash", type: "recovery", next: "/", password: "another-password-2" };
    await expect(resetPassword(unsent, formOf(link))).rejects.toThrow("NEXT_REDIRECT");
    expect(account.password).toBe("another-password-2");
    expect(tryRefreshPermissions).toHaveBeenCalledExactlyOnceWith(userId);
    expect(await getSession()).toBeNull();
    const half = (await getSignIn())?.session;
    if (!half) throw new Error("Nobody is signed in.");
    const asked = { current: "another-password-2", password: "a-third-password-3" };
    await expect(changePassword(half, asked)).rejects.toMatchObject({ code: "unavailable" });
    expect(account.password).toBe("another-password-2");
    expect(await code(rightCode)).toMatchObject({ error: null, data: { userId } });
  });
});
