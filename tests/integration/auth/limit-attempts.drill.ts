import { createServer } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { Redis } from "ioredis";
import { HttpResponse, http, passthrough } from "msw";
import { setupServer } from "msw/node";
import { NextRequest } from "next/server";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { guessBudget } from "@/lib/auth/attempts";
import { exchangeCode } from "@/lib/auth/links";
import { signIn, signUp } from "@/lib/auth/sign-in";
import { signOut } from "@/lib/auth/sign-out";
import { refreshSession } from "@/lib/supabase/middleware";
import { startRedis } from "../../../harness/redis-server.ts";
import { encodeSession } from "../../../harness/session.ts";
import { listenNear } from "../../../scripts/local-stack/ports.ts";

const guessCount = guessBudget.freeFailures + 1; // the last of them blocks the address

type Jar = Map<string, { value: string } & Record<string, unknown>>;
const browser = vi.hoisted(() => ({ jar: new Map() as Jar, headers: new Headers() }));
vi.mock("next/headers", () => ({
  cookies: async () => ({
    get: (name: string) => browser.jar.get(name),
    getAll: () => [...browser.jar].map(([name, { value }]) => ({ name, value })),
    set: (name: string, value: string, options: { maxAge?: number } = {}) =>
      options.maxAge === 0 ? browser.jar.delete(name) : browser.jar.set(name, { value, ...options }),
    delete: (name: string) => browser.jar.delete(name),
  }),
  headers: async () => browser.headers,
}));

/** Switches to a new browser, or to one with these cookies. */
function openBrowser(cookies: Record<string, string> = {}) {
  browser.jar = new Map(Object.entries(cookies).map(([name, value]) => [name, { value }]));
  browser.headers = new Headers();
}

// Auth, as far as these tests need it, with the requests that it got.
const origin = "http://auth.test";
const rightPassword = "the right one";
const auth = { tried: [] as string[], headers: [] as Headers[] };
const encode = (text: string) => Buffer.from(text).toString("base64url");
const session = {
  access_token: `${encode('{"alg":"HS256"}')}.${encode('{"sub":"u","exp":4000000000}')}.c2ln`,
  refresh_token: "r",
  token_type: "bearer",
  expires_in: 3600,
  user: { id: "00000000-0000-4000-8000-000000000001", email: "ada@demo.test", identities: [{ id: "1" }] },
};
const refused = (status: number, code: string) => HttpResponse.json({ error_code: code, msg: "words" }, { status });
const server = setupServer(
  http.all("http://127.0.0.1:*", () => passthrough()),
  http.post(`${origin}/auth/v1/token`, async ({ request }) => {
    auth.headers.push(request.headers);
    const { email, password } = JSON.parse(await request.text());
    auth.tried.push(email);
    return password === rightPassword ? HttpResponse.json(session) : refused(400, "invalid_credentials");
  }),
);

let redis: Awaited<ReturnType<typeof startRedis>>;
beforeAll(async () => {
  server.listen({ onUnhandledFrame: "error" });
  redis = await startRedis();
}, 30_000);
afterAll(async () => {
  server.close();
  await redis.close();
});
beforeEach(() => {
  openBrowser();
  Object.assign(auth, { tried: [], headers: [] });
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", origin);
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
  vi.stubEnv("SUPABASE_SECRET_KEY", "sb_secret_test");
  vi.stubEnv("REDIS_URL", redis.url);
});
afterEach(() => {
  server.resetHandlers();
  vi.unstubAllEnvs();
});

let addresses = 0;
const newAddress = () => `person-${++addresses}@demo.test`;
const withRight = (email: string) => signIn({ email, password: rightPassword });
const withWrong = (email: string) => signIn({ email, password: "a guess" });

/** The outcome in words. */
const outcomeOf = (attempt: Promise<unknown>) =>
  attempt.then(
    () => "signed in",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
const wrong = "Wrong email or password. Check both and try again.";
const tooOften = /^Too many attempts\. Try again in (1 second|\d+ seconds)\.$/;

async function times<Result>(count: number, run: () => Promise<Result>) {
  const results: Result[] = [];
  for (let number = 0; number < count; number += 1) results.push(await run());
  return results;
}
const atOnce = <Result>(count: number, run: (number: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, number) => run(number)));

