import "server-only";
import { cache } from "react";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import type { Column } from "@/lib/supabase/unwrap";
import { unwrap } from "@/lib/supabase/unwrap";

/** Ids of the open requests for access in a team: those of one person, or for who holds `members.manage` all (null). */
export const listOpenRequests = cache(async (teamId: string, userId: string | null): Promise<string[]> => {
  const open = createAdminClient()
    .from("access_requests")
    .select("id")
    .eq("team_id", teamId)
    .is("closed_at" satisfies Column<"access_requests">, null)
    .order("id" satisfies Column<"access_requests">);
  const result = await (userId === null ? open : open.eq("user_id", userId));
  return z
    .array(z.object({ id: z.uuid() }))
    .parse(unwrap(result))
    .map(({ id }) => id);
});
