import "server-only";
import { refresh } from "next/cache";
import { after } from "next/server";
import type { z } from "zod";
import { AppError } from "@/lib/errors";
import { type FormAction, formAction } from "@/lib/forms/form-action";
import { invalidatePermissions } from "@/lib/permissions/invalidate";
import { requirePermission, requireTeam } from "@/lib/permissions/require-place";
import { RefusedOutcome } from "@/lib/supabase/call-sql";
import { type AccessChange, keyOfChange } from "@/lib/team-access/access-change";
import { changeAccess } from "@/lib/team-access/change-access";
import { alreadySaved, mergeCampaign, notInEffectYet, savedMessage } from "@/lib/team-access/messages";

/**
 * A server action that makes an access change, puts it into effect for everyone affected, and renders the page again. It
 * requires the key for the kind of change.
 */
export function accessAction<Schema extends z.ZodObject>({
  change,
  ...form
}: Pick<FormAction<Schema, unknown, undefined>, "schema" | "keepOnError"> & {
  change: (input: z.output<Schema>) => AccessChange;
}) {
  return formAction({
    ...form,
    guard: (input) => requireChangePermission(change(input)),
    run: async (input, { session }) => {
      const accessChange = change(input);
      const changed = await changeAccess(session, accessChange).catch((error: unknown) => {
        // It may still be saved. Apply it after the response, so that the user doesn't wait for a database that hangs.
        if (error instanceof AppError && error.code === "unavailable") after(invalidatePermissions);
        const taken = error instanceof RefusedOutcome ? fieldOfTaken.get(error.outcome) : undefined;
        if (taken) throw new AppError("conflict", taken.problem, { field: taken.field });
        const isEdit =
          accessChange.kind === "edit-campaign" && accessChange.after.archived === accessChange.before.archived;
        if (error instanceof RefusedOutcome && error.outcome === "stale" && isEdit) {
          refresh(); // the form then merges what is new
          throw new AppError("conflict", mergeCampaign);
        }
        throw error;
      });
      const inEffect = await invalidatePermissions();
      if (accessChange.kind !== "leave-team") refresh(); // they can't open its page any more
      if (!inEffect) return { message: notInEffectYet };
      return { message: changed ? savedMessage(accessChange, changed.takenOver) : alreadySaved };
    },
  });
}

const fieldOfTaken = new Map([
  ["id-taken", { field: "campaign", problem: "is taken. Choose another" }],
  ["name-taken", { field: "name", problem: "This name is taken. Choose another" }],
  ["archived-name-taken", { field: "name", problem: "An archived campaign has this name. Choose another" }],
]);

/** Access to the team with the key a change needs, if any. Redirects and throws like `requirePermission`. */
export function requireChangePermission(change: AccessChange) {
  const key = keyOfChange(change);
  return key === null ? requireTeam(change.team) : requirePermission({ team: change.team }, key);
}
