import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam } from "@/lib/ids";
import { type Sheet, sheetSchema } from "@/lib/signatures/line-outcome";
import { lineRefusals } from "@/lib/signatures/line-refusals";
import { writeLines } from "@/lib/signatures/write-lines";

const answerSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("opened"), sheet: sheetSchema }),
  z.object({ outcome: z.enum(["not-allowed", "archived"]) }),
]);

/**
 * Starts a team's next sheet, or the one with this number: an existing one is resumed, a closed one opened again. Guard
 * `signatures.enter` first; throws AppError when she may not any more, or the campaign is archived.
 */
export async function openSheet({
  actorId,
  team,
  campaign,
  number,
}: CampaignOfTeam & { actorId: string; number: number | null }): Promise<Sheet> {
  const given = { p_actor_id: actorId, p_team_id: team, p_campaign_id: campaign, p_number: number };
  const answer = await writeLines("open_sheet", given, answerSchema);
  if (answer.outcome === "opened") return answer.sheet;
  throw new AppError(answer.outcome === "archived" ? "conflict" : "forbidden", lineRefusals[answer.outcome]);
}
