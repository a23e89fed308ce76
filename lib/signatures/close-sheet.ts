import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam } from "@/lib/ids";
import { type Sheet, sheetSchema } from "@/lib/signatures/line-outcome";
import { lineRefusals } from "@/lib/signatures/line-refusals";
import { writeLines } from "@/lib/signatures/write-lines";

const answerSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("closed"), sheet: sheetSchema }),
  z.object({ outcome: z.enum(["not-allowed", "not-found"]) }),
]);

/** Closes a team's sheet; one that is closed stays so. Guard `signatures.enter` first; throws AppError when it may not be. */
export async function closeSheet({
  actorId,
  team,
  campaign,
  number,
}: CampaignOfTeam & { actorId: string; number: number }): Promise<Sheet> {
  const given = { p_actor_id: actorId, p_team_id: team, p_campaign_id: campaign, p_number: number };
  const answer = await writeLines("close_sheet", given, answerSchema);
  switch (answer.outcome) {
    case "closed":
      return answer.sheet;
    case "not-allowed":
      throw new AppError("forbidden", lineRefusals["not-allowed"]);
    case "not-found":
      throw new AppError("not-found", lineRefusals["no-sheet"]);
  }
}
