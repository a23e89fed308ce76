import type { CampaignOfTeam } from "@/lib/ids";
import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const shown = 5;

const answerSchema = z.object({
  count: z.int(),
  lines: z.array(
    z.object({ id: z.uuid(), sheet: z.int().nullable(), line: z.int().nullable(), signedOn: z.iso.date() }),
  ),
});
export type LinesOutsideDates = z.infer<typeof answerSchema>;

/**
 * A team's accepted lines that were signed outside the campaign's days, as these are now: how many, and the first 5 by
 * sheet and line. Guard `signatures.view` first.
 */
export async function listLinesOutsideDates({ team, campaign }: CampaignOfTeam) {
  const given = { p_team_id: team, p_campaign_id: campaign, p_limit: shown };
  const result = await createAdminClient().rpc("lines_outside_dates", given).abortSignal(AbortSignal.timeout(5_000));
  return answerSchema.parse(unwrap(result));
}
