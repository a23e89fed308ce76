import "next/dist/server/node-environment-baseline.js"; // before anything else of Next.js
import { serve } from "@hono/node-server";
import { createClient } from "@supabase/supabase-js";
import { afterAll, afterEach, beforeEach, expect, test, vi } from "vitest";
import { endAllSessions, endOneSession, endOtherSessions, savePassword } from "@/app/account/actions";
import { confirmEmailLink, resetPassword } from "@/app/auth/confirm/actions";
import { endSession, renewSession, startSession } from "@/app/login/actions";
import { getLiveSession, getSession, type Session } from "@/lib/auth/get-session";
import { sendRecovery } from "@/lib/auth/links";
import { endUserSession, listSessions, recordDevice } from "@/lib/auth/sessions";
import { signIn, signUp } from "@/lib/auth/sign-in";
import { initialFormState, toFormData } from "@/lib/forms/form-state";
import { drainPending } from "@/lib/permissions/invalidate";
import { routePermissions } from "@/lib/permissions/route-permissions";
import { processWide } from "@/lib/process-wide";
import { ownPort } from "../../../harness/own-port.ts";
import { handle } from "../../../supabase/functions/get-permissions-snapshot/handler.ts";
import { es256Key } from "../../support/es256.ts";
import { linkOf } from "../../support/mail-link.ts";
import { runAsRoute, startNextCache } from "../../support/next-cache.ts";
import { setUpRedis } from "../../support/redis.ts";
import { setUpEnv, setUpTestDatabase } from "../../support/test-database.ts";

// Someone has copied the cookies of a session: its snapshot is cached, and its token is valid for another 900 s. Auth, the
// function's handler, Redis and the cache of Next.js are real; tokens are signed as a hosted project signs them.

const browsers = { desk: new Map<string, string>(), phone: new Map<string, string>() };
let cookies = browsers.desk;
vi.mock("next/headers", async () => {
  const { headersOf } = await import("../../support/next-headers.ts");
  return headersOf(() => cookies, "Mozilla/5.0 (X11; Linux x86_64) Firefox/133.0");
});
vi.mock("node:timers/promises", () => ({ setTimeout: async () => undefined }));
const state = vi.hoisted(() => ({ afterwards: [] as (() => Promise<void>)[] }));
vi.mock("next/server", () => ({ after: (task: () => Promise<void>) => void state.afterwards.push(task) }));

const [database, { server }, cache] = await Promise.all([setUpTestDatabase(), setUpRedis(), startNextCache()]);
const served = await database.serve();
const hosted = await startHosted(served.NEXT_PUBLIC_SUPABASE_URL);
afterAll(hosted.close);
setUpEnv({
  ...served,
  NEXT_PUBLIC_SUPABASE_URL: hosted.url,
  REDIS_URL: server.url,
  SITE_URL: "http://localhost:3000",
});

// The Auth of the local stack behind an asymmetric key: its tokens are signed with that key on the way out and replaced by the
// originals on the way in. The snapshot function is next to it.
async function startHosted(origin: string) {
  const key = es256Key();
  const issued = new Map<string, string>();
  const port = await ownPort(24_340);
  const url = `http://127.0.0.1:${port}`;
  const state = { requests: 0 };
  const server = serve({
    port,
    hostname: "127.0.0.1",
    overrideGlobalObjects: false,
    fetch: async (request: Request) => {
      const { pathname, search } = new URL(request.url);
      if (pathname.endsWith("/jwks.json")) return Response.json(key.keySet);
      if (pathname.startsWith("/functions/")) {
        state.requests += 1;
        const admin = database.client("service");
        return handle(request, {
          getUser: (token) => createClient(url, served.NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY).auth.getUser(token),
          readSnapshot: async ({ userId: p_user_id, team: p_team_id, campaign: p_campaign_id }) =>
            await admin.rpc("permissions_snapshot", { p_user_id, p_team_id, p_campaign_id }),
        });
      }
      const headers = new Headers(request.headers);
      const [, token = ""] = headers.get("authorization")?.split(" ") ?? [];
      if (issued.has(token)) headers.set("authorization", `Bearer ${issued.get(token)}`);
      const body = request.method === "GET" ? undefined : await request.text();
      const response = await fetch(origin + pathname + search, {
        method: request.method,
        headers,
        ...(body && { body }),
      });
      const text = (await response.text()).replace(/(?<="access_token":")[^"]+/, (own) => {
        const [, claims = ""] = own.split(".");
        const signed = key.token(JSON.parse(Buffer.from(claims, "base64url").toString()));
        issued.set(signed, own);
        return signed;
      });
      const isEmpty = response.status === 204;
      return new Response(isEmpty ? null : text, {
        status: response.status,
        headers: { "content-type": response.headers.get("content-type") ?? "application/json" },
      });
    },
  });
  return { url, state, close: () => void server.close() };
}

const password = "demo-password-1";
let email = "";
let people = 0;
beforeEach(async () => {
  await vi.waitFor(() => drainPending("read"), { timeout: 20_000 }); // the first takes long on a busy machine
  people += 1;
  email = `ends${people}@people.test`;
  cookies = browsers.desk;
  await signUp({ email, password, name: "Ada", next: "/" });
  cookies = browsers.phone;
  await signIn({ email, password });
});
afterEach(() => {
  for (const browser of Object.values(browsers)) browser.clear();
  database.emails.length = 0;
  processWide("attempts", () => new Map()).clear();
});

