import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterEach, describe, expect, it, vi } from "vitest";
import { signIn, signUp } from "@/lib/auth/sign-in";
import { signOut } from "@/lib/auth/sign-out";
import { currentRequest } from "@/lib/log-event";
import { processWide } from "@/lib/process-wide";
import { createSessionClient } from "@/lib/supabase/server";

const cookies = new Map<string, string>();
vi.mock("next/headers", async () => {
  const { headersOf } = await import("../../support/next-headers.ts");
  return headersOf(() => cookies);
});
vi.mock("node:timers/promises", () => ({ setTimeout: async () => undefined }));

const origin = "http://supabase.test";
const server = setupServer();
server.listen({ onUnhandledFrame: "error" });
afterEach(() => {
  server.resetHandlers();
  cookies.clear();
  processWide("attempts", () => new Map()).clear(); // each test is a first attempt
  vi.restoreAllMocks();
});

const session = {
  access_token: `${btoa('{"alg":"HS256"}').replaceAll("=", "")}.${btoa('{"sub":"u","exp":4000000000}').replaceAll("=", "")}.c2ln`,
  refresh_token: "r",
  token_type: "bearer",
  expires_in: 3600,
  user: { id: "00000000-0000-4000-8000-000000000001", email: "ada@demo.test" },
};

const credentials = { email: "ada@demo.test", password: "pass" };
const newcomer = { email: "noor@people.test", password: "long enough", name: "Noor", next: "/invitation/abc" };
const tokenAnswers = (respond: () => Response) => server.use(http.post(`${origin}/auth/v1/token`, respond));

it("signing in sets the session cookies", async () => {
  tokenAnswers(() => HttpResponse.json(session));
  await signIn(credentials);
  expect([...cookies.keys()]).toContain("sb-supabase-auth-token");
});

