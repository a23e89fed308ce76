import "server-only";
import { z } from "zod";
import { AppError } from "@/lib/errors";
import type { Place } from "@/lib/ids";
import type { PermissionKey } from "@/lib/permissions/permission-keys";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";

const answerSchema = z.object({ outcome: z.enum(["asked", "asked-already", "held", "no-place"]) });

/**
 * Asks the administrators of a team for a key, as the signed-in user, on the page with this path: they see it in the activity. One request is open for
 * each person, place and key: "asked-already" when there is one. "held" when she holds it. Throws AppError `not-found` for
 * a team that she is not an active member of, and for a campaign that the team does not have.
 */
export async function askForAccess(
  { team, campaign }: Place,
  key: PermissionKey,
  page: string | null,
): Promise<"asked" | "asked-already" | "held"> {
  const supabase = await createSessionClient();
  const result = await supabase.rpc("ask_for_access", {
    p_team_id: team,
    p_campaign_id: campaign ?? null,
    p_key: key,
    p_page: page,
  });
  const { outcome } = answerSchema.parse(unwrap(result));
  if (outcome === "no-place") throw new AppError("not-found", "This team or campaign is not there for you to ask for.");
  return outcome;
}
