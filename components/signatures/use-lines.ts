import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import type { Entry, What } from "@/components/signatures/entry";
import { storeName } from "@/components/signatures/entry-store";
import { entryTotals } from "@/components/signatures/entry-totals";
import type { Outcome } from "@/components/signatures/send-entries";
import { type EntryActions, entrySender } from "@/components/signatures/send-entry";
import { type Settled, shownLines } from "@/components/signatures/shown-lines";
import { useEntries } from "@/components/signatures/use-entries";
import { useEntryState } from "@/components/signatures/use-entry-state";
import type { CampaignOfTeam } from "@/lib/ids";
import type { EntryState } from "@/lib/signatures/answers";

type SettledAt = Settled & { at: number };

/**
 * A clerk's lines: recorded on this device at once, sent on their own, and counted. `onOutcome` hears what came of each
 * that this page has sent.
 */
export function useLines({
  userId,
  place,
  initial,
  actions,
  onOutcome,
}: {
  userId: string;
  place: CampaignOfTeam;
  initial: EntryState;
  actions: EntryActions;
  onOutcome: (entry: Entry, outcome: Outcome) => void;
}) {
  const { team, campaign } = place;
  const format = useFormat();
  const [settled, setSettled] = useState<SettledAt[]>([]);
  const sender = useMemo(() => entrySender(actions, { team, campaign }), [actions, team, campaign]);

  // What the state tells itself, or is too old to be in it, is not told twice.
  const onRead = useCallback((read: EntryState, begun: number) => {
    const known = new Set(read.lines.map(({ id }) => id));
    setSettled((all) => all.filter(({ entry, at }) => at >= begun || known.has(entry.id)));
  }, []);
  const { state, refresh } = useEntryState(initial, { place, onRead });

  const { entries, waiting, store } = useEntries(storeName({ userId, team, campaign }), {
    send: sender.send,
    onOutcome: (entry, outcome) => {
      setSettled((all) => [...all, { entry, outcome, at: Date.now() }]);
      refresh();
      onOutcome(entry, outcome);
    },
  });

  // What has left the device through another tab is known to the server alone.
  const left = useRef<readonly Entry[]>([]);
  useEffect(() => {
    if (left.current.some((before) => !entries.some(({ id }) => id === before.id))) refresh();
    left.current = entries;
  }, [entries, refresh]);

  const lines = useMemo(
    () => shownLines({ entries, settled, state, waiting: waiting !== null, format }),
    [entries, settled, state, waiting, format],
  );
  const totals = useMemo(() => entryTotals(state, lines), [state, lines]);

  return {
    ...{ state, refresh, entries, waiting, lines, totals },
    openSheet: sender.openSheet,
    /** Answers the entry, and whether the browser keeps it: else it lasts as long as the page. */
    record: (what: What) => store.add(what),
    discard: (entry: Entry) => store.remove(entry.id),
    resend: (entry: Entry) => {
      store.remove(entry.id);
      store.add(entry.what, entry.id);
    },
  };
}
