"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { formAction } from "@/lib/forms/form-action";
import { jsonField } from "@/lib/forms/json-field";
import { teamIdSchema } from "@/lib/ids";
import { invitationListSchema } from "@/lib/invitations/invitation-list";
import {
  createInvitations,
  makeInvitationLink,
  previewInvitations,
  resendInvitation,
  revokeInvitation,
} from "@/lib/invitations/invitations";
import { requirePermission } from "@/lib/permissions/require-place";

const sent = z.object({ list: jsonField(invitationListSchema) });
const one = z.object({ team: teamIdSchema, id: z.uuid() });

const guard = ({ team }: { team: string }) => requirePermission({ team }, "members.manage");
const guardList = ({ list }: z.output<typeof sent>) => guard(list);

/** Tells what the invitations in the field `list` would give, with `members.manage`. Nobody is invited. */
export const previewInvites = formAction({
  guard: guardList,
  rate: "accessPreview",
  schema: sent,
  run: async ({ list }, { session }) => ({
    message: "Nobody is invited yet.",
    data: await previewInvitations(session, list),
  }),
});

/** Invites the people in the field `list` (an InvitationList as JSON), with `members.manage`. The link in `data` is that of a single one. */
export const inviteMembers = formAction({
  guard: guardList,
  rate: "invitation",
  schema: sent,
  run: async ({ list }, { session }) => {
    const { made } = await createInvitations(session, list);
    refresh();
    const [first, ...others] = made;
    if (!first) return { message: "Nobody was left to invite.", data: { link: null } };
    const whom = others.length > 0 ? `${made.length} people are` : `${first.email} is`;
    const message = `${whom} invited. ${list.mail ? "The e-mail is sent when its turn comes." : "No e-mail is sent."}`;
    const link = others.length > 0 ? null : await makeInvitationLink(session, { team: list.team, id: first.id });
    return { message, data: { link } };
  },
});

/** Gives the link of an open invitation (`team`, `id`) to hand over, with `members.manage`. */
export const showInvitationLink = formAction({
  guard,
  schema: one,
  run: async (asked, { session }) => ({
    message: "Copy the link and hand it over.",
    data: { link: await makeInvitationLink(session, asked) },
  }),
});

/** Has an open invitation (`team`, `id`) e-mailed again, with `members.manage`. */
export const resendOpenInvitation = formAction({
  guard,
  rate: "invitation",
  schema: one,
  run: async (asked, { session }) => {
    await resendInvitation(session, asked);
    refresh();
    return { message: "The e-mail is sent again when its turn comes." };
  },
});

/** Revokes an open invitation (`team`, `id`), with `members.manage`. */
export const revokeOpenInvitation = formAction({
  guard,
  schema: one,
  run: async (asked, { session }) => {
    await revokeInvitation(session, asked);
    refresh();
    return { message: "Invitation revoked." };
  },
});
