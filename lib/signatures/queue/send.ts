import { askSignet } from "@/lib/http/ask-signet";
import type { CampaignOfTeam } from "@/lib/ids";
import type { ChangeOutcome } from "@/lib/signatures/answers";
import type { Paper, SentChange } from "@/lib/signatures/changes";
import type { Sheet } from "@/lib/signatures/line";
import { type Entry, type EntryRefusal, isSendable, type SendableEntry } from "@/lib/signatures/queue/entry";
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

const timeoutMs = 15_000; // what is stored after it is found again when the line is sent again
const largest = 50_000; // bytes of the changes of one request, which may have 64 KiB
const most = 50;

/**
 * Sends what a clerk did to `POST /api/signatures`. It never throws: no connection, an ended session and a server that no
 * longer knows the page all mean that it waits.
 */
export function changeSender({ userId, team, campaign }: CampaignOfTeam & { userId: string }) {
  const post = async (changes: SentChange[]): Promise<ChangeOutcome[] | Waiting> => {
    const answer = await askSignet("/api/signatures", {
      body: { team, campaign, clerk: userId, changes },
      timeoutMs,
      unreached: "", // only Signet's own words refuse a line for good
      schema: async () => (await import("@/lib/signatures/answers")).changesAnswer,
    });
    if ("body" in answer) {
      const { outcomes } = answer.body;
      return outcomes.length === changes.length ? outcomes : { trouble: "updated" };
    }
    const { status, error } = answer;
    const why = status === 403 ? "not-allowed" : status === 413 ? "invalid" : null;
    return why && error
      ? changes.map(({ id }) => ({ id, outcome: "refused", why, error }))
      : { trouble: troubleOf(status) };
  };

  /** Sends the first of the entries, as many as go into one request, and answers what came of these. */
  const send = (entries: readonly SendableEntry[]) => post(firstChanges(entries));

  /** Starts or resumes a sheet at once; null asks for the next number. */
  const openSheet = async (sheet: number | null, paper?: Paper): Promise<{ sheet: Sheet } | Waiting | EntryRefusal> => {
    const change = { id: crypto.randomUUID(), kind: "open-sheet" as const, sheet, ...(paper && { paper }) };
    const outcomes = await post([change]);
    if ("trouble" in outcomes) return outcomes;
    const [outcome] = outcomes;
    if (outcome?.outcome === "refused") return { why: outcome.why, error: outcome.error };
    return outcome?.outcome === "stored" && outcome.sheet ? { sheet: outcome.sheet } : { trouble: "unavailable" };
  };

  return { send, openSheet };
}

function firstChanges(entries: readonly SendableEntry[]): SentChange[] {
  const changes: SentChange[] = [];
  const encoder = new TextEncoder();
  let size = 0;
  for (const entry of entries.slice(0, most)) {
    const change = changeOf(entry);
    size += encoder.encode(JSON.stringify(change)).length + 1;
    if (size > largest && changes.length > 0) break;
    changes.push(change);
  }
  return changes;
}

function changeOf({ id, at: enteredAt, what }: SendableEntry): SentChange {
  switch (what.kind) {
    case "signature":
      return { ...what, id, kind: "line", verdict: "accepted", enteredAt };
    case "rejected": {
      const { name, note, ...line } = what;
      return { ...line, id, kind: "line", note: note ?? name, enteredAt };
    }
    case "undo":
    case "open-sheet":
    case "close-sheet":
      return { ...what, id };
  }
}

function troubleOf(status: number | null): Trouble {
  if (status === null || !navigator.onLine) return "connection";
  if (status === 401) return "signed-out";
  // An answer that cannot be read, and a request that the server cannot: this page and the server differ.
  return status < 500 && status !== 429 ? "updated" : "unavailable";
}
