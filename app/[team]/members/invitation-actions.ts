"use server";

import { refresh } from "next/cache";
import { z } from "zod";
import { formAction } from "@/lib/forms/form-action";
import { jsonField } from "@/lib/forms/json-field";
import { teamIdSchema } from "@/lib/ids";
import { invitationEditSchema, invitationIdsSchema, invitationListSchema } from "@/lib/invitations/invitation";
import {
  createInvitations,
  makeInvitationLink,
  previewInvitations,
  reissueInvitations,
  revokeInvitations,
} from "@/lib/invitations/invitations";
import { requirePermission } from "@/lib/permissions/require-place";

const listInput = z.object({ list: jsonField(invitationListSchema) });
const idsInput = z.object({ team: teamIdSchema, ids: jsonField(invitationIdsSchema) });

const guard = ({ team }: { team: string }) => requirePermission({ team }, "members.manage");
const guardList = ({ list }: z.output<typeof listInput>) => guard(list);

/** What the invitations in the field `list` would grant, with `members.manage`. */
export const previewInvites = formAction({
  guard: guardList,
  rate: "accessPreview",
  schema: listInput,
  run: async ({ list }, { session }) => ({
    message: "No one is invited yet.",
    data: await previewInvitations(session, list),
  }),
});

/** Invites the people in the field `list` (JSON), with `members.manage`. For one person, `data` has the link. */
export const inviteMembers = formAction({
  guard: guardList,
  rate: "invitation",
  schema: listInput,
  run: async ({ list }, { session }) => {
    const { made } = await createInvitations(session, list);
    refresh();
    const [first, ...others] = made;
    if (!first) return { message: "No one to invite.", data: { link: null } };
    const isSingle = others.length === 0;
    const created = isSingle ? `Invitation created for ${first.email}.` : `${made.length} invitations created.`;
    const sending = isSingle ? "The email is being sent." : "Emails are being sent.";
    const unsent = isSingle ? "No email sent – share the link yourself." : "No emails sent – share the links yourself.";
    const link = isSingle ? await makeInvitationLink(session, { team: list.team, id: first.id }) : null;
    return { message: `${created} ${list.mail ? sending : unsent}`, data: { link } };
  },
});

/** The links of open invitations (`team`, `ids`) to share, in their order, with `members.manage`. */
export const showInvitationLinks = formAction({
  guard,
  schema: idsInput,
  run: async ({ team, ids }, { session }) => {
    const links: string[] = [];
    for (const id of ids) links.push(await makeInvitationLink(session, { team, id })); // 500 at once would be a flood
    return { message: "Copy and share.", data: { links } };
  },
});

/** Sends the emails of open invitations (`team`, `ids`) again, with the user as inviter. Requires `members.manage`. */
export const resendOpenInvitations = formAction({
  guard,
  rate: "invitation",
  schema: idsInput,
  run: async (input, { session }) => {
    const count = await reissueInvitations(session, input);
    refresh();
    return { message: count === 1 ? "The email is being sent." : `${count} emails are being sent.` };
  },
});

/** Changes roles of open invitations (`team`, `ids`, `edit`), with the user as inviter. Requires `members.manage`. */
export const editOpenInvitations = formAction({
  guard,
  schema: idsInput.extend({ edit: jsonField(invitationEditSchema) }),
  run: async (input, { session }) => {
    const count = await reissueInvitations(session, input);
    refresh();
    return { message: `${count === 1 ? "Invitation" : `${count} invitations`} changed.` };
  },
});

/** Revokes open invitations (`team`, `ids`), with `members.manage`. */
export const revokeOpenInvitations = formAction({
  guard,
  schema: idsInput,
  run: async (input, { session }) => {
    const count = await revokeInvitations(session, input);
    refresh();
    return { message: `${count === 1 ? "Invitation" : `${count} invitations`} revoked.` };
  },
});
