import { act, renderHook, waitFor } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { useOutbox } from "@/components/signatures/entry/use-outbox";

const userId = "0b7b0d1e-0000-4000-8000-000000000001";
const place = { team: "riverside", campaign: "clean-water" };
const failures = 6; // after that many in a row it waits for half a minute

it("tries at once when the connection returns during a try that then fails, and soon again", async () => {
  const tries: PromiseWithResolvers<Response>[] = [];
  vi.stubGlobal("fetch", () => {
    const one = Promise.withResolvers<Response>();
    tries.push(one);
    return one.promise;
  });
  const { result } = renderHook(() => useOutbox({ userId, place, onOutcome: () => undefined }));
  const send = (event: "focus" | "online") => act(async () => void window.dispatchEvent(new Event(event)));
  const fail = () => act(async () => tries.at(-1)?.reject(new TypeError("Failed to fetch")));

  act(() => void result.current.record({ kind: "close-sheet", sheet: 12 }));
  for (let count = 1; count <= failures; count++) {
    await waitFor(() => expect(tries).toHaveLength(count));
    await fail();
    await waitFor(() => expect(result.current.blocked).toEqual({ blockedBy: "connection" }));
    await send("focus");
  }
  await waitFor(() => expect(tries).toHaveLength(failures + 1));
  await send("online");
  await fail();
  await waitFor(() => expect(tries).toHaveLength(failures + 2), { timeout: 400 });
  await fail();
  await waitFor(() => expect(tries).toHaveLength(failures + 3), { timeout: 5_000 }); // soon, not after half a minute
});
