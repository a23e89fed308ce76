import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import type { Entry } from "@/components/signatures/entry";
import { openEntryStore } from "@/components/signatures/entry-store";
import { type Outcome, type Sent, sendEntries, type Waiting } from "@/components/signatures/send-entries";

const none: readonly Entry[] = [];
const longestPause = 30_000; // ms between two tries

/** How long to wait before the next try, in ms: longer with each failure in a row. */
export const pauseAfter = (failures: number) => Math.min(longestPause, 500 * 2 ** failures);

/**
 * What waits on this device under `name`, sent on its own: at once, again after a pause when it has to wait, and as soon
 * as the connection is back or the tab is looked at. `waiting` says why nothing goes out at the moment, or is null.
 */
export function useEntries(
  name: string,
  { send, onOutcome }: { send: (entry: Entry) => Promise<Sent>; onOutcome: (entry: Entry, outcome: Outcome) => void },
) {
  const [store] = useState(() => openEntryStore(name));
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const entries = useSyncExternalStore(store.subscribe, store.entries, () => none);
  const sendOne = useEffectEvent(send);
  const tellOutcome = useEffectEvent(onOutcome);

  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    let running = false;
    let again = false;
    let failures = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const run = async () => {
      if (running) {
        again = true;
        return;
      }
      running = true;
      clearTimeout(timer);
      let stopped: Waiting | null;
      do {
        again = false;
        await store.load().catch(() => undefined); // no connection: the own entries are known all the same
        stopped = await sendEntries(name, {
          store,
          send: (entry) => sendOne(entry),
          onOutcome: (entry, outcome) => {
            failures = 0;
            tellOutcome(entry, outcome);
          },
          signal,
        });
      } while (again && !stopped && !signal.aborted);
      running = false;
      if (signal.aborted) return;
      setWaiting(stopped);
      if (stopped) timer = setTimeout(run, pauseAfter(failures));
      failures = stopped ? failures + 1 : 0;
    };
    const runWhenSeen = () => {
      if (document.visibilityState === "visible") void run();
    };
    // A line that was added is sent at once, also in the middle of a pause.
    let known = new Set<string>();
    const runWhenAdded = () => {
      const ids = new Set(store.entries().map(({ id }) => id));
      const added = [...ids].some((id) => !known.has(id));
      known = ids;
      if (added) void run();
    };

    const unsubscribe = store.subscribe(runWhenAdded);
    void run();
    window.addEventListener("online", run);
    window.addEventListener("focus", run);
    document.addEventListener("visibilitychange", runWhenSeen);
    return () => {
      leaving.abort();
      clearTimeout(timer);
      unsubscribe();
      window.removeEventListener("online", run);
      window.removeEventListener("focus", run);
      document.removeEventListener("visibilitychange", runWhenSeen);
    };
  }, [name, store]);

  return { entries, waiting, store };
}
