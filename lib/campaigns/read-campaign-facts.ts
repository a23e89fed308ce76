import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const rowSchema = z.object({
  name: z.string(),
  team_id: z.string(),
  signature_goal: z.number().int().nullable(),
  starts_on: z.iso.date().nullable(),
  ends_on: z.iso.date().nullable(),
  lines_per_sheet: z.number().int(),
  search_profile: z.string().nullable(),
  archived_at: z.string().nullable(),
  campaign_team: z.array(z.object({ teams: z.object({ id: z.string(), name: z.string() }) })),
});

/** What a campaign is about: dates are YYYY-MM-DD, the goal is a number of signatures. */
export type CampaignFacts = {
  name: string;
  signatureGoal: number | null;
  startsOn: string | null;
  endsOn: string | null;
  linesPerSheet: number;
  /** Ending of the variables of its voter search; null for the common ones. */
  searchProfile: string | null;
  archived: boolean;
  /** The id of the team that runs it. */
  runBy: string;
  teams: { id: string; name: string }[];
};

/** The facts of a campaign. Guard with `campaign.view` first. */
export async function readCampaignFacts(campaignId: string): Promise<CampaignFacts> {
  const result = await createAdminClient()
    .from("campaigns")
    .select(
      "name, team_id, signature_goal, starts_on, ends_on, lines_per_sheet, search_profile, archived_at, campaign_team(teams(id, name))",
    )
    .eq("id", campaignId)
    .single();
  const row = rowSchema.parse(unwrap(result));
  return {
    name: row.name,
    signatureGoal: row.signature_goal,
    startsOn: row.starts_on,
    endsOn: row.ends_on,
    linesPerSheet: row.lines_per_sheet,
    searchProfile: row.search_profile,
    archived: row.archived_at !== null,
    runBy: row.team_id,
    teams: row.campaign_team.map(({ teams }) => teams),
  };
}
