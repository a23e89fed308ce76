import { AuthApiError, AuthRetryableFetchError } from "@supabase/supabase-js";
import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import { changeEmail } from "@/lib/auth/account";
import { type Attempt, limitAttempts } from "@/lib/auth/attempts";
import { sendRecovery } from "@/lib/auth/links";
import { AppError, type ErrorCode } from "@/lib/errors";

// The time of an answer, by a fake clock: it doesn't reveal whether an address has an account.

const sends = vi.hoisted(() => vi.fn());
vi.mock("@/lib/supabase/server", () => ({
  createAuthClient: async () => ({ getSession: async () => ({ data: { session: null } }) }),
  createSessionlessAuthClient: async () => ({ resetPasswordForEmail: sends, updateUser: sends }),
}));
vi.mock("@/lib/redis", () => ({ withRedis: () => Promise.reject(new Error("unreachable")) }));
vi.mock("next/headers", async () => {
  const { headersOf } = await import("../../support/next-headers.ts");
  return headersOf(() => new Map());
});
const wait = <Value>(ms: number, value?: Value) =>
  new Promise<Value | undefined>((done) => setTimeout(() => done(value), ms));
vi.mock("node:timers/promises", () => ({ setTimeout: (ms: number) => wait(ms) }));

let log = vi.spyOn(console, "error");
let count = 0;
let email = "";
beforeEach(() => {
  vi.useFakeTimers().setTimerTickMode("nextTimerAsync");
  log = vi.spyOn(console, "error").mockReturnValue();
  email = `noor-${++count}@count.test`;
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function timed(attempt: () => Promise<unknown>) {
  const began = performance.now();
  const result = await attempt().catch((error: AppError) => error.code);
  return { result, tookMs: performance.now() - began };
}

const isState = (end: Attempt["state"] | ErrorCode) =>
  end === "signed-in" || end === "needs-code" || end === "not-signed-in";

test.each<[Parameters<typeof limitAttempts>[0], number, Attempt["state"] | ErrorCode, number]>([
  ["sign-in", 0, "unauthenticated", 500],
  ["sign-in", 140, "unauthenticated", 500],
  ["sign-in", 560, "forbidden", 1_000],
  ["sign-in", 140, "signed-in", 140],
  ["sign-in", 140, "needs-code", 140],
  ["sign-in", 140, "unavailable", 140],
  ["second-factor", 140, "forbidden", 500],
  ["sign-up", 5, "not-signed-in", 2_000],
  ["sign-up", 700, "conflict", 2_000],
  ["sign-up", 5, "invalid", 5],
])("answers a %s that takes %i ms and ends with %j after %i ms", async (kind, tookMs, end, answeredMs) => {
  const attempt = () =>
    limitAttempts(kind, email, async () => {
      await wait(tookMs);
      if (isState(end)) return { state: end };
      throw new AppError(end, "No.");
    }).then(({ state }) => state);
  expect(await timed(attempt)).toEqual({ result: end, tookMs: answeredMs });
});

describe.each([
  ["a new password", () => sendRecovery({ email, next: "/" })],
  ["another address", () => changeEmail({ userId: "u", email, sessionId: "s", accessToken: "t" }, email)],
])("a link for %s", (_what, send) => {
  const answeredMs = { result: undefined, tookMs: 2_000 };

  it.each([5, 700, 5_000])("is answered after 2 s, even when Auth takes %i ms", async (ms) => {
    sends.mockImplementation(() => wait(ms, { error: null }));
    expect(await timed(send)).toEqual(answeredMs);
  });

  it.each([429, 500, 502, 504])(
    "is answered like any other when Auth fails with %i, which is logged",
    async (status) => {
      sends.mockResolvedValue({ error: new AuthApiError("Error sending the email", status, undefined) });
      expect(await timed(send)).toEqual(answeredMs);
      expect(log).toHaveBeenCalledOnce();
    },
  );

  it("is answered before a slow mail server is, whose failure is logged later", async () => {
    sends.mockImplementation(() => wait(3_000, { error: new AuthRetryableFetchError("Aborted", 0) }));
    expect(await timed(send)).toEqual(answeredMs);
    expect(log).not.toHaveBeenCalled();
    await wait(1_001);
    expect(log).toHaveBeenCalledOnce();
  });

  it("is unavailable at once while Auth is unreachable, for every address", async () => {
    sends.mockResolvedValue({ error: new AuthRetryableFetchError("Refused", 0) });
    expect(await timed(send)).toEqual({ result: "unavailable", tookMs: 0 });
  });
});
