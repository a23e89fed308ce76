"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { formAction } from "@/lib/forms/form-action";
import { teamIdSchema } from "@/lib/ids";
import { requirePermission } from "@/lib/permissions/require-place";
import { declineAccessRequest } from "@/lib/team-access/requests";

/** Declines a request for access (`team`, `id`), with `members.manage`. */
export const declineRequest = formAction({
  guard: ({ team }) => requirePermission({ team }, "members.manage"),
  schema: z.object({ team: teamIdSchema, id: z.uuid() }),
  run: async (asked, { session }) => {
    await declineAccessRequest(session, asked);
    refresh();
    return { message: "Request declined." };
  },
});
