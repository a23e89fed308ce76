import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam } from "@/lib/ids";
import { type Sheet, sheetSchema } from "@/lib/signatures/line-outcome";
import { lineRefusals } from "@/lib/signatures/line-refusals";
import type { Paper } from "@/lib/signatures/line-schema";
import { writeLines } from "@/lib/signatures/write-lines";

const answerSchema = z.discriminatedUnion("outcome", [
  z.object({ outcome: z.literal("written"), sheet: sheetSchema }),
  z.object({ outcome: z.enum(["archived", "not-allowed", "not-found"]) }),
]);

/**
 * Writes what the paper of a sheet says, open or closed; who works on it stays. Guard `signatures.enter` first; throws
 * AppError when it may not be.
 */
export async function writePaper({
  actorId,
  team,
  campaign,
  number,
  paper,
}: CampaignOfTeam & { actorId: string; number: number; paper: Paper }): Promise<Sheet> {
  const place = { p_team_id: team, p_campaign_id: campaign };
  const given = { p_actor_id: actorId, ...place, p_number: number, p_paper: paper };
  const answer = await writeLines("write_paper", given, answerSchema);
  switch (answer.outcome) {
    case "written":
      return answer.sheet;
    case "archived":
      throw new AppError("conflict", lineRefusals.archived);
    case "not-allowed":
      throw new AppError("forbidden", lineRefusals["not-allowed"]);
    case "not-found":
      throw new AppError("not-found", lineRefusals["no-sheet"]);
  }
}
