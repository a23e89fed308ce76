import { beforeEach, expect, test, vi } from "vitest";
import { exportResponse } from "@/lib/activity/reads";

const state = vi.hoisted(() => ({ afterwards: [] as (() => Promise<void>)[], recorded: [] as unknown[] }));
vi.mock("next/server", () => ({ after: (task: () => Promise<void>) => void state.afterwards.push(task) }));
vi.mock("@/lib/supabase/admin", () => ({
  createAdminClient: () => ({
    rpc: async (_name: string, { p_row_count }: { p_row_count: number }) => {
      state.recorded.push(p_row_count);
      return { data: null, error: null };
    },
  }),
}));
beforeEach(() => Object.assign(state, { afterwards: [], recorded: [] }));

const read = { kind: "register", userId: "u", place: { team: "north", campaign: "lakes" }, filter: {} } as const;
async function* pages(count: number) {
  yield { text: "head\r\n", rowCount: 0 };
  for (let page = 1; page <= count; page++) yield { text: `${page}\r\n`, rowCount: 1_000 };
}
const runAfterwards = async () => {
  for (const task of state.afterwards) await task();
};

test("sends a file in pieces, and records it once with all of its rows after the last piece", async () => {
  const response = exportResponse(pages(3), "Clean water, register", read);
  expect(response.headers.get("content-disposition")).toBe(
    "attachment; filename*=UTF-8''Clean%20water%2C%20register.csv",
  );
  expect(await response.text()).toBe("head\r\n1\r\n2\r\n3\r\n");
  expect(state.recorded).toEqual([]);
  await runAfterwards();
  expect(state.recorded).toEqual([3_000]);
});

test("records the rows that were read of a file whose reader left", async () => {
  const reader = exportResponse(pages(100), "register", read).body?.getReader();
  for (let piece = 0; piece < 3; piece++) await reader?.read();
  await reader?.cancel();
  await runAfterwards();
  // One page may be read ahead of the browser.
  expect([2_000, 3_000]).toContain(state.recorded[0]);
  expect(state.recorded).toHaveLength(1);
});

test("records the rows that were read of a file that broke off", async () => {
  const broken = async function* () {
    yield* pages(2);
    throw new Error("unreachable");
  };
  await expect(exportResponse(broken(), "register", read).text()).rejects.toThrow("unreachable");
  await runAfterwards();
  expect(state.recorded).toEqual([2_000]);
});
