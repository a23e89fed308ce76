import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { followChange, type Later } from "@/lib/signatures/follow-change";
import { type LineOutcome, signedAtSchema } from "@/lib/signatures/line-outcome";
import { lineRefusals } from "@/lib/signatures/line-refusals";
import type { SignatureLine } from "@/lib/signatures/signature-line-schema";
import { writeLines } from "@/lib/signatures/write-lines";

const answerSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("accepted"), changeNumber: z.int(), enteredAt: z.string(), again: z.boolean() }),
  z.object({ outcome: z.literal("removed"), changeNumber: z.int().optional() }),
  z.object({ outcome: z.literal("duplicate"), of: signedAtSchema.optional() }),
  z.object({ outcome: z.enum(["not-allowed", "id-taken"]) }),
]);

/**
 * Stores a signature, once however often it is sent: the database decides, the set of signers follows. Guard
 * `signatures.enter` first. Answers `accepted`, `duplicate` (kept for the counts) or `removed` (undone meanwhile); throws
 * AppError when it may not be stored, and `unavailable` when it is to be sent again.
 */
export async function recordSignature(
  { actorId, line }: { actorId: string; line: SignatureLine },
  later: Later,
): Promise<Exclude<LineOutcome, { outcome: "rejected" }>> {
  const answer = await writeLines("record_signature", { p_actor_id: actorId, p_line: line }, answerSchema);
  switch (answer.outcome) {
    case "accepted": {
      const { campaignId, voterId } = line;
      const { changeNumber, enteredAt, again } = answer;
      const followed = await followChange({ campaignId, voterId, changeNumber, member: true, again }, later);
      return { outcome: "accepted", enteredAt, setBehind: !followed };
    }
    case "duplicate":
      return { outcome: "duplicate", of: answer.of ?? null };
    case "removed":
      return { outcome: "removed", setBehind: false };
    default:
      throw new AppError("conflict", lineRefusals[answer.outcome]);
  }
}
