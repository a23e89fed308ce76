import "server-only";
import { refresh } from "next/cache";
import type { z } from "zod";
import { type FormAction, formAction } from "@/lib/forms/form-action";
import { invalidatePermissions } from "@/lib/permissions/invalidate-permissions";
import { requirePermission } from "@/lib/permissions/require-place";
import { type AccessChange, keyOfChange } from "@/lib/team-access/access-change";
import { accessMessage } from "@/lib/team-access/access-message";
import { changeAccess } from "@/lib/team-access/change-access";

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
    run: async (input) => {
      const asked = change(input);
      const changed = await changeAccess(asked);
      const inEffect = await invalidatePermissions();
      refresh();
      if (!inEffect) return { message: "Saved; it takes effect when the connection is back." };
      return { message: changed ? accessMessage(asked) : "It was so already; nothing was changed." };
    },
  });
}

/** Access to the team with the key that a change needs. Redirects and throws as `requirePermission` does. */
export function requireForChange(change: AccessChange) {
  return requirePermission({ team: change.team }, keyOfChange(change));
}
