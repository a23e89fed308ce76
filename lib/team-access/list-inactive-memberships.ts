import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { createAdminClient } from "@/lib/supabase/admin";
import type { Column } from "@/lib/supabase/column";
import { unwrap } from "@/lib/supabase/unwrap";

const rowsSchema = z.array(z.object({ team_id: z.string(), status: z.enum(["invited", "suspended"]) }));

/** A membership that opens nothing. The team's name is not hers to read; its id stands in her own row. */
export type InactiveMembership = { teamId: string; status: "invited" | "suspended" };

/** The signed-in user's own memberships that are not active. */
export async function listInactiveMemberships({ userId }: Session): Promise<InactiveMembership[]> {
  const result = await createAdminClient()
    .from("team_users")
    .select("team_id, status")
    .eq("user_id", userId)
    .neq("status", "active")
    .order("team_id" satisfies Column<"team_users">);
  return rowsSchema.parse(unwrap(result)).map(({ team_id, status }) => ({ teamId: team_id, status }));
}
