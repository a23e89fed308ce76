import type { ChangeOutcome } from "@/lib/signatures/answers";
import { type Entry, isSendable, type SendableEntry } from "@/lib/signatures/queue/entry";
import type { EntryStore } from "@/lib/signatures/queue/entry-store";

/** Why entries wait: no connection, Signet away, nobody (or somebody else) signed in, or a page older than the server. */
export type Trouble = "connection" | "unavailable" | "signed-out" | "updated";
export type Waiting = { trouble: Trouble };

/** What came of an entry for good. */
export type Outcome = Extract<ChangeOutcome, { outcome: "stored" | "duplicate" }>;

/**
 * Sends what waits, in order, in one tab at a time, until nothing waits or something has to: then it answers why. `send`
 * takes as many of the entries as go into one request, from the first on, and answers what came of these. An entry leaves
 * the device only when its outcome is known; one that is refused stays, and does not hold up those behind it.
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
    send: (entries: readonly SendableEntry[]) => Promise<ChangeOutcome[] | Waiting>;
    onOutcome: (entry: Entry, outcome: Outcome) => void;
    signal: AbortSignal;
  },
): Promise<Waiting | null> {
  return oneTabAtATime(name, signal, async () => {
    for (;;) {
      const entries = store.reread().filter(isSendable);
      if (entries.length === 0 || signal.aborted) return null;
      const sent = await send(entries);
      if ("trouble" in sent) return sent;
      for (const [index, outcome] of sent.entries()) {
        const entry = entries[index];
        if (!entry || outcome.outcome === "later") return { trouble: "unavailable" };
        settle(entry, outcome);
      }
    }
  });

  function settle(entry: Entry, outcome: Exclude<ChangeOutcome, { outcome: "later" }>) {
    switch (outcome.outcome) {
      case "refused":
        return store.put({ ...entry, refused: { why: outcome.why, error: outcome.error } });
      case "line-taken": {
        const { error, taken } = outcome;
        return store.put({ ...entry, refused: { why: "line-taken", error, taken } });
      }
      case "stored":
      case "duplicate":
        // First told, then removed: a line is on the screen at each moment.
        onOutcome(entry, outcome);
        return store.remove(entry.id);
    }
  }
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
