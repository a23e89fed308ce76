import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import { lineRefusals } from "@/lib/signatures/line-refusals";
import { takenSchema, takenText } from "@/lib/signatures/refusal-text";
import type { LineChange } from "@/lib/signatures/remove-line";
import { writeLines } from "@/lib/signatures/write-lines";

const answerSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("moved") }),
  z.object({ outcome: z.literal("line-taken"), taken: takenSchema }),
  z.object({ outcome: z.enum(["archived", "not-allowed", "not-found"]) }),
]);

/**
 * Moves a live line to another place, with the keys that its removal needs; it counts on as before. Throws AppError when
 * another line stands there, or as `recordLine` does.
 */
export async function moveLine({
  actorId,
  team,
  campaign,
  id,
  sheet,
  line,
  because = null,
}: LineChange & { sheet: number; line: number }): Promise<void> {
  const place = { p_team_id: team, p_campaign_id: campaign };
  const given = { p_actor_id: actorId, ...place, p_id: id, p_sheet: sheet, p_line: line, p_because: because };
  const answer = await writeLines("move_line", given, answerSchema);
  switch (answer.outcome) {
    case "moved":
      return;
    case "line-taken": {
      const advice = "Choose another line, or move or remove that one first.";
      throw new AppError("conflict", takenText({ sheet, line }, answer.taken, advice));
    }
    case "archived":
      throw new AppError("conflict", lineRefusals.archived);
    case "not-allowed":
      throw new AppError("forbidden", lineRefusals["not-allowed"]);
    case "not-found":
      throw new AppError("not-found", lineRefusals["not-found"]);
  }
}
