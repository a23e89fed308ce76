import "server-only";
import { refresh } from "next/cache";
import { after } from "next/server";
import type { z } from "zod";
import { AppError } from "@/lib/errors";
import { type FormAction, formAction } from "@/lib/forms/form-action";
import { invalidatePermissions } from "@/lib/permissions/invalidate";
import { requirePermission, requireTeam } from "@/lib/permissions/require-place";
import { type AccessChange, keyOfChange } from "@/lib/team-access/access-change";
import { changeAccess } from "@/lib/team-access/change-access";

const messages: Record<Exclude<AccessChange["kind"], "members">, string> = {
  "edit-team": "Team saved.",
  "leave-team": "You have left the team.",
  campaigns: "Campaign access saved.",
  "create-campaign": "Campaign created.",
  "edit-campaign": "Campaign saved.",
  "attach-campaign": "Campaign added to the team.",
  "detach-campaign": "Campaign taken out of the team.",
  "hand-over-campaign": "Campaign handed over.",
  "role-sets": "Role saved.",
  "set-keys": "Permission sets saved.",
  "team-sets": "Permissions of administrators saved.",
  "campaign-sets": "Permissions of administrators saved.",
  "create-role": "Role created.",
  "rename-role": "Role renamed.",
  "delete-role": "Role deleted.",
  "create-set": "Permission set created.",
  "edit-set": "Permission set saved.",
  "delete-set": "Permission set deleted.",
};

/** What a change has done, in words. */
function accessMessage(change: AccessChange): string {
  if (change.kind !== "members") return messages[change.kind];
  const [only, ...others] = change.members;
  if (!only || others.length > 0) return `${change.members.length} members changed.`;
  if (only.after === null) return "Removed from the team.";
  if (only.after.roleId !== only.before.roleId) return "Role changed.";
  return only.after.status === "active" ? "Active again." : "Suspended.";
}

/**
 * A server action that makes an access change: guards it by the key that its kind needs, makes it, brings it into effect for
 * everyone whom it affects, and has the page shown anew. The message says what was done.
 */
export function accessAction<Schema extends z.ZodObject>({
  change,
  ...form
}: Pick<FormAction<Schema, unknown, undefined>, "schema" | "keep"> & {
  change: (input: z.output<Schema>) => AccessChange;
}) {
  return formAction({
    ...form,
    guard: (input) => requireForChange(change(input)),
    run: async (input, { session }) => {
      const asked = change(input);
      const changed = await changeAccess(session, asked).catch((error: unknown) => {
        // Without an answer it may have been made all the same, or be made later, which the schedule carries out. She is
        // told at once: the database may hang still.
        if (error instanceof AppError && error.code === "unavailable") after(invalidatePermissions);
        throw error;
      });
      const inEffect = await invalidatePermissions();
      if (asked.kind !== "leave-team") refresh(); // else the page would be one that is not open to her any more
      if (!inEffect) return { message: "Saved; it takes effect when the connection is back." };
      return { message: changed ? accessMessage(asked) : "It was so already; nothing was changed." };
    },
  });
}

/** Access to the team with the key that a change needs, if any. Redirects and throws as `requirePermission` does. */
export function requireForChange(change: AccessChange) {
  const key = keyOfChange(change);
  return key === null ? requireTeam(change.team) : requirePermission({ team: change.team }, key);
}
