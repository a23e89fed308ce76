// @vitest-environment jsdom
import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useEntryState } from "@/components/signatures/use-entry-state";
import type { EntryState } from "@/lib/signatures/answers";

const place = { team: "riverside", campaign: "clean-water" };
const stateAt = (at: string, accepted: number): EntryState => ({
  ...{ at, timeZone: "UTC", today: "2026-11-03", goal: null, startsOn: null, endsOn: null },
  ...{ linesPerSheet: 20, campaign: { accepted }, days: [], sheets: [], sheet: null, lines: [] },
  mine: { accepted, duplicates: 0, rejected: 0, lastHour: 0, lastHourSince: null },
});
const initial = stateAt("2026-11-03T12:00:00.000Z", 1);
const fetched = vi.fn<typeof fetch>();
const onRead = vi.fn();

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  vi.stubGlobal("fetch", fetched);
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

const show = () => renderHook(() => useEntryState(initial, { place, onRead })).result;
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test("it is read again once, a second after the last of several lines", async () => {
  const later = stateAt("2026-11-03T12:00:05.000Z", 3);
  fetched.mockImplementation(async () => Response.json(later));
  const result = show();
  await wait(2_000);
  expect(fetched).not.toHaveBeenCalled();
  act(() => result.current.refresh());
  await wait(900);
  act(() => result.current.refresh());
  await wait(900);
  expect(fetched).not.toHaveBeenCalled();
  await wait(100);
  vi.useRealTimers();
  await waitFor(() => expect(result.current.state).toEqual(later));
  expect(fetched.mock.calls.map(([path]) => path)).toEqual([
    "/api/signatures/state?team=riverside&campaign=clean-water",
  ]);
  expect(onRead.mock.calls).toEqual([[later, expect.any(Number)]]);
});

test.each([
  ["an older state", () => Response.json(stateAt("2026-11-03T11:00:00.000Z", 0))],
  ["half a state", () => Response.json({ at: "2026-11-03T12:00:05.000Z" })],
  ["a failure", () => Response.json({ error: "Away." }, { status: 503 })],
])("%s changes nothing", async (_case, respond) => {
  fetched.mockImplementation(async () => respond());
  const result = show();
  act(() => result.current.refresh());
  await wait(1_000);
  vi.useRealTimers();
  await act(() => new Promise((later) => setTimeout(later, 200)));
  expect(fetched).toHaveBeenCalledOnce();
  expect(result.current.state).toBe(initial);
});
