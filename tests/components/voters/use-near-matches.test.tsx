import { act, renderHook, waitFor } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { type Found, useNearMatches } from "@/components/voters/use-voter-search";
import { emptyFields, extraParams } from "@/lib/voters/voter-query";

const source = { path: "/api/essearch-common", extraParams } as const;
let searches = 0;
const foundFor = (lastName: string): Found => ({
  id: ++searches,
  query: { fields: { ...emptyFields, lastName }, order: { column: "lastName", descending: false }, from: 0 },
  response: { body: { voters: [], unreadable: 0, hitsCount: 0, totalHits: 0 } },
});

let sent: { signal: AbortSignal; response: (persons: object[]) => void }[] = [];
beforeEach(() => {
  sent = [];
  vi.stubGlobal("fetch", (_path: string, init: RequestInit) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const response = (persons: object[]) =>
      resolve(Response.json({ persons, hitsCount: persons.length, totalHits: persons.length }));
    if (init.signal) sent.push({ signal: init.signal, response });
    return promise;
  });
});

type Props = { found: Found | null; hasChanged?: boolean };
const show = (initialProps: Props) =>
  renderHook(({ found, hasChanged = false }: Props) => useNearMatches(source, found, hasChanged), { initialProps });
const expectRequests = async (times: number) => waitFor(() => expect(sent).toHaveLength(times));
const response = (index: number, persons: object[]) => act(async () => sent[index]?.response(persons));

test("aborts the request when the query changes, and drops its response", async () => {
  const first = foundFor("smtih");
  const { result, rerender } = show({ found: first });
  await expectRequests(1);
  rerender({ found: first, hasChanged: true });
  expect(sent[0]?.signal.aborted).toBe(true);
  rerender({ found: foundFor("jonse") });
  await response(0, [{ voterId: "WA-2" }]);
  await expectRequests(2);
  expect(result.current).toMatchObject({ voters: [], isSearching: true });
  await response(1, [{ voterId: "WA-3", match: "similar" }]);
  await waitFor(() => expect(result.current.voters).toMatchObject([{ voterId: "WA-3" }]));
});

test("keeps the last matches while a newer search runs, as its exact matches do", async () => {
  const first = foundFor("smtih");
  const { result, rerender } = show({ found: first });
  await expectRequests(1);
  await response(0, [{ voterId: "WA-2", match: "similar" }]);
  await waitFor(() => expect(result.current.voters).toHaveLength(1));
  const { voters } = result.current;
  rerender({ found: first, hasChanged: true });
  expect(result.current.voters).toBe(voters);
  rerender({ found: foundFor("jonse") });
  expect(result.current.voters).toEqual([]);
});

test("asks only after the pause, and for no text that is typed on before", async () => {
  const { rerender } = renderHook(
    ({ found, hasChanged = false }: Props) => useNearMatches(source, found, hasChanged, 80),
    {
      initialProps: { found: foundFor("smti") } as Props,
    },
  );
  rerender({ found: foundFor("smti"), hasChanged: true });
  rerender({ found: foundFor("smtih") });
  await new Promise((resolve) => setTimeout(resolve, 30));
  expect(sent).toHaveLength(0);
  await expectRequests(1);
});
