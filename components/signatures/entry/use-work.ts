import { useCallback, useEffect, useMemo, useRef, useState } from "react";
import { useFormat } from "@/components/shell/format-provider";
import { useEntryState } from "@/components/signatures/entry/use-entry-state";
import { useQueue } from "@/components/signatures/entry/use-queue";
import type { CampaignOfTeam } from "@/lib/ids";
import type { EntryState } from "@/lib/signatures/answers";
import { entryTotals } from "@/lib/signatures/entry/entry-totals";
import { ownLines, type Settled } from "@/lib/signatures/entry/own-lines";
import type { LinesByNumber } from "@/lib/signatures/entry/sheet-lines";
import { linesOfSheet } from "@/lib/signatures/entry/sheet-lines";
import type { Entry } from "@/lib/signatures/queue/entry";
import type { Outcome } from "@/lib/signatures/queue/send";

const noLines: LinesByNumber = new Map();

type SettledAt = Settled & { at: number };

/**
 * A clerk's work: her lines, recorded on this device at once, sent on their own, and counted; and the sheet that she is at.
 * `onOutcome` hears what came of each entry that this page has sent.
 */
export function useWork({
  userId,
  place,
  initial,
  at,
  onOutcome,
}: {
  userId: string;
  place: CampaignOfTeam;
  initial: EntryState;
  at: { sheet: number; line: number } | null;
  onOutcome: (entry: Entry, outcome: Outcome) => void;
}) {
  const format = useFormat();
  const [settled, setSettled] = useState<SettledAt[]>([]);

  // What the state tells itself, or is too old to be in it, is not told twice.
  const onRead = useCallback((read: EntryState, begun: number) => {
    const known = new Set(read.lines.map(({ id }) => id));
    setSettled((all) => all.filter(({ entry, at }) => at >= begun || known.has(entry.id)));
  }, []);
  const { state, here, refresh } = useEntryState(initial, { place, at, onRead });

  const queue = useQueue({
    userId,
    place,
    onOutcome: (entry, outcome) => {
      setSettled((all) => [...all, { entry, outcome, at: Date.now() }]);
      refresh();
      onOutcome(entry, outcome);
    },
  });
  const { entries } = queue;

  // What has left the device through another tab is known to the server alone.
  const left = useRef<readonly Entry[]>([]);
  useEffect(() => {
    if (left.current.some((before) => !entries.some(({ id }) => id === before.id))) refresh();
    left.current = entries;
  }, [entries, refresh]);

  const own = useMemo(() => ownLines({ entries, settled, state, format }), [entries, settled, state, format]);
  const number = at?.sheet ?? null;
  const lines = useMemo(
    () =>
      number === null ? noLines : linesOfSheet(number, { sheet: state.sheet, own: own.standing, entries, settled }),
    [number, state.sheet, own, entries, settled],
  );
  const totals = useMemo(() => entryTotals(state, own.standing), [state, own]);

  return { ...queue, state, here, refresh, own, lines, totals };
}