const read = (session: Session) => runAsRoute(cache, () => routePermissions(session, {}));
const isNobody = { teamAccess: false, permissionKeys: [] };

/** The session in a copy of a browser's cookies, with a cached snapshot. */
async function copied(browser: keyof typeof browsers) {
  cookies = browsers[browser];
  const session = await getSession();
  if (!session) throw new Error("No one is signed in.");
  expect(await read(session)).toEqual(isNobody);
  const { requests } = hosted.state;
  expect(await read(session)).toEqual(isNobody);
  expect(hosted.state.requests).toBe(requests);
  return { session, cookies: new Map(cookies) };
}

const password2 = "another-password-2";

test.each([
  ["startSession", () => startSession(initialFormState, toFormData({ email, password }))],
  ["renewSession", () => renewSession(initialFormState, toFormData({ email, password }))],
  [
    "confirmEmailLink",
    async () => {
      await sendRecovery({ email, next: "/" });
      return confirmEmailLink(initialFormState, toFormData(linkOf(database.emails.at(-1)).fields));
    },
  ],
])("%s records the device", async (_kind, signInAgain) => {
  cookies = browsers.phone;
  cookies.clear();
  await runAsRoute(cache, signInAgain).catch((redirected: unknown) => expect(redirected).toHaveProperty("digest"));
  const session = await getSession();
  await Promise.all(state.afterwards.splice(0).map((task) => task()));
  const stored = "select device from public.session_devices where session_id = $1";
  expect(await database.sql(stored, [session?.sessionId])).toEqual([{ device: "Firefox on Linux" }]);
});

test("a person sees where they are signed in, and signs out one of these, which is refused from the next request on", async () => {
  const phone = await copied("phone");
  const desk = await copied("desk");
  recordDevice(phone.session, "Safari on iPhone");
  await Promise.all(state.afterwards.map((task) => task()));
  const listed = await listSessions(desk.session);
  expect(listed.map(({ id, device }) => [id, device]).sort()).toEqual(
    [
      [phone.session.sessionId, "Safari on iPhone"],
      [desk.session.sessionId, "Firefox on Linux"], // signed up without the action, so it is recorded here
    ].sort(),
  );
  const stranger = { ...desk.session, userId: crypto.randomUUID() };
  expect(await listSessions(stranger)).toEqual([]);
  await endUserSession(stranger, phone.session.sessionId);
  expect(await read(phone.session)).toEqual(isNobody);

  await runAsRoute(cache, () => endOneSession(initialFormState, toFormData({ id: phone.session.sessionId })));
  await expect(read(phone.session)).rejects.toMatchObject({ code: "unauthenticated" });
  cookies = phone.cookies;
  expect(await getLiveSession()).toBeNull();
  cookies = browsers.desk;
  expect(await getLiveSession()).not.toBeNull();
  expect(await listSessions(desk.session)).toMatchObject([{ id: desk.session.sessionId }]);
});
test.each<[string, keyof typeof browsers, () => Promise<unknown>]>([
  [
    "signing out",
    "desk",
    () =>
      endSession(initialFormState, toFormData({ next: "/invitation/abc" })).catch((error: Error) => {
        expect(error).toMatchObject({ digest: expect.stringContaining(";/invitation/abc;") });
        throw error;
      }),
  ],
  ["signing out everywhere else", "phone", () => endOtherSessions(initialFormState, toFormData({}))],
  ["signing out everywhere", "phone", () => endAllSessions(initialFormState, toFormData({}))],
  [
    "changing the password",
    "phone",
    () => savePassword(initialFormState, toFormData({ current: password, password: password2 })),
  ],
  [
    "choosing a password by an emailed link",
    "phone",
    async () => {
      await sendRecovery({ email, next: "/" });
      return resetPassword(
        initialFormState,
        toFormData({ ...linkOf(database.emails[0]).fields, next: "/", password: password2 }),
      );
    },
  ],
])("%s ends what is cached for the session of the %s, from the next request on", async (_what, browser, end) => {
  const copy = await copied(browser);
  cookies = browsers.desk;
  await runAsRoute(cache, () => end().catch((error: Error) => expect(error.message).toBe("NEXT_REDIRECT")));
  await expect(read(copy.session)).rejects.toMatchObject({ code: "unauthenticated" });
  cookies = copy.cookies;
  expect(await getSession()).not.toBeNull(); // its signature is valid
  expect(await getLiveSession()).toBeNull();
});

test("a session that was ended elsewhere can't change anything, and can read for 900 s at most", async () => {
  const { session } = await copied("desk");
  const [, claims = ""] = session.accessToken.split(".");
  const { exp, iat } = JSON.parse(Buffer.from(claims, "base64url").toString());
  expect(exp - iat).toBe(900);
  expect(await getLiveSession()).toEqual(session);
  await database.sql("delete from auth.sessions where id = $1::uuid", [session.sessionId]);
  expect(await getLiveSession()).toBeNull();
});
