import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam } from "@/lib/ids";
import { followChange, type Later } from "@/lib/signatures/follow-change";
import type { LineOutcome } from "@/lib/signatures/line-outcome";
import { lineRefusals } from "@/lib/signatures/line-refusals";
import { writeLines } from "@/lib/signatures/write-lines";

const answerSchema = z.discriminatedUnion("outcome", [
  z.object({
    outcome: z.literal("removed"),
    voterId: z.string().optional(),
    changeNumber: z.int().optional(),
    again: z.boolean().optional(),
  }),
  z.object({ outcome: z.enum(["not-allowed", "not-found", "reason-missing"]) }),
]);

/** A change of a line that is stored, by whom and why. */
export type LineChange = CampaignOfTeam & { actorId: string; id: string; because?: string | null };

/**
 * Removes a line, accepted or rejected: one's own needs `signatures.enter`, others' `signatures.remove` and a reason, which
 * the database decides; guard one of them first. Removing it again changes nothing. Throws AppError as `recordLine` does.
 */
export async function removeLine(
  { actorId, team, campaign, id, because = null }: LineChange,
  later: Later,
): Promise<Extract<LineOutcome, { outcome: "removed" }>> {
  const given = { p_actor_id: actorId, p_team_id: team, p_campaign_id: campaign, p_id: id, p_because: because };
  const answer = await writeLines("remove_line", given, answerSchema);
  if (answer.outcome !== "removed") throw new AppError(codes[answer.outcome], lineRefusals[answer.outcome]);
  const { voterId, changeNumber, again = false } = answer;
  if (voterId === undefined || changeNumber === undefined) return { outcome: "removed", setBehind: false };
  const followed = await followChange({ campaignId: campaign, voterId, changeNumber, member: false, again }, later);
  return { outcome: "removed", setBehind: !followed };
}

const codes = { "not-allowed": "forbidden", "not-found": "not-found", "reason-missing": "invalid" } as const;
