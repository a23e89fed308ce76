import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { AppError } from "@/lib/errors";
import { callSql } from "@/lib/supabase/call-sql";
import { type AccessChange, type AccessEffects, accessEffectsSchema } from "@/lib/team-access/access-change";
import { changeRefusals, unansweredChange } from "@/lib/team-access/messages";

const changedSchema = z.object({
  outcome: z.enum(["done", "unchanged"]),
  effects: accessEffectsSchema.default([]),
});

/**
 * Who would gain and lose what by a change: it is made and rolled back. Guard with `keyOfChange` first. Throws as
 * `changeAccess` does.
 */
export async function previewAccessChange({ userId }: Session, change: AccessChange): Promise<AccessEffects> {
  const args = { p_actor_id: userId, p_change: change, p_commit: false };
  return (await callSql("change_access", args, changedSchema, { refusals: changeRefusals })).effects;
}

/**
 * Makes a change for a person, completely or not at all; false if nothing differed. Guard with `keyOfChange` first and
 * invalidate permissions after. Throws AppError `conflict` with the reason; `unavailable` if the database doesn't respond, when it
 * may have been made.
 */
export async function changeAccess({ userId }: Session, change: AccessChange): Promise<boolean> {
  const args = { p_actor_id: userId, p_change: change, p_commit: true };
  const changed = await callSql("change_access", args, changedSchema, {
    refusals: changeRefusals,
    errorOf: (cause) => new AppError("unavailable", unansweredChange, { cause }),
  });
  return changed.outcome === "done";
}
