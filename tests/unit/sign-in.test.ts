import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { signIn } from "@/lib/auth/sign-in";
import { signOut } from "@/lib/auth/sign-out";

const cookies = new Map<string, string>();
vi.mock("next/headers", () => ({
  cookies: async () => ({
    getAll: () => [...cookies].map(([name, value]) => ({ name, value })),
    set: (name: string, value: string, { maxAge }: { maxAge?: number } = {}) =>
      maxAge === 0 ? cookies.delete(name) : cookies.set(name, value),
    delete: (name: string) => cookies.delete(name),
  }),
}));

const origin = "http://auth.test";
const server = setupServer();
beforeAll(() => server.listen({ onUnhandledFrame: "error" }));
afterAll(() => server.close());
beforeEach(() => {
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", origin);
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
});
afterEach(() => {
  server.resetHandlers();
  cookies.clear();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const session = {
  access_token: `${btoa('{"alg":"HS256"}')}.${btoa('{"sub":"u","exp":4000000000}')}.c2ln`,
  refresh_token: "r",
  token_type: "bearer",
  expires_in: 3600,
  user: { id: "00000000-0000-4000-8000-000000000001", email: "ada@demo.test" },
};

const credentials = { email: "ada@demo.test", password: "pass" };
const tokenAnswers = (respond: () => Response) => server.use(http.post(`${origin}/auth/v1/token`, respond));

describe("signIn", () => {
  it("sets the session cookies", async () => {
    tokenAnswers(() => HttpResponse.json(session));
    await signIn(credentials);
    expect([...cookies.keys()]).toContain("sb-auth-auth-token");
  });

  it.each([
    [400, "invalid_credentials", "unauthenticated", /address or the password is wrong/],
    [400, "email_not_confirmed", "forbidden", /not confirmed yet\. Open the link/],
    [429, "over_request_rate_limit", "too-many-requests", /Too many attempts\. Wait/],
    [429, "over_email_send_rate_limit", "too-many-requests", /Too many attempts\. Wait/],
    [400, "user_banned", "forbidden", /blocked\. Ask an administrator/],
    [422, "a_code_of_tomorrow", "unavailable", /does not work right now/],
    [500, "unexpected_failure", "unavailable", /does not work right now/],
  ])("%i %s: says so, and sets no cookie", async (status, code, error, message) => {
    tokenAnswers(() => HttpResponse.json({ code, error_code: code, msg: "internal words" }, { status }));
    await expect(signIn(credentials)).rejects.toMatchObject({ code: error, message: expect.stringMatching(message) });
    expect(cookies.size).toBe(0);
  });

  it("says that it does not work while Auth is away", async () => {
    tokenAnswers(() => HttpResponse.error());
    await expect(signIn(credentials)).rejects.toMatchObject({ code: "unavailable" });
    expect(cookies.size).toBe(0);
  });
});

describe("signOut", () => {
  const signInFirst = async () => {
    tokenAnswers(() => HttpResponse.json(session));
    await signIn(credentials);
    cookies.set("theme", "kept").set("sb-auth-auth-token.0", "an old chunk");
  };

  it("ends this session at Auth, not those of other browsers, and removes its cookies", async () => {
    await signInFirst();
    const scopes: (string | null)[] = [];
    server.use(
      http.post(`${origin}/auth/v1/logout`, ({ request }) => {
        scopes.push(new URL(request.url).searchParams.get("scope"));
        return new HttpResponse(null, { status: 204 });
      }),
    );
    await signOut();
    expect(scopes).toEqual(["local"]);
    expect([...cookies.keys()]).not.toContain("sb-auth-auth-token");
    expect(cookies.get("theme")).toBe("kept");
  });

  it("removes the cookies while Auth is away too", async () => {
    await signInFirst();
    server.use(http.post(`${origin}/auth/v1/logout`, () => HttpResponse.error()));
    const log = vi.spyOn(console, "error").mockReturnValue();
    await signOut();
    expect([...cookies.keys()]).toEqual(["theme"]);
    expect(log).toHaveBeenCalledOnce();
  });
});
