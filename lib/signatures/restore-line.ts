import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { followChange, type Later } from "@/lib/signatures/follow-change";
import { type RestoreOutcome, signedAtSchema } from "@/lib/signatures/line-outcome";
import { lineRefusals } from "@/lib/signatures/line-refusals";
import { outsideDatesText, regionShape, takenSchema, takenText } from "@/lib/signatures/refusal-text";
import type { LineChange } from "@/lib/signatures/remove-line";
import { signedWhere } from "@/lib/signatures/signed-where";
import { writeLines } from "@/lib/signatures/write-lines";

const day = z.iso.date().nullable();
const number = z.int().nullable();
const answerSchema = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("restored"),
    voterId: z.string().optional(),
    changeNumber: z.int().optional(),
    again: z.boolean(),
  }),
  z.object({ outcome: z.literal("duplicate"), of: signedAtSchema }),
  z.object({ outcome: z.literal("line-taken"), sheet: number, line: number, taken: takenSchema }),
  z.object({ outcome: z.literal("outside-dates"), signedOn: day, startsOn: day, endsOn: day, ...regionShape }),
  z.object({ outcome: z.enum(["archived", "not-allowed", "not-found"]) }),
]);

/**
 * Takes the removal of a line back, with the keys that its removal needs, and what somebody else removed with
 * `signatures.remove` alone; an accepted one counts again, and the set of signers follows. Restoring it again changes
 * nothing. Throws AppError when it may not stand where it stood: its voter has signed elsewhere meanwhile, its place is
 * taken, or as `recordLine` does.
 */
export async function restoreLine(
  { actorId, team, campaign, id, because = null }: LineChange,
  later: Later,
): Promise<RestoreOutcome> {
  const given = { p_actor_id: actorId, p_team_id: team, p_campaign_id: campaign, p_id: id, p_because: because };
  const answer = await writeLines("restore_line", given, answerSchema);
  switch (answer.outcome) {
    case "restored": {
      const { voterId, changeNumber, again } = answer;
      if (voterId === undefined || changeNumber === undefined) return { outcome: "restored", setBehind: false };
      const followed = await followChange({ campaignId: campaign, voterId, changeNumber, member: true, again }, later);
      return { outcome: "restored", setBehind: !followed };
    }
    case "duplicate":
      throw new AppError(
        "conflict",
        `This voter has signed meanwhile${signedWhere(answer.of)}. The line stays removed, as no voter counts twice.`,
      );
    case "line-taken":
      throw new AppError(
        "conflict",
        takenText(answer, answer.taken, "Move or remove that one, then restore this one."),
      );
    case "outside-dates": {
      const advice = "Have the campaign's days corrected, or key the line anew as outside dates.";
      throw new AppError("conflict", outsideDatesText(answer.signedOn, answer, advice));
    }
    case "archived":
      throw new AppError("conflict", lineRefusals.archived);
    case "not-allowed":
      throw new AppError("forbidden", lineRefusals["not-allowed"]);
    case "not-found":
      throw new AppError("not-found", lineRefusals["not-found"]);
  }
}
