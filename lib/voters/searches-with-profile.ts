import "server-only";
import { z } from "zod";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

/**
 * Whether a person holds `voters.search` in a campaign whose search profile this is. Asked again for each search. Throws
 * AppError `unavailable` when it cannot be read.
 */
export async function searchesWithProfile(userId: string, profile: string): Promise<boolean> {
  const result = createAdminClient().rpc("searches_with_profile", { p_user_id: userId, p_profile: profile });
  return z.boolean().parse(unwrap(await result));
}
