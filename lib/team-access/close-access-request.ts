import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { AppError } from "@/lib/errors";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const answerSchema = z.object({ outcome: z.enum(["done", "not-open", "not-allowed"]) });

/** Declines a request for access. Guard with `members.manage` first. Throws AppError `conflict` when it is not open any more. */
export async function closeAccessRequest(
  { userId }: Session,
  { team, id }: { team: string; id: string },
): Promise<void> {
  const asked = { p_actor_id: userId, p_team_id: team, p_id: id };
  const { outcome } = answerSchema.parse(unwrap(await createAdminClient().rpc("close_access_request", asked)));
  if (outcome === "not-allowed") throw new AppError("conflict", "You no longer have permission to answer requests.");
  if (outcome === "not-open") {
    throw new AppError("conflict", "This request is not open any more. Reload the page to see those that are.");
  }
}
