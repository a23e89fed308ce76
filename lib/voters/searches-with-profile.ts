import "server-only";
import { z } from "zod";
import { callSql } from "@/lib/supabase/call-sql";

/**
 * Whether a person holds `voters.search` in a campaign whose search profile this is. Asked again for each search. Throws
 * AppError `unavailable` when it cannot be read.
 */
export function searchesWithProfile(userId: string, profile: string): Promise<boolean> {
  return callSql("searches_with_profile", { p_user_id: userId, p_profile: profile }, z.boolean());
}