const attempts = { signIn: () => signIn(credentials), signUp: () => signUp(newcomer) };
it.each<[keyof typeof attempts, number, string, string, RegExp]>([
  ["signIn", 400, "invalid_credentials", "unauthenticated", /Wrong email or password/],
  ["signIn", 400, "email_not_confirmed", "forbidden", /isn't confirmed yet\. Open the link/],
  ["signIn", 429, "over_request_rate_limit", "too-many-requests", /Too many attempts\. Wait/],
  ["signIn", 429, "over_email_send_rate_limit", "too-many-requests", /Too many attempts\. Wait/],
  ["signIn", 400, "user_banned", "forbidden", /blocked\. Ask the person who runs this server/],
  ["signIn", 422, "a_code_of_tomorrow", "unavailable", /isn't working right now/],
  ["signIn", 500, "unexpected_failure", "unavailable", /isn't working right now/],
  ["signUp", 422, "user_already_exists", "conflict", /already has an account\. Sign in/],
  ["signUp", 422, "weak_password", "invalid", /Choose a longer one/],
  ["signUp", 403, "signup_disabled", "forbidden", /can't create an account here\. Ask/],
  ["signUp", 429, "over_email_send_rate_limit", "too-many-requests", /Wait a few minutes/],
  ["signUp", 500, "unexpected_failure", "unavailable", /Couldn't create the account/],
])("%s explains %i %s, and sets no cookie", async (attempt, status, code, error, message) => {
  const refuse = () => HttpResponse.json({ code, error_code: code, msg: "internal words" }, { status });
  server.use(http.post(`${origin}/auth/v1/:kind`, refuse));
  await expect(attempts[attempt]()).rejects.toMatchObject({ code: error, message: expect.stringMatching(message) });
  expect(cookies.size).toBe(0);
});

it("signIn says that it doesn't work while Auth is unreachable", async () => {
  tokenAnswers(() => HttpResponse.error());
  await expect(signIn(credentials)).rejects.toMatchObject({ code: "unavailable" });
  expect(cookies.size).toBe(0);
});

describe("signOut", () => {
  const signInFirst = async () => {
    tokenAnswers(() => HttpResponse.json(session));
    await signIn(credentials);
    cookies.set("theme", "kept").set("searchsvc_token_ny", "a token").set("sb-supabase-auth-token.0", "an old chunk");
  };

  it("ends only this session at Auth, and removes its cookies", async () => {
    await signInFirst();
    const scopes: (string | null)[] = [];
    server.use(
      http.post(`${origin}/auth/v1/logout`, ({ request }) => {
        scopes.push(new URL(request.url).searchParams.get("scope"));
        return new HttpResponse(null, { status: 204 });
      }),
    );
    const setHeader = vi.fn();
    await currentRequest.run({ id: "request-1", response: { setHeader } }, () => signOut());
    expect(setHeader.mock.calls).toEqual([["Clear-Site-Data", '"cache"']]);
    expect(scopes).toEqual(["local"]);
    expect([...cookies.keys()]).not.toContain("sb-supabase-auth-token");
    expect([...cookies.keys()]).not.toContain("searchsvc_token_ny");
    expect(cookies.get("theme")).toBe("kept");
  });

  it("removes the cookies while Auth is unreachable", async () => {
    await signInFirst();
    server.use(http.all(`${origin}/auth/v1/*`, () => HttpResponse.error()));
    const log = vi.spyOn(console, "error").mockReturnValue();
    await signOut();
    expect([...cookies.keys()].sort()).toEqual(["signet_device", "theme"]);
    expect(log).toHaveBeenCalledOnce();
  });
});

describe("createSessionClient", () => {
  const setLongSession = () => {
    const user = { ...session.user, user_metadata: { name: "n".repeat(4_000) } };
    const text = JSON.stringify({ ...session, user, expires_at: 1 });
    const value = `base64-${Buffer.from(text).toString("base64url")}`;
    cookies.set("sb-supabase-auth-token.0", value.slice(0, 3_180));
    cookies.set("sb-supabase-auth-token.1", value.slice(3_180));
  };

  it("removes all cookies of a longer session when a shorter one replaces it", async () => {
    setLongSession();
    tokenAnswers(() => HttpResponse.json(session));
    await (await createSessionClient()).auth.getSession();
    expect([...cookies.keys()]).toEqual(["sb-supabase-auth-token"]);
  });

  it("keeps the cookies of a session that has ended", async () => {
    setLongSession();
    tokenAnswers(() => HttpResponse.json({ error_code: "refresh_token_not_found", msg: "gone" }, { status: 400 }));
    await (await createSessionClient()).auth.getSession();
    expect([...cookies.keys()]).toEqual(["sb-supabase-auth-token.0", "sb-supabase-auth-token.1"]);
  });
});

describe("signUp", () => {
  const signUpAnswers = (respond: (request: Request) => Response | Promise<Response>) =>
    server.use(http.post(`${origin}/auth/v1/signup`, ({ request }) => respond(request)));

  it("sends the name, and sets the session cookies when no confirmation is needed", async () => {
    vi.stubEnv("SITE_URL", "https://signet.test");
    const sent: unknown[] = [];
    signUpAnswers(async (request) => {
      sent.push([new URL(request.url).searchParams.get("redirect_to"), await request.json()]);
      return HttpResponse.json(session);
    });
    server.use(http.get(`${origin}/auth/v1/user`, () => HttpResponse.json(session.user)));
    expect(await signUp(newcomer)).toBe("signed-in");
    expect([...cookies.keys()]).toContain("sb-supabase-auth-token");
    const body = { email: "noor@people.test", password: "long enough", data: { name: "Noor" } };
    expect(sent).toEqual([["https://signet.test/invitation/abc", expect.objectContaining(body)]]);
  });

  it.each([
    ["a new address", [{ id: "1" }]],
    ["an account that Auth only hints at", []],
  ])("asks to confirm %s", async (_what, identities) => {
    signUpAnswers(() => HttpResponse.json({ ...session.user, identities }));
    expect(await signUp(newcomer)).toBe("confirm");
  });
});
