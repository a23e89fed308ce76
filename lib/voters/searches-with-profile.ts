import "server-only";
import { z } from "zod";
import { callSql } from "@/lib/supabase/call-sql";

/**
 * Whether a person has `voters.search` in a campaign with this search profile, read for each search. Throws AppError
 * `unavailable`.
 */
export function searchesWithProfile(userId: string, profile: string): Promise<boolean> {
  return callSql("searches_with_profile", { p_user_id: userId, p_profile: profile }, z.boolean());
}
