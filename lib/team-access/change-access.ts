import "server-only";
import { z } from "zod";
import type { Session } from "@/lib/auth/get-session";
import { AppError } from "@/lib/errors";
import { createAdminClient } from "@/lib/supabase/admin";
import { unwrap } from "@/lib/supabase/unwrap";
import { type AccessChange, type AccessEffects, accessEffectsSchema } from "@/lib/team-access/access-change";

const refusalSchema = z.enum([
  "not-allowed",
  "stale",
  "gone",
  "own-membership",
  "last-administrator",
  "administrators-stripped",
  "nobody-left",
  "more-than-own",
  "administrators-only",
  "in-use",
  "name-taken",
  "id-taken",
  "runs-it",
  "not-attached",
  "search-not-given",
  "no-such-zone",
]);

/** What a person reads when SQL refuses a change; nothing has changed then. */
const refusals: Record<z.infer<typeof refusalSchema>, string> = {
  "not-allowed": "You may not change this any more, and nothing was changed. Reload the page to see what you may do.",
  stale: "This was changed meanwhile, and nothing was saved. Reload the page to see how it is now.",
  gone: "Something that this change names is no longer there, and nothing was changed. Reload the page.",
  "own-membership": "You cannot change your own membership. Ask another administrator of the team.",
  "last-administrator":
    "This is the last active administrator of the team. Make somebody else an administrator first; nothing was changed.",
  "administrators-stripped":
    "The administrators of the team would no longer manage both its members and its roles. Leave them sets with both; nothing was changed.",
  "nobody-left":
    "Nobody in the team could manage members or roles any more. Give that to somebody first; nothing was changed.",
  "more-than-own":
    "Somebody would hold permissions that you do not hold yourself. Ask an administrator of the team; nothing was changed.",
  "administrators-only":
    "Only administrators can change what administrators hold. Ask one of them; nothing was changed.",
  "in-use": "This is in use, and was not deleted. Take it from those who have it first.",
  "name-taken": "There is one with this name already. Choose another name.",
  "id-taken": "There is a campaign with this id already. Choose another id.",
  "runs-it": "This team runs the campaign. Hand it over to another team first; nothing was changed.",
  "not-attached": "That team does not work on the campaign any more, and nothing was changed. Reload the page.",
  "search-not-given":
    "The team that runs the campaign was not given this voter search, and nothing was changed. Choose another one first, or ask whoever runs Signet.",
  "no-such-zone": "The database does not know this time zone, and nothing was changed. Choose another one.",
};

const outcomeSchema = z.object({ outcome: z.union([z.enum(["done", "unchanged"]), refusalSchema]) });

/**
 * Reads how SQL answered a change: true when it was made, false when all was so already. Throws AppError `conflict` with
 * the reason when it may not be.
 */
function readChangeOutcome(answer: unknown): boolean {
  const { outcome } = outcomeSchema.parse(answer);
  if (outcome === "done" || outcome === "unchanged") return outcome === "done";
  throw new AppError("conflict", refusals[outcome]);
}

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

/**
 * Makes a change for a person, whole or not at all. Guard with `keyOfChange` first, and invalidate permissions
 * after. False when all was so already. Throws AppError `conflict` with the reason when it may not be, and nothing has
 * changed then; `unavailable` without an answer, when it may have been made all the same.
 */
export async function changeAccess({ userId }: Session, change: AccessChange): Promise<boolean> {
  const { data, error } = await createAdminClient().rpc("change_access", {
    p_actor_id: userId,
    p_change: change,
    p_keep: true,
  });
  const unanswered = "The database did not say whether this was saved. Try again in a moment.";
  if (error) throw new AppError("unavailable", unanswered, { cause: error });
  return readChangeOutcome(data);
}
