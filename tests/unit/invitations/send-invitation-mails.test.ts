import { afterEach, expect, test, vi } from "vitest";
import { sendInvitationMails } from "../../../supabase/functions/_shared/send-invitation-mails.ts";

afterEach(() => void vi.useRealTimers());

test("a run begins no e-mail after a minute: Auth may take as long for the last one, and the platform ends a run", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const begun: string[] = [];
  const counts = await sendInvitationMails({
    claim: async () => ({ id: String(begun.length), email: "new@people.test" }),
    send: async ({ id }) => {
      begun.push(id);
      vi.advanceTimersByTime(29_000);
      return "sent";
    },
    finish: async () => undefined,
  });
  expect([begun, counts]).toEqual([["0", "1", "2"], { sent: 3, failed: 0 }]);
});
