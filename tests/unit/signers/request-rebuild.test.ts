import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterEach, expect, test, vi } from "vitest";
import { requestRebuild } from "../../../lib/signers/signers.ts";

const server = setupServer();
server.listen({ onUnhandledFrame: "error" });
afterEach(() => void vi.useRealTimers());

const counts = { read: 4, added: 1, dropped: 2 };
const part = { campaigns: [], changes: 0, left: { campaigns: 1, changes: 0 }, requestNumber: 17 };

// Answers in order, repeating the last one; returns the requests.
function answerWith(...answers: (() => Response)[]) {
  const requests: unknown[] = [];
  server.use(
    http.post("http://supabase.test/functions/v1/sync-signers", async ({ request }) => {
      requests.push(await request.json());
      return answers[Math.min(requests.length, answers.length) - 1]?.();
    }),
  );
  return requests;
}

test("repeats calls with the first one's request until the set is built", async () => {
  const requests = answerWith(
    () => HttpResponse.json(part),
    () => HttpResponse.json(part),
    () => HttpResponse.json({ ...part, campaigns: [{ campaignId: "one", ...counts }] }),
  );
  expect(await requestRebuild("one")).toMatchObject(counts);
  expect(requests).toEqual([
    { campaignId: "one" },
    { campaignId: "one", requestNumber: 17 },
    { campaignId: "one", requestNumber: 17 },
  ]);
});

const refusal = {
  code: "unavailable",
  message: "Couldn't rebuild the duplicate check. Try again in a minute.",
};

test("stops after a failed call", async () => {
  const requests = answerWith(
    () => HttpResponse.json(part),
    () => HttpResponse.json({ error: "no" }, { status: 503 }),
  );
  await expect(requestRebuild("one")).rejects.toMatchObject(refusal);
  expect(requests).toHaveLength(2);
});

test("leaves the rest to the schedule after two minutes", async () => {
  vi.useFakeTimers({ toFake: ["performance"] });
  const requests = answerWith(() => {
    vi.advanceTimersByTime(50_000);
    return HttpResponse.json(part);
  });
  await expect(requestRebuild("one")).rejects.toMatchObject(refusal);
  expect(requests).toHaveLength(3);
});
