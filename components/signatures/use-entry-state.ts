import { useCallback, useState } from "react";
import { useDebounced } from "@/components/ui/use-debounced";
import { askSignet } from "@/lib/http/ask-signet";
import type { CampaignOfTeam } from "@/lib/ids";
import type { EntryState } from "@/lib/signatures/answers";

const pause = 1_000; // ms after the last line before the counts are read again

/**
 * What is stored, read again shortly after `refresh` was called: by then several lines may have been sent. `onRead` hears
 * when the reading began, so that what happened later is not forgotten. A failed reading changes nothing.
 */
export function useEntryState(
  initial: EntryState,
  { place, onRead }: { place: CampaignOfTeam; onRead: (state: EntryState, begun: number) => void },
) {
  const [state, setState] = useState(initial);
  const [asked, setAsked] = useState(0);

  // The page was made again on the server.
  const [given, setGiven] = useState(initial);
  if (given !== initial) {
    setGiven(initial);
    if (initial.at > state.at) setState(initial);
  }

  useDebounced(
    asked || null,
    async () => {
      const begun = Date.now();
      const answer = await askSignet("/api/signatures/state", {
        query: place,
        schema: async () => (await import("@/lib/signatures/answers")).entryStateSchema,
      });
      if (!("body" in answer)) return; // the next line reads again
      const read = answer.body;
      setState((before) => (read.at > before.at ? read : before));
      onRead(read, begun);
    },
    pause,
  );

  return { state, refresh: useCallback(() => setAsked((times) => times + 1), []) };
}
