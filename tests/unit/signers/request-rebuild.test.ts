import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { requestRebuild } from "../../../lib/signers/signers.ts";

const server = setupServer();
beforeAll(() => {
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_URL", "http://supabase.test");
  vi.stubEnv("NEXT_PUBLIC_SUPABASE_PUBLISHABLE_KEY", "sb_publishable_test");
  vi.stubEnv("SUPABASE_SECRET_KEY", "sb_secret_test");
  server.listen({ onUnhandledFrame: "error" });
});
afterEach(() => void vi.useRealTimers());
afterAll(() => {
  server.close();
  vi.unstubAllEnvs();
});

const counts = { read: 4, added: 1, dropped: 2 };
const part = { campaigns: [], notes: 0, left: { campaigns: 1, notes: 0 }, asked: 17 };

// Answers one after another, the last one again and again; gives what was asked.
function answerWith(...answers: (() => Response)[]) {
  const asked: unknown[] = [];
  server.use(
    http.post("http://supabase.test/functions/v1/sync-signers", async ({ request }) => {
      asked.push(await request.json());
      return answers[Math.min(asked.length, answers.length) - 1]?.();
    }),
  );
  return asked;
}

test("calls go on with what the first one asked for, until the set is built", async () => {
  const asked = answerWith(
    () => HttpResponse.json(part),
    () => HttpResponse.json(part),
    () => HttpResponse.json({ ...part, campaigns: [{ campaignId: "one", ...counts }] }),
  );
  expect(await requestRebuild("one")).toMatchObject(counts);
  expect(asked).toEqual([{ campaignId: "one" }, { campaignId: "one", asked: 17 }, { campaignId: "one", asked: 17 }]);
});

const refusal = {
  code: "unavailable",
  message: "Couldn't rebuild the duplicate check. Try again in a minute.",
};

test("a call that fails is the last one", async () => {
  const asked = answerWith(
    () => HttpResponse.json(part),
    () => HttpResponse.json({ error: "no" }, { status: 503 }),
  );
  await expect(requestRebuild("one")).rejects.toMatchObject(refusal);
  expect(asked).toHaveLength(2);
});

test("after two minutes it is left to the schedule", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const asked = answerWith(() => {
    vi.advanceTimersByTime(50_000);
    return HttpResponse.json(part);
  });
  await expect(requestRebuild("one")).rejects.toMatchObject(refusal);
  expect(asked).toHaveLength(3);
});
