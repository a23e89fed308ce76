import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useDebounced } from "@/components/forms/use-debounced";
import { useFormat } from "@/components/shell/format-provider";
import { useQuery } from "@/components/shell/use-query";
import { useOutbox } from "@/components/signatures/entry/use-outbox";
import { callApi, unwrapBody } from "@/lib/http/call-api";
import type { CampaignOfTeam } from "@/lib/ids";
import { entryTotals } from "@/lib/signatures/entry/entry-totals";
import {
  enteredLine,
  type LinesByNumber,
  linesOfSheet,
  ownLines,
  type SentItem,
} from "@/lib/signatures/entry/shown-lines";
import type { OutboxItem } from "@/lib/signatures/outbox/outbox";
import type { Outcome } from "@/lib/signatures/outbox/send";
import type { EntryState, PresentClerk } from "@/lib/signatures/responses";

const refreshDelayMs = 1_000; // after the last line: several may have been sent by then
const pollIntervalMs = 10_000;
const noClerks: readonly PresentClerk[] = [];
const noLines: LinesByNumber = new Map();

type CursorPosition = { sheet: number; line: number } | null;
type EntryStateRead = { state: EntryState; otherClerks: readonly PresentClerk[]; sheet: number | null; readAt: number };

/**
 * The stored lines and sheets, read after `refresh` and every 10 s while a sheet is open and the tab is visible. Each read
 * reports where the clerk is; `otherClerks` are there too. `readAt` is when the last read began. A failed read changes nothing.
 */
export function useEntryState(initial: EntryState, { place, at }: { place: CampaignOfTeam; at: CursorPosition }) {
  const sheet = at?.sheet ?? null;
  const latestAt = useRef(at);
  useLayoutEffect(() => {
    latestAt.current = at;
  });
  const queryKey = ["entry state", place.team, place.campaign];
  const { data, refetch } = useQuery({
    queryKey,
    queryFn: async ({ client, signal }): Promise<EntryStateRead> => {
      const current = latestAt.current;
      const readAt = Date.now();
      const query = { ...place, ...(current && { sheet: String(current.sheet), line: String(current.line) }) };
      const schema = async () => (await import("@/lib/signatures/responses")).entryStateResponseSchema;
      const { here: otherClerks, ...state } = await unwrapBody(
        callApi("/api/signatures/state", { query, schema, signal }),
      );
      const read = { otherClerks, sheet: current?.sheet ?? null };
      const before = client.getQueryData<EntryStateRead>(queryKey);
      return before && before.state.at >= state.at ? { ...before, ...read } : { ...read, state, readAt };
    },
    initialData: { state: initial, otherClerks: noClerks, sheet, readAt: 0 },
    enabled: sheet !== null,
    staleTime: Number.POSITIVE_INFINITY,
    refetchInterval: pollIntervalMs,
    refetchOnWindowFocus: "always",
  });
  useEffect(() => {
    if (sheet !== null && document.visibilityState !== "hidden") void refetch();
  }, [sheet, refetch]);
  const [refreshes, setRefreshes] = useState(0);
  useDebounced(refreshes || null, () => void refetch(), refreshDelayMs);

  return {
    state: initial.at > data.state.at ? initial : data.state, // the server may have rendered the page again
    readAt: data.readAt,
    otherClerks: data.sheet === sheet ? data.otherClerks : noClerks,
    refresh: useCallback(() => setRefreshes((times) => times + 1), []),
  };
}

/** A clerk's lines: in the outbox, sent by this page, or stored; on the current sheet, also other people's lines. */
export function useLines({
  userId,
  place,
  initial,
  at,
  onOutcome,
  onRefused,
}: {
  userId: string;
  place: CampaignOfTeam;
  initial: EntryState;
  at: CursorPosition;
  onOutcome: (item: OutboxItem, outcome: Outcome) => void;
  onRefused: (item: OutboxItem) => void;
}) {
  const format = useFormat();
  const [sent, setSent] = useState<(SentItem & { sentAt: number })[]>([]);
  const { state, readAt, otherClerks, refresh } = useEntryState(initial, { place, at });
  const outbox = useOutbox({
    userId,
    place,
    onOutcome: (item, outcome) => {
      setSent((all) => [...all, { item, outcome, sentAt: Date.now() }]);
      refresh();
      onOutcome(item, outcome);
    },
    onRefused: (item) => {
      refresh(); // a conflict shows that others entered lines since
      onRefused(item);
    },
  });
  const { items } = outbox;
  const sentSinceRead = useMemo(() => {
    const known = new Set(state.lines.map(({ id }) => id));
    return sent.filter(({ item, sentAt }) => sentAt >= readAt || known.has(item.id));
  }, [sent, state.lines, readAt]);

  // Only the server knows the outcome of what another tab has sent.
  const before = useRef<readonly OutboxItem[]>([]);
  useEffect(() => {
    if (before.current.some((item) => !items.some(({ id }) => id === item.id))) refresh();
    before.current = items;
  }, [items, refresh]);

  const sheet = at?.sheet ?? null;
  const lines = useMemo(() => {
    const own = ownLines({ items, sent: sentSinceRead, state, format });
    const localChanges = { sheet: state.sheet, own: own.live, items, sent: sentSinceRead };
    return {
      own,
      onSheet: sheet === null ? noLines : linesOfSheet(sheet, localChanges),
      totals: entryTotals(state, own.live),
    };
  }, [items, sentSinceRead, state, format, sheet]);

  const contentOf = (id: string) => enteredLine(id, { items, sent, state });
  return { outbox, state, otherClerks, refresh, contentOf, ...lines };
}

/** The current state, with a sheet of the team; null if it can't be read. */
export async function readState(place: CampaignOfTeam, sheet?: number): Promise<EntryState | null> {
  const query = { ...place, ...(sheet !== undefined && { sheet: String(sheet) }) };
  const schema = async () => (await import("@/lib/signatures/responses")).entryStateResponseSchema;
  const response = await callApi("/api/signatures/state", { query, schema, timeoutMs: 5_000 });
  return "body" in response ? response.body : null;
}
