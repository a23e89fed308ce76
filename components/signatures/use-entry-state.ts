import { useCallback, useEffect, useRef, useState } from "react";
import type { EntryState } from "@/components/signatures/entry-state";

const pause = 1_000; // ms after the last line before the counts are read again

/**
 * What is stored, read again shortly after `refresh` was called: by then several lines may have been sent. `onRead` hears
 * when the reading began, so that what happened later is not forgotten. A failed reading changes nothing.
 */
export function useEntryState(
  initial: EntryState,
  { place, onRead }: { place: { team: string; campaign: string }; onRead: (state: EntryState, begun: number) => void },
) {
  const [state, setState] = useState(initial);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { team, campaign } = place;

  // The page was made again on the server.
  const [given, setGiven] = useState(initial);
  if (given !== initial) {
    setGiven(initial);
    if (initial.at > state.at) setState(initial);
  }

  const refresh = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(async () => {
      const begun = Date.now();
      try {
        const query = new URLSearchParams({ team, campaign });
        const response = await fetch(`/api/signatures/state?${query}`, { cache: "no-store" });
        const { readEntryState } = await import("@/components/signatures/entry-state");
        const read = response.ok ? readEntryState(await response.json()) : null;
        if (!read) return;
        setState((before) => (read.at > before.at ? read : before));
        onRead(read, begun);
      } catch {
        // No connection: the next line reads again.
      }
    }, pause);
  }, [team, campaign, onRead]);

  useEffect(() => () => clearTimeout(timer.current), []);

  return { state, refresh };
}
