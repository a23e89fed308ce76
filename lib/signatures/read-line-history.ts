import "server-only";
import { z } from "zod";
import type { CampaignOfTeam } from "@/lib/ids";
import { personSchema, registerLineSchema } from "@/lib/signatures/register-line";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const placeSchema = z.object({ sheet: z.int().nullable(), line: z.int().nullable() });
const answerSchema = z.object({
  line: registerLineSchema,
  /** What became of it since it was keyed, in this order. */
  changes: z.array(
    z.object({
      kind: z.enum(["undone", "removed", "restored", "moved"]),
      /** ISO 8601 in UTC. */
      at: z.string(),
      /** Null for a change outside of Signet. */
      by: personSchema.nullable(),
      because: z.string().nullable(),
      from: placeSchema,
      to: placeSchema,
    }),
  ),
});
export type LineHistory = z.infer<typeof answerSchema>;

/** A line of a team with its history; null when the team has no such line there. Guard `signatures.view` first. */
export async function readLineHistory({
  team,
  campaign,
  id,
}: CampaignOfTeam & { id: string }): Promise<LineHistory | null> {
  const given = { p_team_id: team, p_campaign_id: campaign, p_id: id };
  const result = await createAdminClient().rpc("line_history", given);
  return answerSchema.nullable().parse(unwrap(result));
}
