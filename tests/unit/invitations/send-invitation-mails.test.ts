import { afterEach, expect, test, vi } from "vitest";
import { sendEmails } from "../../../supabase/functions/_shared/send-emails.ts";

afterEach(() => void vi.useRealTimers());

test("starts no email after a minute, because the last one may take Auth as long", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const started: string[] = [];
  const counts = await sendEmails({
    claim: async () => ({ id: String(started.length), email: "new@people.test" }),
    send: async ({ id }) => {
      started.push(id);
      vi.advanceTimersByTime(29_000);
      return "sent";
    },
    finish: async () => undefined,
  });
  expect([started, counts]).toEqual([["0", "1", "2"], { sent: 3, failed: 0 }]);
});
