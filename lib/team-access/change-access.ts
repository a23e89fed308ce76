import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { AppError } from "@/lib/errors";
import { callSql } from "@/lib/supabase/call-sql";
import { type AccessChange, type AccessPreview, accessPreviewSchema } from "@/lib/team-access/access-change";
import { refusalsOf, unconfirmedChange } from "@/lib/team-access/messages";

const outcome = z.enum(["done", "unchanged"]);
const previewSchema = accessPreviewSchema.extend({ outcome });
const changedSchema = z.object({ outcome, takenOver: z.int().default(0) });

/**
 * Who would gain and lose what by a change: it is made and rolled back. Guard with `keyOfChange` first. Throws as
 * `changeAccess` does.
 */
export async function previewAccessChange({ userId }: Session, change: AccessChange): Promise<AccessPreview> {
  const args = { p_actor_id: userId, p_change: change, p_commit: false };
  return callSql("change_access", args, previewSchema, { refusals: refusalsOf(change) });
}

/**
 * Makes a change for a person, completely or not at all; null if nothing differed. Guard with `keyOfChange` first and
 * invalidate permissions after. Throws AppError `conflict` with the reason; `unavailable` if the database doesn't respond, when it
 * may have been made.
 */
export async function changeAccess({ userId }: Session, change: AccessChange): Promise<{ takenOver: number } | null> {
  const args = { p_actor_id: userId, p_change: change, p_commit: true };
  const { outcome, takenOver } = await callSql("change_access", args, changedSchema, {
    refusals: refusalsOf(change),
    errorOf: (cause) => new AppError("unavailable", unconfirmedChange, { cause }),
  });
  return outcome === "done" ? { takenOver } : null;
}
