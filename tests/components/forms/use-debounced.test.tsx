import { renderHook } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { useDebounced } from "@/components/forms/use-debounced";

beforeEach(() => vi.useFakeTimers());

const run = vi.fn<(key: unknown) => void>();
const show = (first: unknown) => {
  run.mockReset();
  return renderHook(({ key }) => useDebounced(key, () => run(key), 200), { initialProps: { key: first } });
};

test("runs the last of several keys once, after the pause", () => {
  const { rerender } = show("a");
  vi.advanceTimersByTime(199);
  rerender({ key: "b" });
  rerender({ key: "b" });
  vi.advanceTimersByTime(199);
  expect(run).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(run.mock.calls.map(([key]) => key)).toEqual(["b"]);
  vi.advanceTimersByTime(1_000);
  expect(run).toHaveBeenCalledOnce();
});

test("runs nothing for null or after leaving", () => {
  const { rerender, unmount } = show(null);
  vi.advanceTimersByTime(1_000);
  rerender({ key: "a" });
  unmount();
  vi.advanceTimersByTime(1_000);
  expect(run).not.toHaveBeenCalled();
});
