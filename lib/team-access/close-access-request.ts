import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { Column } from "@/lib/supabase/column";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";

/**
 * Closes a request for access as the signed-in user, granted or not. Guard with `members.manage` first. Throws AppError
 * `conflict` when it is not open any more.
 */
export async function closeAccessRequest({ team, id }: { team: string; id: string }): Promise<void> {
  const supabase = await createSessionClient();
  const result = await supabase
    .from("access_requests")
    .update({ closed_at: new Date().toISOString() })
    .eq("id", id)
    .eq("team_id", team)
    .is("closed_at" satisfies Column<"access_requests">, null)
    .select("id");
  if (z.array(z.object({ id: z.uuid() })).parse(unwrap(result)).length === 0) {
    throw new AppError("conflict", "This request is not open any more. Reload the page to see those that are.");
  }
}
