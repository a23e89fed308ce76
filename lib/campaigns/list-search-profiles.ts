import "server-only";
import { z } from "zod";
import { environmentNames } from "@/lib/env";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const rowsSchema = z.array(z.object({ profile: z.string() }));

/** The names of the search profiles that the operator gave a team and the environment configures, sorted. */
export async function listSearchProfiles(teamId: string): Promise<string[]> {
  const result = await createAdminClient().from("team_search_profiles").select("profile").eq("team_id", teamId);
  const given = rowsSchema.parse(unwrap(result)).map(({ profile }) => profile);
  return given.filter(isSearchProfile).toSorted();
}

/**
 * Whether the environment configures a search profile beside the common one: `NY` by `SEARCHSVC_URL_NY`. Which team may
 * choose it, SQL decides.
 */
export function isSearchProfile(name: string): boolean {
  return name !== "SEARCH" && /^[A-Z0-9_]{1,40}$/.test(name) && environmentNames("SEARCHSVC_URL_").includes(name);
}
