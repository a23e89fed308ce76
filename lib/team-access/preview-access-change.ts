import "server-only";
import { z } from "zod";
import { createSessionClient } from "@/lib/supabase/server";
import { unwrap } from "@/lib/supabase/unwrap";
import type { AccessChange } from "@/lib/team-access/access-change";
import { type AccessEffects, accessEffectsSchema } from "@/lib/team-access/access-effects";
import { readChangeOutcome } from "@/lib/team-access/read-change-outcome";

const answerSchema = z.looseObject({ effects: accessEffectsSchema.default([]) });

/**
 * Who would gain and lose what by a change: the change itself is made and rolled back. Guard with `keyOfChange` first.
 * Throws as the change would.
 */
export async function previewAccessChange(change: AccessChange): Promise<AccessEffects> {
  const supabase = await createSessionClient();
  const answer = answerSchema.parse(unwrap(await supabase.rpc("preview_access_change", { p_change: change })));
  readChangeOutcome(answer);
  return answer.effects;
}
