import "server-only";
import { z } from "zod";
import { AppError, type ErrorCode } from "@/lib/errors";
import { parseFields } from "@/lib/http/parse-json-body";
import type { CampaignOfTeam } from "@/lib/ids";
import { logFailure } from "@/lib/log-event";
import type { ChangeOutcome, ChangesAnswer } from "@/lib/signatures/answers";
import { changeSchema } from "@/lib/signatures/change-schema";
import { followChange, type Later } from "@/lib/signatures/follow-change";
import { LineConflict, LineTaken } from "@/lib/signatures/line-conflict";
import { type LineOutcome, signedAtSchema } from "@/lib/signatures/line-outcome";
import type { Line } from "@/lib/signatures/line-schema";
import { removeLine, writeLines } from "@/lib/signatures/lines";
import {
  idTakenText,
  lineRefusals,
  outsideDatesText,
  regionShape,
  takenSchema,
  takenText,
} from "@/lib/signatures/messages";
import { closeSheet, openSheet } from "@/lib/signatures/sheets";

const day = z.iso.date().nullable();
const number = z.int();
const answerSchema = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("accepted"),
    voterId: z.string(),
    changeNumber: z.int(),
    enteredAt: z.string(),
    again: z.boolean(),
  }),
  z.object({ outcome: z.literal("duplicate"), of: signedAtSchema.optional() }),
  z.object({ outcome: z.literal("rejected"), enteredAt: z.string() }),
  z.object({ outcome: z.literal("removed") }),
  z.object({ outcome: z.literal("line-taken"), taken: takenSchema }),
  z.object({ outcome: z.literal("outside-dates"), startsOn: day, endsOn: day, ...regionShape }),
  z.object({ outcome: z.literal("id-taken"), by: z.object({ sheet: number, line: number }).partial().optional() }),
  z.object({ outcome: z.enum(["not-allowed", "archived"]) }),
]);

/**
 * Stores a line, accepted or not, once however often it is sent: the database decides, the set of signers follows what is
 * accepted. Guard `signatures.enter` first. Answers `accepted`, `duplicate` (kept for the counts), `rejected` or `removed`
 * (undone meanwhile); throws AppError when it may not be stored, and `unavailable` when it is to be sent again.
 */
export async function recordLine(
  { actorId, line }: { actorId: string; line: Line },
  later: Later,
): Promise<LineOutcome> {
  const answer = await writeLines("record_line", { p_actor_id: actorId, p_line: line }, answerSchema);
  switch (answer.outcome) {
    case "accepted": {
      const { voterId, changeNumber, enteredAt, again } = answer;
      const followed = await followChange(
        { campaignId: line.campaign, voterId, changeNumber, member: true, again },
        later,
      );
      return { outcome: "accepted", enteredAt, setBehind: !followed };
    }
    case "duplicate":
      return { outcome: "duplicate", of: answer.of ?? null };
    case "rejected":
      return { outcome: "rejected", enteredAt: answer.enteredAt };
    case "removed":
      return { outcome: "removed", setBehind: false };
    case "line-taken":
      throw new LineTaken(answer.taken, takenText(line, answer.taken));
    case "outside-dates":
      throw new LineConflict("outside-dates", outsideDatesText(line.signedOn, answer));
    case "id-taken":
      throw new LineConflict("id-taken", idTakenText(answer.by));
    case "not-allowed":
      throw new AppError("forbidden", lineRefusals["not-allowed"]);
    default:
      throw new LineConflict(answer.outcome, lineRefusals[answer.outcome]);
  }
}

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
