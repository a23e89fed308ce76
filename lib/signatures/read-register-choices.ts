import "server-only";
import { z } from "zod";
import type { CampaignOfTeam } from "@/lib/ids";
import { personSchema } from "@/lib/signatures/register-line";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const answerSchema = z.object({ clerks: z.array(personSchema), circulators: z.array(z.string()) });
export type RegisterChoices = z.infer<typeof answerSchema>;

/** Who has keyed a team's lines in a campaign, and who has collected its sheets. Guard `signatures.view` first. */
export async function readRegisterChoices({ team, campaign }: CampaignOfTeam): Promise<RegisterChoices> {
  const given = { p_team_id: team, p_campaign_id: campaign };
  const result = await createAdminClient().rpc("register_choices", given);
  return answerSchema.parse(unwrap(result));
}
