import { AuthApiError, AuthRetryableFetchError } from "@supabase/supabase-js";
import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import { changeEmail } from "@/lib/auth/account";
import { limitAttempts } from "@/lib/auth/attempts";
import { sendRecovery } from "@/lib/auth/links";
import { AppError, type ErrorCode } from "@/lib/errors";

// When attempts are answered, by a clock of our own: the time tells nothing of the address. How many are tried:
// limit-attempts.drill.ts.

const sends = vi.hoisted(() => vi.fn());
vi.mock("@/lib/supabase/server", () => ({
  createAuthClient: async () => ({ getSession: async () => ({ data: { session: null } }) }),
  createSessionlessAuthClient: async () => ({ resetPasswordForEmail: sends, updateUser: sends }),
}));
vi.mock("@/lib/redis", () => ({ withRedis: () => Promise.reject(new Error("away")) }));
vi.mock("next/headers", async () => {
  const { headersOf } = await import("../../support/next-headers.ts");
  return headersOf(() => new Map());
});
const wait = <Value>(ms: number, value?: Value) =>
  new Promise<Value | undefined>((done) => setTimeout(() => done(value), ms));
vi.mock("node:timers/promises", () => ({ setTimeout: (ms: number) => wait(ms) }));

let log = vi.spyOn(console, "error");
let people = 0;
let email = "";
beforeEach(() => {
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", "http://supabase.test");
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
  vi.stubEnv("SUPABASE_SECRET_KEY", "sb_secret_test");
  vi.useFakeTimers().setTimerTickMode("nextTimerAsync");
  log = vi.spyOn(console, "error").mockReturnValue();
  email = `noor-${++people}@people.test`;
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function timed(attempt: () => Promise<unknown>) {
  const began = performance.now();
  const came = await attempt().catch((error: AppError) => error.code);
  return { came, took: performance.now() - began };
}

test.each<[Parameters<typeof limitAttempts>[0], number, boolean | ErrorCode, number]>([
  ["sign-in", 0, "unauthenticated", 500],
  ["sign-in", 140, "unauthenticated", 500],
  ["sign-in", 560, "forbidden", 1_000],
  ["sign-in", 140, true, 140],
  ["sign-in", 140, "unavailable", 140],
  ["second-factor", 140, "forbidden", 500],
  ["sign-up", 5, false, 2_000],
  ["sign-up", 700, "conflict", 2_000],
  ["sign-up", 5, "invalid", 5],
])("%s that takes %i ms and ends with %j is answered after %i ms", async (kind, took, end, answered) => {
  const attempt = () =>
    limitAttempts(kind, email, async () => {
      await wait(took);
      if (typeof end === "string") throw new AppError(end, "No.");
      return end;
    });
  expect(await timed(attempt)).toEqual({ came: end, took: answered });
});

describe.each([
  ["a new password", () => sendRecovery({ email, next: "/" })],
  ["another address", () => changeEmail({ userId: "u", email, sessionId: "s", accessToken: "t" }, email)],
])("a link for %s", (_what, send) => {
  const answered = { came: undefined, took: 2_000 };

  it.each([5, 700, 5_000])("is answered after 2 s, also by an Auth that takes %i ms", async (ms) => {
    sends.mockImplementation(() => wait(ms, { error: null }));
    expect(await timed(send)).toEqual(answered);
  });

  it.each([429, 500, 502, 504])("is answered as any other when it ends with %i, which is logged", async (status) => {
    sends.mockResolvedValue({ error: new AuthApiError("Error sending the e-mail", status, undefined) });
    expect(await timed(send)).toEqual(answered);
    expect(log).toHaveBeenCalledOnce();
  });

  it("is answered before a slow mail server does, whose failure is logged then", async () => {
    sends.mockImplementation(() => wait(3_000, { error: new AuthRetryableFetchError("Aborted", 0) }));
    expect(await timed(send)).toEqual(answered);
    expect(log).not.toHaveBeenCalled();
    await wait(1_001);
    expect(log).toHaveBeenCalledOnce();
  });

  it("is said to be none while Auth is not there, which it is for nobody", async () => {
    sends.mockResolvedValue({ error: new AuthRetryableFetchError("Refused", 0) });
    expect(await timed(send)).toEqual({ came: "unavailable", took: 0 });
  });
});
