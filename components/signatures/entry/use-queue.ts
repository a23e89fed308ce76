import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import type { CampaignOfTeam } from "@/lib/ids";
import type { Entry, What } from "@/lib/signatures/queue/entry";
import { openEntryStore, storeName } from "@/lib/signatures/queue/entry-store";
import { changeSender, type Outcome, sendEntries, type Waiting } from "@/lib/signatures/queue/send";

const none: readonly Entry[] = [];
const longestPause = 30_000; // ms between two tries

/** How long to wait before the next try, in ms: longer with each failure in a row. */
export const pauseAfter = (failures: number) => Math.min(longestPause, 500 * 2 ** failures);

/**
 * What a clerk did in a place and Signet has not acknowledged: kept on this device at once, and sent on its own: without
 * delay, again after a pause when it has to wait, and as soon as the connection is back or the tab is looked at.
 * `onOutcome` hears what came of each that this page has sent; `waiting` says why nothing goes out at the moment, or is null.
 */
export function useQueue({
  userId,
  place: { team, campaign },
  onOutcome,
}: {
  userId: string;
  place: CampaignOfTeam;
  onOutcome: (entry: Entry, outcome: Outcome) => void;
}) {
  // One for good: what is kept for one person is never sent as another's.
  const [{ name, store, sender }] = useState(() => {
    const name = storeName({ userId, team, campaign });
    return { name, store: openEntryStore(name), sender: changeSender({ userId, team, campaign }) };
  });
  const [waiting, setWaiting] = useState<Waiting | null>(null);
  const entries = useSyncExternalStore(store.subscribe, store.entries, () => none);
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
          send: sender.send,
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
      if (stopped) timer = setTimeout(run, again ? 0 : pauseAfter(failures));
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
  }, [name, sender, store]);

  return {
    entries,
    waiting,
    /** Answers the entry, and whether the browser keeps it: else it lasts as long as the page. */
    record: (what: What) => store.add(what),
    discard: (entry: Entry) => store.remove(entry.id),
    /** Sends an entry again that was refused: as the same line, unless another line has its id. */
    resend: (entry: Entry) => {
      store.remove(entry.id);
      store.add(entry.what, entry.refused?.why === "id-taken" ? undefined : entry.id);
    },
    openSheet: sender.openSheet,
  };
}
