import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { AppError } from "@/lib/errors";
import type { Place } from "@/lib/ids";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";

const answerSchema = z.object({ outcome: z.enum(["asked", "asked-already", "held", "no-place"]) });

/**
 * Asks the administrators of a team for a key, on the page with this path: they see it in the activity. One request is open
 * for each person, place and key: "asked-already" when there is one. "held" when they hold it. Throws AppError `not-found`
 * for a team that they are not an active member of, and for a campaign that the team does not have.
 */
export async function askForAccess(
  { userId }: Session,
  { team, campaign }: Place,
  key: PermissionKey,
  page: string | null,
): Promise<"asked" | "asked-already" | "held"> {
  const result = await createAdminClient().rpc("ask_for_access", {
    p_actor_id: userId,
    p_team_id: team,
    p_campaign_id: campaign ?? null,
    p_key: key,
    p_page: page,
  });
  const { outcome } = answerSchema.parse(unwrap(result));
  if (outcome === "no-place") throw new AppError("not-found", "This team or campaign is not there for you to ask for.");
  return outcome;
}
