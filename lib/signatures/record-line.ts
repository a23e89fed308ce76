import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { followChange, type Later } from "@/lib/signatures/follow-change";
import { LineConflict, LineTaken } from "@/lib/signatures/line-conflict";
import { type LineOutcome, signedAtSchema } from "@/lib/signatures/line-outcome";
import { lineRefusals } from "@/lib/signatures/line-refusals";
import type { Line } from "@/lib/signatures/line-schema";
import { idTakenText, outsideDatesText, regionShape, takenSchema, takenText } from "@/lib/signatures/refusal-text";
import { writeLines } from "@/lib/signatures/write-lines";

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
