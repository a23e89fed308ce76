import { callApi } from "@/lib/http/call-api";
import type { CampaignOfTeam } from "@/lib/ids";
import type { SentChange } from "@/lib/signatures/changes";
import type { Sheet } from "@/lib/signatures/line";
import { nameText } from "@/lib/signatures/line-text";
import {
  type ItemRefusal,
  isSendable,
  type OutboxItem,
  type SendableItem,
  type SheetOpening,
} from "@/lib/signatures/outbox/outbox";
import type { Outbox } from "@/lib/signatures/outbox/store";
import type { ChangeOutcome } from "@/lib/signatures/responses";

/** Why nothing can be sent now. `signed-out` may mean that someone else is signed in, `updated` that this page is too old. */
export type Blocked = { blockedBy: "connection" | "unavailable" | "signed-out" | "updated" };

/** The final outcome of an item. */
export type Outcome = Extract<ChangeOutcome, { outcome: "stored" | "duplicate" }>;

/**
 * Sends the outbox in order, in one tab at a time, until it is empty or blocked. `send` takes as many items as fit into one
 * request and returns their outcomes. An item leaves the device only when its outcome is known; a refused one stays, and
 * doesn't block the others.
 */
export function sendOutbox(
  name: string,
  {
    outbox,
    send,
    onOutcome,
    onRefused,
    signal,
  }: {
    outbox: Outbox;
    send: (items: readonly SendableItem[]) => Promise<ChangeOutcome[] | Blocked>;
    onOutcome: (item: OutboxItem, outcome: Outcome) => void;
    onRefused?: (item: OutboxItem) => void;
    signal: AbortSignal;
  },
): Promise<Blocked | null> {
  return oneTabAtATime(name, signal, async () => {
    for (;;) {
      const items = outbox.reread().filter(isSendable);
      if (items.length === 0 || signal.aborted) return null;
      const outcomes = await send(items);
      if ("blockedBy" in outcomes) return outcomes;
      for (const [index, outcome] of outcomes.entries()) {
        const item = items[index];
        if (!item || outcome.outcome === "later") return { blockedBy: "unavailable" };
        if (outcome.outcome === "refused" || outcome.outcome === "line-taken") onRefused?.(item);
        if (outcome.outcome === "refused") {
          outbox.update({ ...item, refused: { reason: outcome.why, error: outcome.error } });
        } else if (outcome.outcome === "line-taken") {
          outbox.update({ ...item, refused: { reason: "line-taken", error: outcome.error, taken: outcome.taken } });
        } else {
          onOutcome(item, outcome); // before it is removed, so that a line is on the screen at each moment
          outbox.remove(item.id);
        }
      }
    }
  });
}

async function oneTabAtATime<Result>(name: string, signal: AbortSignal, run: () => Promise<Result>) {
  // Missing in insecure contexts: then two tabs can send the same line, which is stored once all the same.
  if (typeof navigator === "undefined" || !navigator.locks) return run();
  try {
    return await navigator.locks.request(name, { signal }, run);
  } catch (error) {
    if (signal.aborted) return null;
    throw error;
  }
}

const timeoutMs = 15_000; // a change that is stored after it is recognized when it is sent again
const maxBytes = 50_000; // of the changes of one request, whose limit is 64 KiB
const maxChanges = 50;
const maybeSaved =
  "Export unsaved lines so none are lost. This one may already be saved: have someone check All lines before you discard it.";

/** Sends changes to `POST /api/signatures`. Never throws: whatever goes wrong blocks sending, or refuses the changes. */
export function changeSender({ userId, team, campaign }: CampaignOfTeam & { userId: string }) {
  const post = async (changes: SentChange[]): Promise<ChangeOutcome[] | Blocked> => {
    const response = await callApi("/api/signatures", {
      body: { team, campaign, clerk: userId, changes },
      timeoutMs,
      unreachableMessage: "", // only Signet's own words refuse a line for good
      schema: async () => (await import("@/lib/signatures/responses")).changesResponseSchema,
    });
    if ("body" in response) {
      const { outcomes } = response.body;
      return outcomes.length === changes.length ? outcomes : { blockedBy: "updated" };
    }
    const { status, error } = response;
    const refusalReason = status === 403 ? "not-allowed" : status === 413 ? "invalid" : null;
    if (!refusalReason || !error) return { blockedBy: blockReason(status) };
    // Refused as a whole: whether a line was stored before isn't known.
    return changes.map(({ id, kind }) => ({
      id,
      outcome: "refused",
      why: refusalReason,
      error: status === 403 && kind === "line" ? `${error} ${maybeSaved}` : error,
    }));
  };

  /** Sends the first items, as many as fit into one request. */
  const send = (items: readonly SendableItem[]) => post(firstChanges(items));

  /** Starts or resumes a sheet at once. */
  const openSheet = async (change: SheetOpening): Promise<{ sheet: Sheet } | Blocked | ItemRefusal> => {
    const outcomes = await post([{ ...change, id: crypto.randomUUID() }]);
    if ("blockedBy" in outcomes) return outcomes;
    const [outcome] = outcomes;
    if (outcome?.outcome === "refused") return { reason: outcome.why, error: outcome.error };
    return outcome?.outcome === "stored" && outcome.sheet ? { sheet: outcome.sheet } : { blockedBy: "unavailable" };
  };

  return { send, openSheet };
}

function firstChanges(items: readonly SendableItem[]): SentChange[] {
  const changes: SentChange[] = [];
  const encoder = new TextEncoder();
  let size = 0;
  for (const item of items.slice(0, maxChanges)) {
    const change = sentChange(item);
    size += encoder.encode(JSON.stringify(change)).length + 1;
    if (size > maxBytes && changes.length > 0) break;
    changes.push(change);
  }
  return changes;
}

function sentChange({ id, at: enteredAt, change }: SendableItem): SentChange {
  if (change.kind !== "line") return { ...change, id };
  const { name, note, ...line } = change;
  return { ...line, id, enteredAt, note: note ?? (line.verdict === "accepted" || nameText(line) ? null : name) };
}

function blockReason(status: number | null): Blocked["blockedBy"] {
  if (status === null || !navigator.onLine) return "connection";
  if (status === 401) return "signed-out";
  // An unreadable response, or a request that the server can't read: this page and the server differ.
  return status < 500 && status !== 429 ? "updated" : "unavailable";
}
