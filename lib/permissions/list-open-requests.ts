import "server-only";
import { cache } from "react";
import { z } from "zod";
import type { Column } from "@/lib/supabase/column";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";

/** Ids of the open requests for access in a team that the signed-in user may see: her own, and with `members.manage` all. */
export const listOpenRequests = cache(async (teamId: string): Promise<string[]> => {
  const supabase = await createSessionClient();
  const result = await supabase
    .from("access_requests")
    .select("id")
    .eq("team_id", teamId)
    .is("closed_at" satisfies Column<"access_requests">, null)
    .order("id" satisfies Column<"access_requests">);
  return z
    .array(z.object({ id: z.uuid() }))
    .parse(unwrap(result))
    .map(({ id }) => id);
});
