import { useEffect, useEffectEvent, useState, useSyncExternalStore } from "react";
import type { CampaignOfTeam } from "@/lib/ids";
import type { Change, OutboxItem } from "@/lib/signatures/outbox/outbox";
import { type Blocked, changeSender, type Outcome, sendOutbox } from "@/lib/signatures/outbox/send";
import { openOutbox, outboxName } from "@/lib/signatures/outbox/store";

const none: readonly OutboxItem[] = [];
const maxRetryDelayMs = 30_000;

/** Longer with each failure in a row. */
export const retryDelayMs = (failures: number) => Math.min(maxRetryDelayMs, 500 * 2 ** failures);

/**
 * A clerk's changes in a place that aren't acknowledged yet: saved on this device at once and sent without delay; while
 * blocked, again after a pause and as soon as the connection is back or the tab is visible. `onOutcome` gets each item
 * that this page has sent, `onRefused` each that was refused.
 */
export function useOutbox({
  userId,
  place: { team, campaign },
  onOutcome,
  onRefused,
}: {
  userId: string;
  place: CampaignOfTeam;
  onOutcome: (item: OutboxItem, outcome: Outcome) => void;
  onRefused?: (item: OutboxItem) => void;
}) {
  // Never changes: what was saved for one person is never sent as another's.
  const [{ name, outbox, sender }] = useState(() => {
    const name = outboxName({ userId, team, campaign });
    return { name, outbox: openOutbox(name), sender: changeSender({ userId, team, campaign }) };
  });
  const [blocked, setBlocked] = useState<Blocked | null>(null);
  const items = useSyncExternalStore(outbox.subscribe, outbox.items, () => none);
  const reportOutcome = useEffectEvent(onOutcome);
  const reportRefused = useEffectEvent((item: OutboxItem) => onRefused?.(item));

  useEffect(() => {
    const abortController = new AbortController();
    const { signal } = abortController;
    let running = false;
    let shouldRunAgain = false;
    let failures = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const run = async () => {
      if (running) {
        shouldRunAgain = true;
        return;
      }
      running = true;
      clearTimeout(timer);
      let stopped: Blocked | null;
      do {
        shouldRunAgain = false;
        await outbox.load().catch(() => undefined); // without a connection, this page still has its own items
        stopped = await sendOutbox(name, {
          outbox,
          send: sender.send,
          onOutcome: (item, outcome) => {
            failures = 0;
            reportOutcome(item, outcome);
          },
          onRefused: reportRefused,
          signal,
        });
      } while (shouldRunAgain && !stopped && !signal.aborted);
      running = false;
      if (signal.aborted) return;
      setBlocked(stopped);
      if (stopped) timer = setTimeout(run, shouldRunAgain ? 0 : retryDelayMs(failures));
      failures = stopped ? failures + 1 : 0;
    };
    const runIfVisible = () => {
      if (document.visibilityState === "visible") void run();
    };
    // A new line is sent at once, even during a pause.
    let knownIds = new Set<string>();
    const runIfAdded = () => {
      const ids = new Set(outbox.items().map(({ id }) => id));
      const added = [...ids].some((id) => !knownIds.has(id));
      knownIds = ids;
      if (added) void run();
    };

    const unsubscribe = outbox.subscribe(runIfAdded);
    void run();
    const runOnline = () => {
      failures = 0; // right after this event requests can still fail for a moment
      void run();
    };
    window.addEventListener("online", runOnline, { signal });
    window.addEventListener("focus", run, { signal });
    document.addEventListener("visibilitychange", runIfVisible, { signal });
    return () => {
      abortController.abort();
      clearTimeout(timer);
      unsubscribe();
    };
  }, [name, sender, outbox]);

  return {
    items,
    blocked,
    record: (change: Change) => outbox.add(change),
    discard: (item: OutboxItem) => outbox.remove(item.id),
    /** Sends a refused item again: as the same line, unless another line has its id, and reopens a closed sheet. */
    resend: ({ id, change, refused }: OutboxItem) => {
      outbox.remove(id);
      const again = refused?.reason === "sheet-closed" ? { ...change, reopens: true } : change;
      outbox.add(again, refused?.reason === "id-taken" ? undefined : id);
    },
    openSheet: sender.openSheet,
  };
}
