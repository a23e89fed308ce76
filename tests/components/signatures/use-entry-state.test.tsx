import { act, renderHook } from "@testing-library/react";
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { loadQueries } from "@/components/shell/use-query";
import { useEntryState } from "@/components/signatures/entry/use-lines";
import type { EntryState } from "@/lib/signatures/responses";

const place = { team: "riverside", campaign: "clean-water" };
const stateAt = (at: string, accepted: number): EntryState => ({
  at,
  timeZone: "UTC",
  today: "2026-11-03",
  goal: null,
  startsOn: null,
  endsOn: null,
  linesPerSheet: 20,
  districts: null,
  campaign: { accepted },
  sheets: [],
  nextSheet: 13,
  sheet: null,
  lines: [],
  mine: { accepted, duplicates: 0, rejected: 0, lastHour: 0, lastHourSince: null },
});
const initial = stateAt("2026-11-03T12:00:00.000Z", 1);
const fetched = vi.fn<typeof fetch>();

beforeAll(loadQueries);
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => {
  vi.resetAllMocks();
});

const show = (first: { sheet: number; line: number } | null = null) =>
  renderHook(({ at }) => useEntryState(initial, { place, at }), { initialProps: { at: first } });
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test("reads the state once, a second after the last of several lines", async () => {
  const later = stateAt("2026-11-03T12:00:05.000Z", 3);
  fetched.mockImplementation(async () => Response.json({ ...later, here: [] }));
  const { result } = show();
  await wait(2_000);
  expect(fetched).not.toHaveBeenCalled();
  act(() => result.current.refresh());
  await wait(900);
  act(() => result.current.refresh());
  await wait(900);
  expect(fetched).not.toHaveBeenCalled();
  await wait(100);
  // With fake timers still: a timer that was set under them would never run under real ones.
  await vi.waitFor(() => expect(result.current.state).toEqual(later), { timeout: 10_000 });
  expect(fetched.mock.calls.map(([path]) => path)).toEqual([
    "/api/signatures/state?team=riverside&campaign=clean-water",
  ]);
  expect(result.current.readAt).toBeGreaterThan(0);
});

test.each([
  ["an older state", () => Response.json({ ...stateAt("2026-11-03T11:00:00.000Z", 0), here: [] })],
  ["half a state", () => Response.json({ at: "2026-11-03T12:00:05.000Z" })],
  ["a failure", () => Response.json({ error: "Unreachable." }, { status: 503 })],
])("keeps the state after %s", async (_case, respond) => {
  fetched.mockImplementation(async () => respond());
  const { result } = show();
  act(() => result.current.refresh());
  await wait(1_000);
  vi.useRealTimers();
  await act(() => new Promise((later) => setTimeout(later, 200)));
  expect(fetched).toHaveBeenCalledOnce();
  expect(result.current.state).toBe(initial);
});

describe("an open sheet", () => {
  const requests = () => fetched.mock.calls.map(([path]) => String(path).replace(/^.*clean-water/, ""));
  const here = [{ name: "Jun Park", line: 14 }];
  const setVisibility = (state: "visible" | "hidden") => {
    vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  };
  const flush = async () => {
    for (let turn = 0; turn < 20; turn++) await wait(0);
  };
  beforeEach(() => fetched.mockImplementation(async () => Response.json({ ...initial, here })));

  test("reports the clerk's line at once and every 10 s, and shows who else is there", async () => {
    const { result, rerender } = show({ sheet: 12, line: 4 });
    await flush();
    await vi.waitFor(() => expect(result.current.otherClerks).toEqual(here));
    rerender({ at: { sheet: 12, line: 5 } });
    await wait(9_000);
    expect(requests()).toEqual(["&sheet=12&line=4"]);
    await wait(1_000);
    expect(requests()).toEqual(["&sheet=12&line=4", "&sheet=12&line=5"]);
    rerender({ at: { sheet: 13, line: 1 } });
    expect(result.current.otherClerks).toEqual([]);
    rerender({ at: null });
    await wait(60_000);
    expect(requests()).toEqual(["&sheet=12&line=4", "&sheet=12&line=5", "&sheet=13&line=1"]);
    expect(result.current.otherClerks).toEqual([]);
  });

  test("is reported only by a visible tab", async () => {
    show({ sheet: 12, line: 4 });
    await flush();
    setVisibility("hidden");
    await wait(60_000);
    expect(requests()).toHaveLength(1);
    setVisibility("visible");
    await flush();
    expect(requests()).toHaveLength(2);
  });
});
