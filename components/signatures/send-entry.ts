import { unstable_isUnrecognizedActionError as isUnrecognizedActionError } from "next/navigation";
import type { Entry } from "@/components/signatures/entry";
import type { Sent, Trouble, Waiting } from "@/components/signatures/send-entries";
import { type FormState, type FormSubmit, unsent } from "@/lib/forms/form-state";
import { askSignet } from "@/lib/http/ask-signet";
import type { CampaignOfTeam } from "@/lib/ids";
import type { LineOutcome, Sheet, SheetOutcome } from "@/lib/signatures/line-outcome";
import { lineRefusals } from "@/lib/signatures/line-refusals";
import { within } from "@/lib/supabase/within";

/** The server actions of the entry screen. */
export type EntryActions = {
  submitLine: FormSubmit<LineOutcome>;
  submitRemoval: FormSubmit<LineOutcome>;
  submitOpenSheet: FormSubmit<SheetOutcome>;
  submitCloseSheet: FormSubmit<SheetOutcome>;
};

const longest = 15_000; // ms for an answer; what is stored after it is found again when the line is sent again

/**
 * Sends entries through the server actions. It never throws: no connection, an ended session and a server that no longer
 * knows the page all mean "later".
 */
export function entrySender(actions: EntryActions, place: CampaignOfTeam) {
  const call = async <Result>(
    action: FormSubmit<Result>,
    fields: Record<string, string>,
  ): Promise<FormState<Result> | Waiting> => {
    // An action leaves the page for the sign-in when the session has ended. Here the clerk is told, and stays.
    const trouble = await sessionTrouble(place);
    if (trouble) return later(trouble);
    const form = new FormData();
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    try {
      return await within(longest, action(unsent, form));
    } catch (error) {
      return later(troubleOf(error));
    }
  };

  const send = async (entry: Entry): Promise<Sent> => {
    const { id, what, at } = entry;
    const shared = { id, ...place, enteredAt: at };
    switch (what.kind) {
      case "signature": {
        const { kind: _, ...line } = what;
        const sent = { ...shared, verdict: "accepted", ...line };
        return sentOf(await call(actions.submitLine, { line: JSON.stringify(sent) }));
      }
      case "rejected": {
        const { kind: _, name, note, ...line } = what;
        const sent = { ...shared, ...line, note: note ?? name };
        return sentOf(await call(actions.submitLine, { line: JSON.stringify(sent) }));
      }
      case "undo": {
        const sent = sentOf(await call(actions.submitRemoval, { ...place, id: what.of }));
        // A line that never got there needs no removal.
        const gone = sent.outcome === "refused" && sent.error === lineRefusals["not-found"];
        return gone ? { outcome: "done" } : sent;
      }
      case "open-sheet":
        return sentOf(await call(actions.submitOpenSheet, { ...place, number: String(what.sheet) }));
      case "close-sheet":
        return sentOf(await call(actions.submitCloseSheet, { ...place, number: String(what.sheet) }));
      case "typed":
      case "unreadable":
        return { outcome: "done" };
    }
  };

  /** Starts or resumes a sheet at once; null asks for the next number. */
  const openSheet = async (number: number | null): Promise<{ sheet: Sheet } | Waiting | { error: string }> => {
    const answer = await call(actions.submitOpenSheet, { ...place, number: number === null ? "" : String(number) });
    if (isWaiting(answer)) return answer;
    if (answer.error === null) return answer.data ? { sheet: answer.data.sheet } : later("unavailable");
    return answer.data?.outcome === "refused" ? { error: answer.error } : later("unavailable");
  };

  return { send, openSheet };
}

const later = (trouble: Trouble): Waiting => ({ outcome: "later", trouble });

const isWaiting = <Result>(answer: FormState<Result> | Waiting): answer is Waiting => "outcome" in answer;

function sentOf(answer: FormState<LineOutcome | SheetOutcome> | Waiting): Sent {
  if (isWaiting(answer)) return answer;
  if (answer.error !== null) {
    const error =
      answer.zodIssues?.map(({ path, message }) => `${fieldWords(path.at(-1))} ${message}.`).join(" ") ?? answer.error;
    return answer.data?.outcome === "refused" ? { outcome: "refused", error } : later("unavailable");
  }
  switch (answer.data?.outcome) {
    case "duplicate":
      return { outcome: "duplicate", of: answer.data.of };
    case "accepted":
    case "rejected":
    case "removed":
      return { outcome: answer.data.outcome };
    case "opened":
    case "closed":
      return { outcome: "done" };
    case undefined:
      return later("unavailable");
  }
}

function fieldWords(field: string | number | undefined) {
  const words: Record<string, string> = {
    signedOn: "The day signed",
    sheet: "The sheet",
    line: "The line",
    note: "The reason",
  };
  return words[String(field)] ?? `The field ${field}`;
}

async function sessionTrouble(place: CampaignOfTeam): Promise<Trouble | null> {
  const answer = await askSignet("/api/permissions/fingerprint", { query: place, longest });
  if ("body" in answer) return null;
  if (answer.status === null) return "connection";
  if (answer.status === 401) return "signed-out";
  return answer.status >= 500 ? "unavailable" : null;
}

function troubleOf(error: unknown): Trouble {
  if (!navigator.onLine) return "connection";
  if (isUnrecognizedActionError(error)) return "updated";
  if (error instanceof TypeError) return "connection"; // what fetch throws without one
  const digest: unknown = typeof error === "object" && error !== null ? Reflect.get(error, "digest") : null;
  return typeof digest === "string" && digest.startsWith("NEXT_REDIRECT") ? "signed-out" : "unavailable";
}
