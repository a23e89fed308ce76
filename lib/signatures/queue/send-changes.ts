import { askSignet } from "@/lib/http/ask-signet";
import type { CampaignOfTeam } from "@/lib/ids";
import type { ChangeOutcome } from "@/lib/signatures/answers";
import type { SentChange } from "@/lib/signatures/change-schema";
import type { Sheet } from "@/lib/signatures/line-outcome";
import type { Paper } from "@/lib/signatures/line-schema";
import type { EntryRefusal, SendableEntry } from "@/lib/signatures/queue/entry";
import type { Trouble, Waiting } from "@/lib/signatures/queue/send-entries";

const longest = 15_000; // ms for an answer; what is stored after it is found again when the line is sent again
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
      longest,
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
