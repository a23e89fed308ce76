import { act, cleanup, renderHook, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Found, useNearMatches } from "@/components/voters/use-voter-search";
import type { Voter } from "@/lib/voters/read-hit";
import { extraParams, noTexts } from "@/lib/voters/voter-query";

const source = { path: "/api/essearch-common", extras: extraParams } as const;
const jon: Voter = { voterId: "WA-1", lastName: "Smith", firstName: "Jon" };
let searches = 0;
const foundFor = (lastName: string, ...voters: Voter[]): Found => ({
  id: ++searches,
  query: { texts: { ...noTexts, lastName }, order: { column: "lastName", descending: false }, from: 0 },
  answer: { body: { voters, unreadable: 0, hitsCount: voters.length, totalHits: voters.length } },
});

type Sent = { params: Record<string, unknown>; signal: AbortSignal; answer: (persons: object[] | null) => void };
let sent: Sent[] = [];
beforeEach(() => {
  sent = [];
  vi.stubGlobal("fetch", (_path: string, init: RequestInit) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const { params } = JSON.parse(String(init.body));
    const answer = (persons: object[] | null) =>
      resolve(
        persons
          ? Response.json({ persons, hitsCount: persons.length, totalHits: persons.length })
          : Response.json({ error: "The voter search returned an error." }, { status: 502 }),
      );
    if (init.signal) sent.push({ params, signal: init.signal, answer });
    return promise;
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

type Props = { found: Found | null; moved?: boolean };
const show = (initialProps: Props) =>
  renderHook(({ found, moved = false }: Props) => useNearMatches(source, found, moved), {
    initialProps,
  });
const asked = async (times: number) => waitFor(() => expect(sent).toHaveLength(times));
const answer = (index: number, persons: object[] | null) => act(async () => sent[index]?.answer(persons));

test("few hits: asks once more for those who are similar, and leaves out whom the search has found", async () => {
  const { result } = show({ found: foundFor("smith", jon) });
  expect(result.current).toEqual({ voters: [], waiting: true, failed: false });
  await asked(1);
  expect(sent[0]?.params).toEqual({ lastName: "smith", order: "lastName", queryFrom: 0, querySize: 25, similar: true });
  await answer(0, [
    { voterId: "WA-2", lastName: "Smyth", match: "sounds like" },
    { _id: "WA-1", match: "similar" },
  ]);
  await waitFor(() => expect(result.current.waiting).toBe(false));
  expect(result.current.voters).toMatchObject([{ voterId: "WA-2", match: "sounds like" }]);
  expect(result.current.failed).toBe(false);
});

test("when the query moves on the question is aborted, and its answer belongs to nobody else", async () => {
  const first = foundFor("smtih");
  const { result, rerender } = show({ found: first });
  await asked(1);
  rerender({ found: first, moved: true });
  expect(sent[0]?.signal.aborted).toBe(true);
  rerender({ found: foundFor("jonse") });
  await answer(0, [{ voterId: "WA-2" }]);
  await asked(2);
  expect(result.current).toEqual({ voters: [], waiting: true, failed: false });
  await answer(1, [{ voterId: "WA-3", match: "similar" }]);
  await waitFor(() => expect(result.current.voters).toMatchObject([{ voterId: "WA-3" }]));
});

test("those of the answer before stay while a newer one is under way, as its hits do", async () => {
  const first = foundFor("smtih");
  const { result, rerender } = show({ found: first });
  await asked(1);
  await answer(0, [{ voterId: "WA-2", match: "similar" }]);
  await waitFor(() => expect(result.current.voters).toHaveLength(1));
  const { voters } = result.current;
  rerender({ found: first, moved: true });
  expect(result.current.voters).toBe(voters);
  rerender({ found: foundFor("jonse") });
  expect(result.current.voters).toEqual([]);
});

test("a failure is told, and has nobody", async () => {
  const { result } = show({ found: foundFor("smtih") });
  await asked(1);
  await answer(0, null);
  await waitFor(() => expect(result.current).toEqual({ voters: [], waiting: false, failed: true }));
});
