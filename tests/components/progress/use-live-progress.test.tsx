import { act, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { FreshnessText } from "@/components/progress/campaign-overview";
import { useLiveProgress } from "@/components/progress/use-live-progress";
import { loadQueries } from "@/components/shell/use-query";
import type { ProgressResponse } from "@/lib/progress/responses";
import { campaignCounts } from "../../support/campaign-counts.ts";

const router = vi.hoisted(() => ({ refresh: vi.fn() }));
vi.mock("next/navigation", () => ({ useRouter: () => router }));

const place = { team: "north", campaign: "lakes" };
const counted = (version: string, accepted: number): ProgressResponse => ({
  version,
  pageVersion: "settings",
  progress: campaignCounts([], { goal: 500, accepted, entered: accepted, collected: accepted }),
  work: null,
});
const fetched = vi.fn<(path: string, init: RequestInit) => Promise<Response>>();
let seen: DocumentVisibilityState = "visible";

// What the page loads later is loaded by the real clock.
beforeAll(() => Promise.all([import("@/lib/http/error-body"), import("@/lib/progress/responses")]));
beforeAll(loadQueries);
beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse("2026-11-22T12:00:00Z") });
  vi.stubGlobal("fetch", fetched);
  fetched.mockImplementation(async () => new Response(null, { status: 304 }));
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => seen);
});
afterEach(() => {
  seen = "visible";
  vi.resetAllMocks();
});

function Shown({ initial }: { initial: ProgressResponse }) {
  const { progress, freshness } = useLiveProgress(place, initial);
  return (
    <>
      <p title="count">{progress.accepted}</p>
      <FreshnessText {...freshness} />
    </>
  );
}
const count = () => screen.getByTitle("count").textContent;
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const requests = () =>
  fetched.mock.calls.map(([path, { method, headers }]) => [method, path, new Headers(headers).get("if-none-match")]);

test("asks for newer numbers at once and then every 4 s", async () => {
  render(<Shown initial={counted("v1", 10)} />);
  await wait(1_000);
  expect(screen.getByText("Updated just now")).toBeDefined();
  fetched.mockImplementation(async () => Response.json(counted("v2", 11)));
  await wait(3_100);
  expect(count()).toBe("11");
  await wait(4_000);
  const path = "/api/progress?team=north&campaign=lakes";
  expect(requests()).toEqual([
    ["GET", path, '"v1"'],
    ["GET", path, '"v1"'],
    ["GET", path, '"v2"'],
  ]);
});

test("asks nothing in a hidden tab, and asks at once when it is visible again", async () => {
  render(<Shown initial={counted("v1", 10)} />);
  await wait(100);
  seen = "hidden";
  await wait(60_000);
  expect(fetched).toHaveBeenCalledTimes(1);
  seen = "visible";
  document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  await wait(0);
  expect(fetched).toHaveBeenCalledTimes(2);
});

test("asks one question at a time, and none after the page is left", async () => {
  fetched.mockImplementation(() => new Promise(() => undefined));
  const { unmount } = render(<Shown initial={counted("v1", 10)} />);
  await wait(9_000);
  expect(fetched).toHaveBeenCalledTimes(1);
  unmount();
  await wait(60_000);
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(fetched.mock.calls[0]?.[1].signal?.aborted).toBe(true);
});

test("keeps the numbers after a failure and says how old they are, until they are read again", async () => {
  render(<Shown initial={counted("v1", 10)} />);
  await wait(100);
  fetched.mockImplementation(() => Promise.reject(new TypeError("Failed to fetch")));
  await wait(8_000);
  expect(count()).toBe("10");
  expect(screen.getByRole("status").textContent).toBe(
    "Not updated since 12:00 PM. Couldn't reach Signet. Check your connection and try again.",
  );
  fetched.mockImplementation(async () => Response.json(counted("v2", 12)));
  await wait(4_000);
  expect([count(), screen.getByRole("status").textContent]).toEqual(["12", ""]);
});

test("shows the numbers of a page that is rendered again", async () => {
  const { rerender } = render(<Shown initial={counted("v1", 10)} />);
  await wait(100);
  rerender(<Shown initial={counted("v3", 15)} />);
  expect(count()).toBe("15");
  await wait(4_000);
  expect(requests().at(-1)?.[2]).toBe('"v3"');
});

test("renders the page again, once, if what it shows around the numbers has changed", async () => {
  const { rerender } = render(<Shown initial={counted("v1", 10)} />);
  const { progress, ...rest } = counted("v2", 11);
  fetched.mockImplementation(async () => Response.json({ ...rest, progress }));
  await wait(4_000);
  expect(router.refresh).not.toHaveBeenCalled();
  const checked = { lines: 20, errors: 1 };
  fetched.mockImplementation(async () => Response.json({ ...rest, version: "v3", progress: { ...progress, checked } }));
  await wait(8_000);
  expect(router.refresh).toHaveBeenCalledOnce();
  rerender(<Shown initial={{ ...rest, version: "v3", progress: { ...progress, checked } }} />);
  fetched.mockImplementation(async () =>
    Response.json({ ...rest, version: "v4", pageVersion: "renamed", progress: { ...progress, checked } }),
  );
  await wait(8_000);
  expect(router.refresh).toHaveBeenCalledTimes(2);
});
