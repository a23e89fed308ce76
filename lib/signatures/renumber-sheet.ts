import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam } from "@/lib/ids";
import { type RenumberOutcome, renumberOutcomeSchema } from "@/lib/signatures/line-outcome";
import { lineRefusals } from "@/lib/signatures/line-refusals";
import { writeLines } from "@/lib/signatures/write-lines";

const answerSchema = z.discriminatedUnion("outcome", [
  ...renumberOutcomeSchema.options,
  z.object({ outcome: z.enum(["archived", "not-allowed", "not-found"]) }),
]);

/**
 * Moves all lines of a sheet to another number, with what its paper says: all, or none when lines stand at both numbers,
 * which are the `conflicts` then. It needs the keys to remove each of the lines, which the database asks for; guard one of
 * them first. Throws AppError when it may not be.
 */
export async function renumberSheet({
  actorId,
  team,
  campaign,
  from,
  to,
  because = null,
}: CampaignOfTeam & {
  actorId: string;
  from: number;
  to: number;
  because?: string | null;
}): Promise<RenumberOutcome> {
  const place = { p_team_id: team, p_campaign_id: campaign };
  const given = { p_actor_id: actorId, ...place, p_from: from, p_to: to, p_because: because };
  const answer = await writeLines("renumber_sheet", given, answerSchema);
  switch (answer.outcome) {
    case "renumbered":
    case "conflicts":
      return answer;
    case "archived":
      throw new AppError("conflict", lineRefusals.archived);
    case "not-allowed":
      throw new AppError("forbidden", "Others keyed lines on this sheet. Ask somebody who may remove their lines.");
    case "not-found":
      throw new AppError("not-found", lineRefusals["no-sheet"]);
  }
}
