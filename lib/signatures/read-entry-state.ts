import "server-only";
import { AppError } from "@/lib/errors";
import type { CampaignOfTeam } from "@/lib/ids";
import { type EntryState, entryStateSchema } from "@/lib/signatures/answers";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/** Reads the entry screen's state for one clerk, in one call. Guard `signatures.enter` first. */
export async function readEntryState({
  actorId,
  team,
  campaign,
  sheet = null,
}: CampaignOfTeam & {
  actorId: string;
  /** The number of the sheet that is told with its lines. */
  sheet?: number | null;
}): Promise<EntryState> {
  const given = { p_actor_id: actorId, p_team_id: team, p_campaign_id: campaign, p_lines: 50, p_sheet: sheet };
  const result = await createAdminClient().rpc("entry_state", given);
  const state = entryStateSchema.nullable().parse(unwrap(result));
  if (!state) throw new AppError("not-found", "There is no such campaign.");
  return state;
}
