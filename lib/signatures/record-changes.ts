import "server-only";
import { AppError, type ErrorCode } from "@/lib/errors";
import { parseFields } from "@/lib/http/parse-json-body";
import type { CampaignOfTeam } from "@/lib/ids";
import { logFailure } from "@/lib/log-event";
import type { ChangeOutcome, ChangesAnswer } from "@/lib/signatures/answers";
import { changeSchema } from "@/lib/signatures/change-schema";
import { closeSheet } from "@/lib/signatures/close-sheet";
import type { Later } from "@/lib/signatures/follow-change";
import { LineConflict, LineTaken } from "@/lib/signatures/line-conflict";
import { openSheet } from "@/lib/signatures/open-sheet";
import { recordLine } from "@/lib/signatures/record-line";
import { removeLine } from "@/lib/signatures/remove-line";

const longest = 8_000; // ms after which no further change is begun: whoever waits for the answer waits 15 s

type Refused = Extract<ChangeOutcome, { outcome: "refused" }>["why"];

/**
 * Carries out what a clerk did, in order, each change by itself and in one call of the database. One that can never be
 * stored is `refused` and hinders no other. One that cannot be stored now is `later`, and so are all behind it, as an undo
 * must not overtake its line. Sending all of them again stores nothing twice. Guard `signatures.enter` first.
 */
export async function recordChanges(
  { actorId, team, campaign, changes }: CampaignOfTeam & { actorId: string; changes: unknown[] },
  later: Later,
): Promise<ChangesAnswer["outcomes"]> {
  const endsAt = Date.now() + longest;
  const outcomes: ChangesAnswer["outcomes"] = [];
  for (const change of changes) {
    const waits = outcomes.at(-1)?.outcome === "later" || Date.now() > endsAt;
    const outcome: ChangeOutcome = waits
      ? { outcome: "later" }
      : await recordChange({ actorId, team, campaign, change }, later).catch(outcomeOf);
    outcomes.push({ id: idOf(change), ...outcome });
  }
  return outcomes;
}

async function recordChange(
  { actorId, change, ...place }: CampaignOfTeam & { actorId: string; change: unknown },
  later: Later,
): Promise<ChangeOutcome> {
  const given = parseFields({ ...(typeof change === "object" && change), ...place }, changeSchema, fieldWords);
  const by = { actorId, ...place };
  switch (given.kind) {
    case "line": {
      const { kind: _, ...line } = given;
      const stored = await recordLine({ actorId, line }, later);
      if (stored.outcome === "duplicate") return stored;
      return { outcome: "stored", ...(stored.outcome !== "removed" && { verdict: line.verdict }) };
    }
    case "undo":
      await removeLine({ ...by, id: given.of }, later).catch(ignoreMissing);
      return { outcome: "stored" };
    case "open-sheet":
      return { outcome: "stored", sheet: await openSheet({ ...by, number: given.sheet, paper: given.paper }) };
    case "close-sheet":
      return { outcome: "stored", sheet: await closeSheet({ ...by, number: given.sheet }) };
  }
}

const fieldWords = {
  signedOn: "The day signed",
  sheet: "The sheet",
  line: "The line",
  note: "The reason",
  "paper.circulator": "The circulator",
  "paper.collectedOn": "The day collected",
  "paper.signatureCount": "The number of signatures",
};

// A line that never arrived needs no removal.
function ignoreMissing(error: unknown) {
  if (!(error instanceof AppError && error.code === "not-found")) throw error;
}

const reasons: { [Code in ErrorCode]?: Refused } = {
  invalid: "invalid",
  forbidden: "not-allowed",
  "not-found": "not-found",
};

function outcomeOf(thrown: unknown): ChangeOutcome {
  if (thrown instanceof AppError) {
    const { code, message: error } = thrown;
    if (thrown instanceof LineTaken) return { outcome: "line-taken", taken: thrown.taken, error };
    const why = thrown instanceof LineConflict ? thrown.why : reasons[code];
    if (why) return { outcome: "refused", why, error };
  }
  logFailure("A change of lines could not be carried out.", thrown);
  return { outcome: "later" };
}

const idOf = (change: unknown) => {
  const id: unknown = typeof change === "object" && change !== null && "id" in change ? change.id : null;
  return typeof id === "string" ? id : null;
};
