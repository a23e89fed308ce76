"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { formAction } from "@/lib/forms/form-action";
import { jsonField } from "@/lib/forms/json-field";
import { teamIdSchema } from "@/lib/ids";
import { invitationListSchema } from "@/lib/invitations/invitation";
import {
  createInvitations,
  makeInvitationLink,
  previewInvitations,
  resendInvitation,
  revokeInvitation,
} from "@/lib/invitations/invitations";
import { requirePermission } from "@/lib/permissions/require-place";

const sent = z.object({ list: jsonField(invitationListSchema) });
const invitation = z.object({ team: teamIdSchema, id: z.uuid() });

const guard = ({ team }: { team: string }) => requirePermission({ team }, "members.manage");
const guardList = ({ list }: z.output<typeof sent>) => guard(list);

/** What the invitations in the field `list` would grant, with `members.manage`. */
export const previewInvites = formAction({
  guard: guardList,
  rate: "accessPreview",
  schema: sent,
  run: async ({ list }, { session }) => ({
    message: "No one is invited yet.",
    data: await previewInvitations(session, list),
  }),
});

/** Invites the people in the field `list` (an InvitationList as JSON), with `members.manage`. `data` has the link of a single one. */
export const inviteMembers = formAction({
  guard: guardList,
  rate: "invitation",
  schema: sent,
  run: async ({ list }, { session }) => {
    const { made } = await createInvitations(session, list);
    refresh();
    const [first, ...others] = made;
    if (!first) return { message: "No one to invite.", data: { link: null } };
    const one = others.length === 0;
    const created = one ? `Invitation created for ${first.email}.` : `${made.length} invitations created.`;
    const sending = one ? "The email is being sent." : "Emails are being sent.";
    const unsent = one ? "No email sent – share the link yourself." : "No emails sent – share the links yourself.";
    const link = one ? await makeInvitationLink(session, { team: list.team, id: first.id }) : null;
    return { message: `${created} ${list.mail ? sending : unsent}`, data: { link } };
  },
});

/** The link of an open invitation (`team`, `id`) to share, with `members.manage`. */
export const showInvitationLink = formAction({
  guard,
  schema: invitation,
  run: async (asked, { session }) => ({
    message: "Copy the link and share it.",
    data: { link: await makeInvitationLink(session, asked) },
  }),
});

/** Sends the email of an open invitation (`team`, `id`) again, with `members.manage`. */
export const resendOpenInvitation = formAction({
  guard,
  rate: "invitation",
  schema: invitation,
  run: async (asked, { session }) => {
    await resendInvitation(session, asked);
    refresh();
    return { message: "The email is being sent again." };
  },
});

/** Revokes an open invitation (`team`, `id`), with `members.manage`. */
export const revokeOpenInvitation = formAction({
  guard,
  schema: invitation,
  run: async (asked, { session }) => {
    await revokeInvitation(session, asked);
    refresh();
    return { message: "Invitation revoked." };
  },
});