describe.each([
  ["counted in Redis", async () => undefined],
  ["counted in the process, while Redis is unreachable", async () => redis.stop()],
])("sign-in, %s", (_where, arrange) => {
  beforeAll(arrange);

  it(`tries ${guessCount} of 200 at once`, async () => {
    const email = newAddress();
    const answers = await atOnce(200, () => outcomeOf(withWrong(email)));
    expect(answers.filter((answer) => answer === wrong)).toHaveLength(guessCount);
    expect(answers.filter((answer) => tooOften.test(answer))).toHaveLength(200 - guessCount);
    expect(auth.tried).toHaveLength(guessCount);
  }, 20_000);

  it("refuses the right password while blocked, then accepts it and clears the failures", async () => {
    const email = newAddress();
    await atOnce(guessCount, () => outcomeOf(withWrong(email)));
    expect(await outcomeOf(withRight(email.toUpperCase()))).toMatch(tooOften);
    await expect(withRight(email)).rejects.toMatchObject({ code: "too-many-requests", retryAfterSeconds: 2 });
    expect(auth.tried).toHaveLength(guessCount);
    expect(browser.jar.size).toBe(0);
    await wait(2_050);
    expect(await outcomeOf(withRight(email))).toBe("signed in");
    openBrowser();
    expect(await atOnce(guessCount, () => outcomeOf(withWrong(email)))).toEqual(Array(guessCount).fill(wrong));
  }, 20_000);

  it("accepts any number of successes, in one browser and in new ones", async () => {
    const email = newAddress();
    const signInAgain = () => outcomeOf(withRight(email));
    expect(await times(20, signInAgain)).toEqual(Array(20).fill("signed in"));
    const inNewBrowser = () => {
      openBrowser();
      return signInAgain();
    };
    expect(await times(20, inNewBrowser)).toEqual(Array(20).fill("signed in"));
  }, 20_000);

  it("isn't blocked by strangers in a browser that signed in before, which has its own budget", async () => {
    const email = newAddress();
    await withRight(email);
    const device = browser.jar.get("signet_device")?.value ?? "";
    openBrowser();
    await atOnce(guessCount, () => outcomeOf(withWrong(email)));
    expect(await outcomeOf(withRight(email))).toMatch(tooOften);

    openBrowser({ signet_device: device });
    expect(await outcomeOf(withRight(email))).toBe("signed in");
    expect(browser.jar.get("signet_device")?.value).toBe(device);
    const guesses = await atOnce(200, () => outcomeOf(withWrong(email)));
    expect(guesses.filter((guess) => guess === wrong)).toHaveLength(guessCount);
    expect(auth.tried).toHaveLength(1 + guessCount + 1 + guessCount);
  }, 20_000);

  it("refuses device cookies that are made up or belong to another address", async () => {
    const [email, stranger] = [newAddress(), newAddress()];
    await withRight(email);
    const own = browser.jar.get("signet_device")?.value ?? "";
    openBrowser();
    await withRight(stranger);
    const [id = "", mark = ""] = browser.jar.get("signet_device")?.value.split(".") ?? [];
    await atOnce(guessCount, () => outcomeOf(withWrong(email)));
    const altered = `${own.slice(0, -1)}${own.endsWith("A") ? "E" : "A"}`;
    const foreignId = `${id}.${own.split(".")[1]}`;
    for (const cookie of [`${id}.${mark}`, altered, foreignId, "", ".", "x".repeat(9_000), `${id}.${"é".repeat(43)}`]) {
      openBrowser({ signet_device: cookie });
      expect(await outcomeOf(withRight(email)), cookie).toMatch(tooOften);
    }
  }, 20_000);

  it("slows down a client across all addresses, except people in a known browser behind it", async () => {
    vi.stubEnv("TRUSTED_PROXIES", "1");
    const clerk = newAddress();
    await withRight(clerk);
    const device = browser.jar.get("signet_device")?.value ?? "";
    const from = (client: string) => {
      openBrowser();
      browser.headers.set("x-forwarded-for", `198.51.100.${addresses}, ${client}`);
    };
    const net = `2001:db8:${addresses}:1`;
    const guess = () => outcomeOf(withWrong(newAddress()));

    const victim = newAddress();
    from(`${net}::1`);
    const guesses = atOnce(200, guess);
    await vi.waitFor(() => expect(auth.tried.filter((email) => email !== clerk)).toHaveLength(31), { timeout: 10_000 });
    from(`${net}:ffff:ffff:ffff:ffff`);
    expect(await outcomeOf(withRight(victim))).toMatch(tooOften);
    // A refused attempt doesn't block the address for others.
    for (const result of await atOnce(20, () => outcomeOf(withWrong(victim)))) expect(result).toMatch(tooOften);
    expect((await guesses).filter((guess) => guess === wrong)).toHaveLength(31);
    from(`2001:db8:${addresses}:2::1`);
    expect(await atOnce(guessCount, () => outcomeOf(withWrong(victim)))).toEqual(Array(guessCount).fill(wrong));

    from(`${net}::1`);
    browser.jar.set("signet_device", { value: device });
    expect(await outcomeOf(withRight(clerk))).toBe("signed in");
  }, 20_000);

  it("doesn't count the successes of an office as one client's attempts", async () => {
    vi.stubEnv("TRUSTED_PROXIES", "1");
    browser.headers.set("x-forwarded-for", "203.0.113.80");
    expect(await times(60, () => outcomeOf(withRight(newAddress())))).toEqual(Array(60).fill("signed in"));
  });

  it("sends an address one link a minute, and doesn't reveal whether it is known", async () => {
    const emails: string[] = [];
    const [known, unknown] = [newAddress(), newAddress()];
    server.use(
      http.post(`${origin}/auth/v1/signup`, async ({ request }) => {
        const { email } = JSON.parse(await request.text());
        emails.push(email);
        return HttpResponse.json({ ...session.user, identities: email === known ? [] : [{ id: "1" }] });
      }),
    );
    const signUpAs = (email: string) =>
      signUp({ email, password: "long enough", name: "Noor", next: "/" }).then(String, String);
    expect(await Promise.all([signUpAs(known), signUpAs(unknown)])).toEqual(["confirm", "confirm"]);
    for (const came of await Promise.all([signUpAs(known), signUpAs(unknown)])) {
      expect(came).toMatch(/^AppError: Too many attempts\. Try again in 5\d seconds\.$/);
    }
    expect(emails.sort()).toEqual([known, unknown].sort());
  }, 20_000);
});

