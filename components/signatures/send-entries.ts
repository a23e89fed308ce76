import { type Entry, isSendable } from "@/components/signatures/entry";
import type { EntryStore } from "@/components/signatures/entry-store";
import type { SignedAt } from "@/lib/signatures/line-outcome";

/** Why entries wait: no connection, Signet away, nobody signed in, or a page older than the server. */
export type Trouble = "connection" | "unavailable" | "signed-out" | "updated";

/** What came of an entry for good. */
export type Outcome =
  | { outcome: "accepted" | "rejected" | "removed" | "done" }
  | { outcome: "duplicate"; of: SignedAt | null };

/** What came of sending one: an outcome, a refusal for good with its sentence, or that it is to be sent again. */
export type Sent = Outcome | { outcome: "refused"; error: string } | { outcome: "later"; trouble: Trouble };

export type Waiting = Extract<Sent, { outcome: "later" }>;

/**
 * Sends what waits, in order and one at a time, in one tab at a time, until nothing waits or one has to wait: that one is
 * answered. An entry leaves the device only when its outcome is known; one that is refused stays, and does not hold up
 * those behind it.
 */
export function sendEntries(
  name: string,
  {
    store,
    send,
    onOutcome,
    signal,
  }: {
    store: EntryStore;
    send: (entry: Entry) => Promise<Sent>;
    onOutcome: (entry: Entry, outcome: Outcome) => void;
    signal: AbortSignal;
  },
): Promise<Waiting | null> {
  return oneTabAtATime(name, signal, async () => {
    for (;;) {
      const entry = store.reread().find(isSendable);
      if (!entry || signal.aborted) return null;
      if (!entry.tried) store.put({ ...entry, tried: true });
      const sent = await send(entry);
      if (sent.outcome === "later") return sent;
      if (sent.outcome === "refused") {
        store.put({ ...entry, tried: true, refused: sent.error });
        continue;
      }
      // First told, then removed: a line is on the screen at each moment.
      onOutcome(entry, sent);
      store.remove(entry.id);
    }
  });
}

async function oneTabAtATime<Result>(name: string, signal: AbortSignal, run: () => Promise<Result>) {
  // Known in secure contexts alone. Without it two tabs can send the same line, which is stored once all the same.
  if (typeof navigator === "undefined" || !navigator.locks) return run();
  try {
    return await navigator.locks.request(name, { signal }, run);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}
