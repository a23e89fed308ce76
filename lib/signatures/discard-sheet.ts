import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam } from "@/lib/ids";
import { lineRefusals } from "@/lib/signatures/line-refusals";
import { writeLines } from "@/lib/signatures/write-lines";

const answerSchema = z.object({ outcome: z.enum(["discarded", "not-empty", "not-found", "not-allowed"]) });

/** Discards a sheet on which no line stands. Guard `signatures.enter` first; throws AppError when it may not be. */
export async function discardSheet({
  actorId,
  team,
  campaign,
  number,
}: CampaignOfTeam & { actorId: string; number: number }): Promise<void> {
  const given = { p_actor_id: actorId, p_team_id: team, p_campaign_id: campaign, p_number: number };
  const { outcome } = await writeLines("discard_sheet", given, answerSchema);
  switch (outcome) {
    case "discarded":
      return;
    case "not-empty":
      throw new AppError(
        "conflict",
        `Lines stand on sheet ${number}. Move or remove them first, or renumber the sheet.`,
      );
    case "not-found":
      throw new AppError("not-found", lineRefusals["no-sheet"]);
    case "not-allowed":
      throw new AppError("forbidden", lineRefusals["not-allowed"]);
  }
}
