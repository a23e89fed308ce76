"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { formAction } from "@/lib/forms/form-action";
import { teamIdSchema } from "@/lib/ids";
import { requirePermission } from "@/lib/permissions/require-place";
import { closeAccessRequest } from "@/lib/team-access/requests";

/** Closes a request for access (`team`, `id`), with `members.manage`. */
export const closeRequest = formAction({
  guard: ({ team }) => requirePermission({ team }, "members.manage"),
  schema: z.object({ team: teamIdSchema, id: z.uuid() }),
  run: async (asked, { session }) => {
    await closeAccessRequest(session, asked);
    refresh();
    return { message: "Request closed." };
  },
});
