import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/** How many signatures of a campaign are accepted, and its goal. Guard with `campaign.view` first. */
export async function readGoalCount(campaign: string): Promise<{ accepted: number; goal: number | null }> {
  const admin = createAdminClient();
  const [row, lines] = await Promise.all([
    admin.from("campaigns").select("signature_goal").eq("id", campaign).single(),
    admin
      .from("lines")
      .select("id", { count: "exact", head: true })
      .eq("campaign_id", campaign)
      .eq("verdict", "accepted")
      .is("removed_at", null),
  ]);
  unwrap(lines);
  return {
    accepted: z.int().parse(lines.count),
    goal: z.object({ signature_goal: z.int().nullable() }).parse(unwrap(row)).signature_goal,
  };
}
