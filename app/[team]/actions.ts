"use server";

import { z } from "zod";
import { formAction } from "@/lib/forms/form-action";
import { jsonField } from "@/lib/forms/json-field";
import { accessAction, requireChangePermission } from "@/lib/team-access/access-action";
import { accessChangeSchema } from "@/lib/team-access/access-change";
import { previewAccessChange } from "@/lib/team-access/change-access";
import { effectMessage } from "@/lib/team-access/messages";

const sent = z.object({ change: jsonField(accessChangeSchema) });

/** Makes a change of members, roles, permission sets or campaigns: the field `change` has an AccessChange as JSON. */
export const saveAccess = accessAction({ schema: sent, change: ({ change }) => change });

/** Who would gain and lose what by the AccessChange in the field `change`. Nothing is changed. */
export const previewAccess = formAction({
  guard: ({ change }) => requireChangePermission(change),
  rate: "accessPreview",
  schema: sent,
  run: async ({ change }, { session }) => {
    const preview = await previewAccessChange(session, change);
    const message = effectMessage(preview.effects.length, change);
    // People of another team aren't named.
    return { message, data: change.kind === "stop-sharing" ? { ...preview, effects: [] } : preview };
  },
});
