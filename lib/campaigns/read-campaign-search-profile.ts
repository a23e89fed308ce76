import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const rowSchema = z.object({ search_profile: z.string().nullable() });

/** The name of the campaign's search backend; null for the common one. Guard with `voters.search` first. */
export async function readCampaignSearchProfile(campaignId: string): Promise<string | null> {
  const result = await createAdminClient().from("campaigns").select("search_profile").eq("id", campaignId).single();
  return rowSchema.parse(unwrap(result)).search_profile;
}
