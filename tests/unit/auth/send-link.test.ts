import { AuthApiError, AuthRetryableFetchError } from "@supabase/supabase-js";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { changeEmail } from "@/lib/auth/change-email";
import { sendRecovery } from "@/lib/auth/send-recovery";

// Auth answers as it does where a mail server is slow or fails; the time until then is tried with a clock of our own.

const sends = vi.hoisted(() => vi.fn());
vi.mock("@/lib/supabase/server", () => ({
  createAuthClient: async () => ({ getSession: async () => ({ data: { session: null } }) }),
  createSessionlessAuthClient: async () => ({ resetPasswordForEmail: sends, updateUser: sends }),
}));
vi.mock("@/lib/auth/limit-attempts", () => ({
  limitAttempts: (_kind: string, _email: string, run: () => Promise<boolean>) => run(),
}));
let log = vi.spyOn(console, "error");
beforeEach(() => {
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", "http://supabase.test");
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
  vi.useFakeTimers();
  log = vi.spyOn(console, "error").mockReturnValue();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const ada = { userId: "u", email: "ada@people.test", sessionId: "s", accessToken: "t" };
const email = "noor@people.test";

describe.each([
  ["a new password", () => sendRecovery({ email, next: "/" })],
  ["another address", () => changeEmail(ada, email)],
])("a link for %s", (_what, send) => {
  it.each([429, 500, 502, 504])(
    "is answered as any other when sending it ends with %i, which is logged",
    async (status) => {
      sends.mockResolvedValue({ error: new AuthApiError("Error sending the e-mail", status, undefined) });
      await expect(send()).resolves.toBeUndefined();
      expect(log).toHaveBeenCalledOnce();
    },
  );

  it("is answered before a slow mail server does, whose failure is logged then", async () => {
    const answer = Promise.withResolvers();
    sends.mockReturnValue(answer.promise);
    const sending = send();
    await vi.advanceTimersByTimeAsync(1_999); // the step of its answers
    await expect(sending).resolves.toBeUndefined();
    answer.resolve({ error: new AuthRetryableFetchError("Aborted", 0) });
    await vi.advanceTimersByTimeAsync(0);
    expect(log).toHaveBeenCalledOnce();
  });

  it("is said to be none while Auth is not there, which it is for nobody", async () => {
    sends.mockResolvedValue({ error: new AuthRetryableFetchError("Refused", 0) });
    await expect(send()).rejects.toMatchObject({ code: "unavailable" });
  });
});
