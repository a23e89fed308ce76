"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { formAction } from "@/lib/forms/form-action";
import { teamIdSchema } from "@/lib/ids";
import { requirePermission } from "@/lib/permissions/require-place";
import { storableText } from "@/lib/storable";
import { findMembers } from "@/lib/team-access/find-members";
import { listMembers } from "@/lib/team-access/members";
import { strictMembersFilterSchema } from "@/lib/team-access/members-filter";
import { declineAccessRequest } from "@/lib/team-access/requests";

/** Declines an access request (`team`, `id`, `answer`), with `members.manage`. */
export const declineRequest = formAction({
  guard: ({ team }) => requirePermission({ team }, "members.manage"),
  schema: z.object({
    team: teamIdSchema,
    id: z.uuid(),
    answer: storableText.trim().max(300, "must have at most 300 characters").optional(),
  }),
  keepOnError: ["answer"],
  run: async ({ answer, ...request }, { session }) => {
    await declineAccessRequest(session, { ...request, answer: answer || null });
    refresh();
    return { message: "Request declined." };
  },
});

/** All members who match a filter (`team` and the filter's fields), except the user. With `members.manage`. */
export const selectMembers = formAction({
  guard: ({ team }) => requirePermission({ team }, "members.manage"),
  schema: strictMembersFilterSchema.extend({ team: teamIdSchema }),
  run: async ({ team, ...filter }, { session }) => {
    const members = findMembers(await listMembers(team), filter).filter(({ userId }) => userId !== session.userId);
    return { message: `${members.length === 1 ? "1 member" : `${members.length} members`}.`, data: members };
  },
});
