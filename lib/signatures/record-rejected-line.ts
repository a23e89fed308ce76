import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { LineOutcome } from "@/lib/signatures/line-outcome";
import { lineRefusals } from "@/lib/signatures/line-refusals";
import type { RejectedLine } from "@/lib/signatures/signature-line-schema";
import { writeLines } from "@/lib/signatures/write-lines";

const answerSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.enum(["accepted", "removed"]), enteredAt: z.string() }),
  z.object({ outcome: z.enum(["not-allowed", "id-taken"]) }),
]);

/**
 * Stores a line that does not count, once however often it is sent. Guard `signatures.enter` first. Answers `rejected`, or
 * `removed` when it was undone meanwhile; throws as `recordSignature` does.
 */
export async function recordRejectedLine({
  actorId,
  line,
}: {
  actorId: string;
  line: RejectedLine;
}): Promise<Extract<LineOutcome, { outcome: "rejected" | "removed" }>> {
  const answer = await writeLines("record_rejected_line", { p_actor_id: actorId, p_line: line }, answerSchema);
  switch (answer.outcome) {
    case "accepted":
      return { outcome: "rejected", enteredAt: answer.enteredAt };
    case "removed":
      return { outcome: "removed", setBehind: false };
    default:
      throw new AppError("conflict", lineRefusals[answer.outcome]);
  }
}
