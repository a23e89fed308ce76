import "server-only";
import { z } from "zod";
import { requireUser } from "@/lib/auth/require-user";
import { createAdminClient } from "@/lib/supabase/admin";
import type { Column } from "@/lib/supabase/column";
import { unwrap } from "@/lib/supabase/unwrap";

const requestsSchema = z.array(
  z.object({
    campaign_id: z.string().nullable(),
    key: z.string(),
    page: z.string().nullable(),
    asked_at: z.string(),
    closed_at: z.string().nullable(),
    granted: z.boolean(),
  }),
);
export type OwnRequest = z.infer<typeof requestsSchema>[number];

/** What the signed-in user has asked for in a team, the newest first: open ones, and answered ones. */
export async function listOwnRequests(teamId: string): Promise<OwnRequest[]> {
  const { userId } = await requireUser();
  const result = await createAdminClient()
    .from("access_requests")
    .select("campaign_id, key, page, asked_at, closed_at, granted")
    .eq("user_id", userId)
    .eq("team_id", teamId)
    .order("asked_at" satisfies Column<"access_requests">, { ascending: false })
    .limit(50);
  return requestsSchema.parse(unwrap(result));
}