it("a sign-up that reveals nothing about the address isn't counted", async () => {
  const email = newAddress();
  server.use(
    http.post(`${origin}/auth/v1/signup`, async ({ request }) =>
      JSON.parse(await request.text()).password === "password"
        ? refused(422, "weak_password")
        : HttpResponse.json(session),
    ),
    http.get(`${origin}/auth/v1/user`, () => HttpResponse.json(session.user)),
  );
  const signUpWith = (password: string) => outcomeOf(signUp({ email, password, name: "Noor", next: "/" }));
  expect(await signUpWith("password")).toMatch(/too easy to guess/);
  expect(await signUpWith("long enough")).toBe("signed in");
});

describe("Auth that hangs", () => {
  const hangs = createServer(() => undefined);
  let port: number;
  beforeAll(async () => {
    port = await listenNear(hangs);
  });
  afterAll(() => {
    hangs.closeAllConnections();
    hangs.close();
  });

  it("is waited for 8 s, and doesn't count as a failure of the person", async () => {
    const email = newAddress();
    await withRight(email);
    const held = Object.fromEntries([...browser.jar].map(([name, { value }]) => [name, value]));
    openBrowser();
    vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", `http://127.0.0.1:${port}`);
    const log = vi.spyOn(console, "error").mockReturnValue();
    const timed = async (attempt: Promise<unknown>) => {
      const begin = performance.now();
      const words = await outcomeOf(attempt);
      expect(performance.now() - begin).toBeLessThan(9_500);
      return words;
    };
    const attempts = Array.from({ length: guessCount }, () => timed(withRight(email)));
    const signingUp = timed(signUp({ email: newAddress(), password: "long enough", name: "Noor", next: "/" }));
    await wait(50);
    // An expired session of this Auth would be refreshed before it ends.
    const expired = encodeSession({ ...session, expires_at: 1 });
    openBrowser({ ...held, "sb-127-auth-token": expired, "sb-127-auth-token-code-verifier": '"verifier/PKCE"' });
    const signingOut = timed(signOut());
    const exchanging = exchangeCode("a-code");
    for (const words of await Promise.all(attempts)) {
      expect(words).toMatch(/Signing in isn't working right now. Your password wasn't checked/);
    }
    expect(await signingUp).toMatch(/Couldn't create the account/);
    await signingOut;
    expect([...browser.jar.keys()]).not.toContain("sb-127-auth-token");
    expect(await exchanging).toBe("unavailable");
    expect(log).toHaveBeenCalled();

    openBrowser();
    vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", origin);
    expect(await atOnce(guessCount, () => outcomeOf(withWrong(email)))).toEqual(Array(guessCount).fill(wrong));
  }, 60_000);
});

it.each([
  ["1", "203.0.113.7", "sb_secret_test"],
  ["0", null, "sb_publishable_test"],
])("with TRUSTED_PROXIES=%s Auth gets the address of the client: %s", async (proxies, client, apikey) => {
  vi.stubEnv("TRUSTED_PROXIES", proxies);
  browser.headers.set("x-forwarded-for", "203.0.113.7");
  browser.headers.set("sb-forwarded-for", "203.0.113.9");
  await withRight(newAddress());
  expect(auth.headers.map((sent) => [sent.get("sb-forwarded-for"), sent.get("apikey")])).toEqual([[client, apikey]]);
});

it("a refresh passes on the address of the client, and hides an older session from scripts", async () => {
  vi.stubEnv("TRUSTED_PROXIES", "1");
  vi.stubEnv("SITE_URL", "https://signet.test");
  const expired = encodeSession({ ...session, expires_at: 1 });
  const headers = { cookie: `sb-auth-auth-token=${expired}`, "x-forwarded-for": "203.0.113.7" };
  server.use(
    http.post(`${origin}/auth/v1/token`, ({ request }) => {
      auth.headers.push(request.headers);
      return HttpResponse.json({ ...session, access_token: session.access_token.replace(/..$/, "AA") });
    }),
  );
  const { response } = await refreshSession(new NextRequest("https://signet.test/login", { headers }));
  expect(response.cookies.getAll()).toEqual([
    expect.objectContaining({ name: "sb-auth-auth-token", httpOnly: true, sameSite: "lax", path: "/", secure: true }),
  ]);
  expect(auth.headers.map((sent) => [sent.get("sb-forwarded-for"), sent.get("apikey")])).toEqual([
    ["203.0.113.7", "sb_secret_test"],
  ]);
});

describe("cookies", () => {
  it.each([
    ["https://signet.test", true],
    ["http://localhost:3000", false],
  ])("of %s are hidden from scripts, and Secure: %s", async (siteUrl, secure) => {
    vi.stubEnv("SITE_URL", siteUrl);
    const email = newAddress();
    await withRight(email);
    server.use(
      http.post(`${origin}/auth/v1/signup`, () => HttpResponse.json({ ...session.user, identities: [{ id: "1" }] })),
    );
    await signUp({ email: newAddress(), password: "long enough", name: "Noor", next: "/" });
    expect([...browser.jar.keys()].toSorted()).toEqual(["sb-auth-auth-token", "signet_device"]);
    for (const cookie of browser.jar.values()) {
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: "lax", path: "/", secure });
    }
    expect(browser.jar.get("signet_device")).toMatchObject({ maxAge: 365 * 24 * 60 * 60 });
  });

  it("remember the last ten people of a browser", async () => {
    const people = Array.from({ length: 12 }, newAddress);
    for (const email of people) await withRight(email);
    const cookie = browser.jar.get("signet_device")?.value ?? "";
    expect(cookie.length).toBeLessThan(500);
    const answers = [];
    for (const email of people) {
      openBrowser();
      await atOnce(guessCount, () => outcomeOf(withWrong(email))); // from here on an unknown browser waits for 2 s
      openBrowser({ signet_device: cookie });
      answers.push(await outcomeOf(withRight(email)));
    }
    expect(answers.map((outcome) => outcome === "signed in")).toEqual([
      ...Array(2).fill(false),
      ...Array(10).fill(true),
    ]);
  }, 20_000);
});

it("Redis holds no address, and what it holds expires", async () => {
  await redis.restart();
  const control = new Redis(redis.url);
  const isCounted = async () => {
    await outcomeOf(withWrong("ada@demo.test"));
    expect(await control.keys("*")).toEqual([expect.stringMatching(/^attempts:sign-in:address:[\w-]{43}$/)]);
  };
  await vi.waitFor(isCounted, { timeout: 5_000, interval: 500 });
  const [key = ""] = await control.keys("*");
  expect(await control.ttl(key)).toBeGreaterThan(3_590);
  control.disconnect();
}, 20_000);
