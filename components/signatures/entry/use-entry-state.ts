import { useCallback, useEffect, useEffectEvent, useState } from "react";
import { useDebounced } from "@/components/ui/use-debounced";
import { askSignet } from "@/lib/http/ask-signet";
import type { CampaignOfTeam } from "@/lib/ids";
import type { EntryState, Here } from "@/lib/signatures/answers";

const pause = 1_000; // ms after the last line before the counts are read again
const beat = 10_000; // ms between two readings while a sheet is open
const nobody: readonly Here[] = [];

/**
 * What is stored, read again shortly after `refresh` was called: by then several lines may have been sent; and every 10 s
 * while a sheet is open at `at` and the tab is looked at, which tells the others who is there. `here` are those others.
 * `onRead` hears when the reading began, so that what happened later is not forgotten. A failed reading changes nothing.
 */
export function useEntryState(
  initial: EntryState,
  {
    place,
    at,
    onRead,
  }: {
    place: CampaignOfTeam;
    at: { sheet: number; line: number } | null;
    onRead: (state: EntryState, begun: number) => void;
  },
) {
  const sheet = at?.sheet ?? null;
  const [state, setState] = useState(initial);
  const [others, setOthers] = useState<{ sheet: number | null; here: readonly Here[] }>({ sheet, here: nobody });
  const [asked, setAsked] = useState(0);

  // The page was made again on the server.
  const [given, setGiven] = useState(initial);
  if (given !== initial) {
    setGiven(initial);
    if (initial.at > state.at) setState(initial);
  }

  const read = async () => {
    const begun = Date.now();
    const answer = await askSignet("/api/signatures/state", {
      query: { ...place, ...(at && { sheet: String(at.sheet), line: String(at.line) }) },
      schema: async () => (await import("@/lib/signatures/answers")).stateAnswer,
    });
    if (!("body" in answer)) return; // the next line reads again
    const { here, ...read } = answer.body;
    setState((before) => (read.at > before.at ? read : before));
    setOthers({ sheet, here });
    onRead(read, begun);
  };
  useDebounced(asked || null, read, pause);

  const readWhenSeen = useEffectEvent(() => {
    if (document.visibilityState === "visible") void read();
  });
  useEffect(() => {
    if (sheet === null) return;
    const timer = setInterval(() => readWhenSeen(), beat);
    const onVisible = () => readWhenSeen();
    document.addEventListener("visibilitychange", onVisible);
    onVisible();
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [sheet]);

  return {
    state,
    /** Who else has the sheet open, and at which line. */
    here: others.sheet === sheet ? others.here : nobody,
    refresh: useCallback(() => setAsked((times) => times + 1), []),
  };
}
