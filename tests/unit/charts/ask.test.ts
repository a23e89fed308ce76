import { afterEach, expect, it, vi } from "vitest";
import { recordsAnswer } from "@/components/charts/answers";
import { ask, askForFile } from "@/components/charts/ask";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("a file of many pages has more time than one answer has", async () => {
  const oneMinute = 60_000;
  // As if a minute had passed.
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) =>
    ms < oneMinute ? AbortSignal.abort() : new AbortController().signal,
  );
  vi.stubGlobal("fetch", async (_path: string, { signal }: RequestInit) => {
    signal?.throwIfAborted();
    return new Response("all");
  });
  const file = await askForFile("/records-csv", {});
  expect("body" in file && (await file.body.text())).toBe("all");
  expect(await ask("/records", { schema: async () => recordsAnswer })).toMatchObject({
    error: expect.stringContaining("could not be reached"),
  });
});
