import "server-only";
import { AppError, type ErrorCode } from "@/lib/errors";
import { parseFields } from "@/lib/http/parse-json-body";
import { logFailure } from "@/lib/log-event";
import { clerkChangeSchema } from "@/lib/signatures/changes";
import { type Actor, type RunAfterResponse, recordLine, removeLine, restoreLine } from "@/lib/signatures/lines";
import { type ChangeOutcome, type ChangesResponse, refusalReasons } from "@/lib/signatures/responses";
import { closeSheet, openSheet } from "@/lib/signatures/sheets";
import { RefusedOutcome } from "@/lib/supabase/call-sql";

const startWindowMs = 8_000; // no change is started after it: the browser waits 15 s for the response

/**
 * Makes a clerk's changes in order, each with its own call of the database. A change that can never be stored is
 * `refused` and doesn't block others. A change that can't be stored now is `later`, as are all after it, so that no undo
 * overtakes its line. Sending all of them again stores nothing twice. Callers must check `signatures.enter`.
 */
export async function recordChanges(
  { changes, ...actor }: Actor & { changes: unknown[] },
  runAfterResponse: RunAfterResponse,
): Promise<ChangesResponse["outcomes"]> {
  const startDeadlineMs = Date.now() + startWindowMs;
  const outcomes: ChangesResponse["outcomes"] = [];
  for (const change of changes) {
    const waits = outcomes.at(-1)?.outcome === "later" || Date.now() > startDeadlineMs;
    const outcome: ChangeOutcome = waits
      ? { outcome: "later" }
      : await recordChange(change, actor, runAfterResponse).catch(toOutcome);
    outcomes.push({ id: readId(change), ...outcome });
  }
  return outcomes;
}

async function recordChange(
  change: unknown,
  { actorId, team, campaign }: Actor,
  runAfterResponse: RunAfterResponse,
): Promise<ChangeOutcome> {
  const place = { team, campaign };
  const parsedChange = parseFields(
    { ...(typeof change === "object" && change), ...place },
    clerkChangeSchema,
    fieldLabels,
  );
  switch (parsedChange.kind) {
    case "line": {
      const { kind: _, ...line } = parsedChange;
      return (await recordLine({ actorId, line }, runAfterResponse)).outcome;
    }
    case "undo":
      await removeLine({ actorId, ...place, id: parsedChange.of }, runAfterResponse).catch(ignoreMissing);
      return { outcome: "stored" };
    case "restore":
      await restoreLine({ actorId, ...place, id: parsedChange.of }, runAfterResponse);
      return { outcome: "stored" };
    case "open-sheet": {
      const { sheet: number, paper: details, reopens } = parsedChange;
      return { outcome: "stored", sheet: await openSheet({ actorId, ...place, number, details, reopens }) };
    }
    case "close-sheet":
      return { outcome: "stored", sheet: await closeSheet({ actorId, ...place, number: parsedChange.sheet }) };
  }
}

const fieldLabels = {
  signedOn: "The date signed",
  sheet: "The sheet",
  line: "The line",
  note: "The reason",
  "paper.circulator": "The circulator",
  "paper.collectedOn": "The date collected",
  "paper.signatureCount": "The number of signatures",
};

// A line that never arrived needs no removal.
function ignoreMissing(error: unknown) {
  if (!(error instanceof AppError && error.code === "not-found")) throw error;
}

const reasons: { [Code in ErrorCode]?: (typeof refusalReasons)[number] } = {
  invalid: "invalid",
  forbidden: "not-allowed",
  "not-found": "not-found",
};

function toOutcome(thrown: unknown): ChangeOutcome {
  if (thrown instanceof AppError) {
    const outcome = thrown instanceof RefusedOutcome ? thrown.outcome : null;
    const refusalReason = refusalReasons.find((reason) => reason === outcome) ?? reasons[thrown.code];
    if (refusalReason) return { outcome: "refused", why: refusalReason, error: thrown.message };
  }
  logFailure("A change of lines could not be carried out.", thrown);
  return { outcome: "later" };
}

const readId = (change: unknown) => {
  const id: unknown = typeof change === "object" && change !== null && "id" in change ? change.id : null;
  return typeof id === "string" ? id : null;
};
