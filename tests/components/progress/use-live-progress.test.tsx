import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { FreshnessText } from "@/components/progress/campaign-overview";
import { useLiveProgress } from "@/components/progress/use-live-progress";
import { loadQueries } from "@/components/shell/use-query";
import type { ProgressAnswer } from "@/lib/progress/answers";

const place = { team: "north", campaign: "lakes" };
const counted = (version: string, accepted: number): ProgressAnswer => ({
  version,
  progress: {
    ...{ today: "2026-11-22", goal: 500, startsOn: null, endsOn: null, archivedAt: null, teams: 1, days: [] },
    ...{ accepted, entered: accepted, duplicates: 0, collected: accepted, own: { accepted, entered: accepted } },
  },
  work: null,
});
const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();
let seen: DocumentVisibilityState = "visible";

// What comes after the page comes by the real clock.
beforeAll(() => Promise.all([import("@/lib/http/error-body"), import("@/lib/progress/answers")]));
beforeAll(loadQueries);
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-22T12:00:00Z") });
  vi.stubGlobal("fetch", fetched);
  fetched.mockImplementation(async () => new Response(null, { status: 304 }));
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => seen);
});
afterEach(() => {
  cleanup();
  seen = "visible";
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.resetAllMocks();
});

function Shown({ given }: { given: ProgressAnswer }) {
  const { progress, freshness } = useLiveProgress(place, given);
  return (
    <>
      <p title="count">{progress.accepted}</p>
      <FreshnessText {...freshness} />
    </>
  );
}
const count = () => screen.getByTitle("count").textContent;
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const asked = () =>
  fetched.mock.calls.map(([path, { method, headers }]) => [method, path, new Headers(headers).get("if-none-match")]);

test("it asks at once and every 4 s for newer numbers", async () => {
  render(<Shown given={counted("v1", 10)} />);
  await pass(1_000);
  expect(screen.getByText("Updated just now")).toBeDefined();
  fetched.mockImplementation(async () => Response.json(counted("v2", 11)));
  await pass(3_100);
  expect(count()).toBe("11");
  await pass(4_000);
  const path = "/api/progress?team=north&campaign=lakes";
  expect(asked()).toEqual([
    ["GET", path, '"v1"'],
    ["GET", path, '"v1"'],
    ["GET", path, '"v2"'],
  ]);
});

test("a hidden tab asks nothing, and asks at once when it is visible again", async () => {
  render(<Shown given={counted("v1", 10)} />);
  await pass(100);
  seen = "hidden";
  await pass(60_000);
  expect(fetched).toHaveBeenCalledTimes(1);
  seen = "visible";
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  await pass(0);
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("one question at a time, and none after the page is gone", async () => {
  fetched.mockImplementation(() => new Promise(() => undefined));
  const { unmount } = render(<Shown given={counted("v1", 10)} />);
  await pass(9_000);
  expect(fetched).toHaveBeenCalledTimes(1);
  unmount();
  await pass(60_000);
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(fetched.mock.calls[0]?.[1].signal?.aborted).toBe(true);
});

test("a failure keeps the numbers and says since when they are old, until they are read again", async () => {
  render(<Shown given={counted("v1", 10)} />);
  await pass(100);
  fetched.mockImplementation(() => Promise.reject(new TypeError("Failed to fetch")));
  await pass(8_000);
  expect(count()).toBe("10");
  expect(screen.getByRole("status").textContent).toBe(
    "Not updated since 12:00 PM. Couldn't reach Signet. Check your connection and try again.",
  );
  fetched.mockImplementation(async () => Response.json(counted("v2", 12)));
  await pass(4_000);
  expect([count(), screen.getByRole("status").textContent]).toEqual(["12", ""]);
});

test("a page that is rendered again shows what it is given", async () => {
  const { rerender } = render(<Shown given={counted("v1", 10)} />);
  await pass(100);
  rerender(<Shown given={counted("v3", 15)} />);
  expect(count()).toBe("15");
  await pass(4_000);
  expect(asked().at(-1)?.[2]).toBe('"v3"');
});
