import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { Column } from "@/lib/supabase/column";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";

/**
 * Revokes an open invitation as the signed-in user: its link works no more. Guard with `members.manage` first. Throws
 * AppError `conflict` when it is not open any more.
 */
export async function revokeInvitation({ team, id }: { team: string; id: string }): Promise<void> {
  const supabase = await createSessionClient();
  const result = await supabase
    .from("invitations")
    .update({ revoked_at: new Date().toISOString() })
    .eq("id", id)
    .eq("team_id", team)
    .is("accepted_at" satisfies Column<"invitations">, null)
    .is("revoked_at" satisfies Column<"invitations">, null)
    .select("id");
  if (z.array(z.object({ id: z.uuid() })).parse(unwrap(result)).length === 0) {
    throw new AppError("conflict", "This invitation is not open any more. Reload the page to see those that are.");
  }
}
