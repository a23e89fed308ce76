import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { disableSecondFactor, enableSecondFactor, startSecondFactor } from "@/app/account/actions";
import { resetPassword } from "@/app/auth/confirm/actions";
import { renewSession, verifyCode } from "@/app/login/actions";
import { changePassword } from "@/lib/auth/account";
import { getSession, getSignIn } from "@/lib/auth/get-session";
import { confirmLink, exchangeCode } from "@/lib/auth/links";
import { initialFormState, toFormData } from "@/lib/forms/form-state";
import { processWide } from "@/lib/process-wide";

// The local stack's Auth has no second factors. This fake answers as Supabase's Auth does.

const cookies = new Map<string, string>();
vi.mock("next/headers", async () => {
  const { headersOf } = await import("../../support/next-headers.ts");
  return headersOf(() => cookies);
});
vi.mock("next/cache", () => ({ revalidateTag: vi.fn() }));
const tryRefreshPermissions = vi.hoisted(() => vi.fn(async (_userId: string) => true));
vi.mock("@/lib/activity/sign-ins", () => ({ recordSignIn: async () => undefined }));
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
    sub: userId,
    email: "ada@people.test",
    session_id: sessionId(),
    exp: 4_000_000_000,
    aal,
    app_metadata: account.metadata,
  })}.c2ln`,
  refresh_token: aal,
  token_type: "bearer",
  expires_in: 3600,
  user: user(),
});
const claimsOf = (request: Request): Record<string, unknown> =>
  JSON.parse(Buffer.from(request.headers.get("authorization")?.split(".")[1] ?? "", "base64url").toString());
const levelOf = (request: Request) => claimsOf(request).aal;
const isEnded = (request: Request) => claimsOf(request).session_id !== sessionId();
const refusal = (status: number, code: string) =>
  HttpResponse.json({ code, error_code: code, msg: "internal words" }, { status });

const auth = "http://supabase.test/auth/v1";
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
const failFactors = http.get(`${auth}/admin/users/${userId}/factors`, () => refusal(500, "unexpected_failure"));
const failRefresh = http.post<never, Record<string, string>>(`${auth}/token`, async ({ request }) =>
  (await request.clone().json()).refresh_token ? refusal(429, "over_request_rate_limit") : undefined,
);
server.listen({ onUnhandledFrame: "error" });
beforeEach(async () => {
  Object.assign(account, { factors: [], metadata: {}, password, isOn: true, session: 0, isOld: false });
  await signIn();
});
afterEach(() => {
  server.resetHandlers();
  tryRefreshPermissions.mockClear();
  cookies.clear();
  processWide("attempts", () => new Map()).clear();
});

const signIn = () => renewSession(initialFormState, toFormData({ email: "ada@people.test", password }));
const code = (value: string) => verifyCode(initialFormState, toFormData({ code: value }));

const startSetup = (current = password) => startSecondFactor(initialFormState, toFormData({ current }));

const wrongPassword = { zodIssues: [{ path: ["current"], message: "is wrong. Nothing was changed" }] };

async function turnOn(code = rightCode) {
  const started = await startSetup();
  if (started.error !== null || !started.data) throw new Error(`Not started: ${started.error}`);
  return enableSecondFactor(initialFormState, toFormData({ factorId: started.data.factorId, code }));
}

describe("without a second factor", () => {
  it("a password is enough to sign in", async () => {
    expect(await signIn()).toMatchObject({ error: null, data: { userId, needsCode: false } });
    expect(await getSession()).toMatchObject({ userId });
  });

  it("setup needs the password and an operator who has enabled it", async () => {
    expect(await startSetup("a guess")).toMatchObject(wrongPassword);
    account.isOn = false;
    expect(await startSetup()).toMatchObject({ error: expect.stringMatching(/isn't available on this server/) });
    expect(account.factors).toEqual([]);
  });

  it("an unfinished setup has no effect, and the next one replaces it", async () => {
    await startSetup();
    expect(await signIn()).toMatchObject({ data: { needsCode: false } });
    expect(await startSetup()).toMatchObject({
      data: { factorId: account.factors[0]?.id, picture: expect.stringContaining("<svg/>"), secret: "ABCDEFGH" },
    });
    expect(account.factors).toHaveLength(1);
  });

  it("a wrong first code doesn't turn it on", async () => {
    expect(await turnOn("654321")).toMatchObject({ error: "Wrong or expired code. Enter the one your app shows now." });
    expect(account.metadata).toEqual({});
  });
});

describe("with a second factor", () => {
  beforeEach(async () => {
    expect(await turnOn()).toMatchObject({ error: null, message: "Two-factor sign-in is on." });
  });

  it("turning it on keeps this session, and drops everything cached for other sessions", async () => {
    expect(await getSignIn()).toMatchObject({ accountHasSecondFactor: true, needsCode: false });
    expect(tryRefreshPermissions).toHaveBeenCalledExactlyOnceWith(userId);
  });

  it("a password alone gives no access until the code was entered", async () => {
    expect(await signIn()).toMatchObject({ data: { userId, needsCode: true } });
    expect(await getSession()).toBeNull();
    expect(await code("654321")).toMatchObject({ error: expect.stringMatching(/^Wrong or expired code/) });
    expect(await code("12345")).toMatchObject({ zodIssues: [{ path: ["code"], message: "must have six digits" }] });
    expect(await getSession()).toBeNull();
    expect(await code("123 456")).toMatchObject({ error: null, data: { userId } });
    expect(await getSession()).toMatchObject({ userId });
  });

  it("the sign-in page continues to the next page", async () => {
    await signIn();
    const sent = verifyCode(initialFormState, toFormData({ code: rightCode, next: "/riverside" }));
    await expect(sent).rejects.toMatchObject({ digest: expect.stringContaining(";/riverside;") });
  });

  it.each([
    ["by signing in again between attempts", () => undefined],
    ["in another browser each time", () => cookies.clear()],
  ])("codes can't be guessed, not even %s", async (_, between) => {
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

  it("a code is refused with what to do once the operator removed it in between", async () => {
    await signIn();
    account.factors = [];
    expect(await code(rightCode)).toMatchObject({ error: expect.stringMatching(/^Two-factor sign-in is now off/) });
  });

  it("a sign-in without the code can't change it", async () => {
    await signIn();
    for (const action of [startSecondFactor, disableSecondFactor]) {
      expect(await action(initialFormState, toFormData({ current: password }))).toMatchObject({
        error: expect.any(String),
      });
    }
    expect(account.factors).toHaveLength(1);
  });

  it("is turned off with the password, which is then enough to sign in", async () => {
    expect(await disableSecondFactor(initialFormState, toFormData({ current: "a guess" }))).toMatchObject(
      wrongPassword,
    );
    expect(account.factors).toHaveLength(1);
    tryRefreshPermissions.mockClear();
    expect(await disableSecondFactor(initialFormState, toFormData({ current: password }))).toMatchObject({
      error: null,
    });
    expect(tryRefreshPermissions).toHaveBeenCalledExactlyOnceWith(userId);
    expect(await getSignIn()).toMatchObject({ accountHasSecondFactor: false, needsCode: false });
    expect(await signIn()).toMatchObject({ data: { needsCode: false } });
  });

  it("the password can be changed in a session with the code, unless that is too old", async () => {
    const change = async () => {
      const session = await getSession();
      if (!session) throw new Error("No one is signed in.");
      return changePassword(session, { current: account.password, password: "another-password-2" });
    };
    account.isOld = true;
    await expect(change()).rejects.toThrow(/^You signed in too long ago\. Sign out, sign in again/);
    expect(account.password).toBe(password);
    account.isOld = false;
    await change();
    expect(account.password).toBe("another-password-2");
    expect(await getSignIn()).toMatchObject({ accountHasSecondFactor: true, needsCode: false });
  });

  it.each<[string, object, boolean]>([
    ["isn't asked for once the operator removed it", { factors: [] }, false],
    ["is asked for at the next sign-in when it was added elsewhere", { metadata: {} }, true],
  ])("%s", async (_what, changed, needsCode) => {
    Object.assign(account, changed);
    expect(await signIn()).toMatchObject({ data: { needsCode } });
    expect((await getSession()) === null).toBe(needsCode);
  });

  it.each(["magiclink", "recovery"] as const)(
    "a link (%s) gives no access before the code, even if only Auth knows the factor",
    async (type) => {
      account.metadata = {};
      cookies.clear();
      expect(await confirmLink({ token_hash: "hash", type })).toBe(true);
      expect(await getSignIn()).toMatchObject({ needsCode: true });
      expect(await code(rightCode)).toMatchObject({ error: null, data: { userId } });
    },
  );

  it("neither does a link with a code, and it signs no one in while Auth can't list factors", async () => {
    const verifier = `base64-${Buffer.from(JSON.stringify("verifier")).toString("base64url")}`;
    const follow = () => {
      cookies.clear();
      cookies.set("sb-supabase-auth-token-code-verifier", verifier);
      account.metadata = {};
      return exchangeCode("code");
    };
    expect(await follow()).toBe("signed-in");
    expect(await getSignIn()).toMatchObject({ needsCode: true });
    server.use(failFactors);
    expect(await follow()).toBe("unavailable");
    expect(await getSignIn()).toBeNull();
  });

  it.each([
    ["Auth can't list factors", failFactors],
    ["the token can't be refreshed", failRefresh],
  ])("a sign-in fails when %s", async (_what, away) => {
    vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"] }).setTimerTickMode("nextTimerAsync");
    onTestFinished(() => void vi.useRealTimers());
    account.metadata = {};
    server.use(away);
    expect(await signIn()).toMatchObject({
      error: expect.stringMatching(/Two-factor sign-in isn't working right now/),
    });
    expect(await getSignIn()).toBeNull();
  });

  it("says when the session has ended before the code", async () => {
    await signIn();
    account.session += 1;
    expect(await code(rightCode)).toMatchObject({ error: expect.stringMatching(/^Your sign-in has expired/) });
  });

  it("a password set by an email's link still needs the code", async () => {
    await signIn();
    tryRefreshPermissions.mockClear();
    const link = { token_hash: "hash", type: "recovery", next: "/", password: "another-password-2" };
    expect(await resetPassword(initialFormState, toFormData(link))).toMatchObject({ error: null });
    expect(account.password).toBe("another-password-2");
    expect(tryRefreshPermissions).toHaveBeenCalledExactlyOnceWith(userId);
    expect(await getSession()).toBeNull();
    const unfinished = (await getSignIn())?.session;
    if (!unfinished) throw new Error("No one is signed in.");
    const input = { current: "another-password-2", password: "a-third-password-3" };
    await expect(changePassword(unfinished, input)).rejects.toMatchObject({ code: "unavailable" });
    expect(account.password).toBe("another-password-2");
    expect(await code(rightCode)).toMatchObject({ error: null, data: { userId } });
  });
});
