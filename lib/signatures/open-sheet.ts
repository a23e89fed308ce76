import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam } from "@/lib/ids";
import { LineConflict } from "@/lib/signatures/line-conflict";
import { type Sheet, sheetSchema } from "@/lib/signatures/line-outcome";
import { lineRefusals } from "@/lib/signatures/line-refusals";
import type { Paper } from "@/lib/signatures/line-schema";
import { writeLines } from "@/lib/signatures/write-lines";

const answerSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("opened"), sheet: sheetSchema }),
  z.object({ outcome: z.enum(["not-allowed", "archived"]) }),
]);

/**
 * Starts a team's next sheet, or the one with this number: an existing one is resumed, a closed one opened again. `paper` is
 * written on it as far as it is given. Guard `signatures.enter` first; throws AppError when she may not any more, or the
 * campaign is archived.
 */
export async function openSheet({
  actorId,
  team,
  campaign,
  number,
  paper = null,
}: CampaignOfTeam & { actorId: string; number: number | null; paper?: Paper | null }): Promise<Sheet> {
  const place = { p_team_id: team, p_campaign_id: campaign };
  const given = { p_actor_id: actorId, ...place, p_number: number, p_paper: paper };
  const answer = await writeLines("open_sheet", given, answerSchema);
  if (answer.outcome === "opened") return answer.sheet;
  if (answer.outcome === "archived") throw new LineConflict("archived", lineRefusals.archived);
  throw new AppError("forbidden", lineRefusals["not-allowed"]);
}
