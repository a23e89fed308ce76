import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import type { AccessChange } from "@/lib/team-access/access-change";
import { type AccessEffects, accessEffectsSchema } from "@/lib/team-access/access-effects";
import { readChangeOutcome } from "@/lib/team-access/read-change-outcome";

const answerSchema = z.looseObject({ effects: accessEffectsSchema.default([]) });

/**
 * Who would gain and lose what by a change: the change itself is made and rolled back. Guard with `keyOfChange` first.
 * Throws as the change would.
 */
export async function previewAccessChange({ userId }: Session, change: AccessChange): Promise<AccessEffects> {
  const asked = { p_actor_id: userId, p_change: change };
  const answer = answerSchema.parse(unwrap(await createAdminClient().rpc("preview_access_change", asked)));
  readChangeOutcome(answer);
  return answer.effects;
}
