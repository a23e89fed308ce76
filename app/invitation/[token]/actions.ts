"use server";

import { refresh } from "next/cache";
import { redirect } from "next/navigation";
import { z } from "zod";
import { campaignEntries, openPages } from "@/components/shell/navigation/entries";
import { recordSignIn } from "@/lib/activity/sign-ins";
import { changeName, choosePassword, newPasswordSchema, refuseEmailAsPassword } from "@/lib/auth/account";
import { sendRecovery } from "@/lib/auth/links";
import { personNameSchema } from "@/lib/auth/person-schema";
import { requireUser } from "@/lib/auth/require-user";
import { signUp } from "@/lib/auth/sign-in";
import { AppError } from "@/lib/errors";
import { formAction } from "@/lib/forms/form-action";
import { invitationPath, invitationTokenSchema } from "@/lib/invitations/invitation";
import { acceptInvitation, declineInvitation, isFirstVisit, readInvitation } from "@/lib/invitations/invitations";
import { invitationNotOpen } from "@/lib/invitations/messages";
import { invalidatePermissions } from "@/lib/permissions/invalidate";
import { listPlaces } from "@/lib/permissions/list-places";

/**
 * Accepts an invitation as the signed-in user, and opens their first campaign, or the team. Field: `token`. At their first
 * visit `name` and `password` can be chosen with it; later they are ignored, because the account page asks for the current
 * password.
 */
export const joinTeam = formAction({
  guard: requireUser,
  schema: z.object({
    token: invitationTokenSchema,
    name: personNameSchema.optional(),
    password: z.literal("").or(newPasswordSchema).optional(),
  }),
  keepOnError: ["name"],
  run: async ({ token, name, password }, session) => {
    if (password) refuseEmailAsPassword(session.email, password);
    const isNew = await isFirstVisit(session, await readInvitation(token));
    if (isNew && password) await choosePassword(password);
    if (isNew && name) await changeName(session, name);
    const { team, campaign } = await acceptInvitation(session, token);
    if (isNew) await recordSignIn(); // at sign-in, they had no team to log it for
    if (!(await invalidatePermissions())) {
      return { message: "You've joined the team. You can open it in a few seconds." };
    }
    const { campaigns = [] } = (await listPlaces(session)).find(({ id }) => id === team) ?? {};
    const keys = campaigns.find(({ id }) => id === campaign)?.permissionKeys ?? [];
    const [page] = openPages(campaignEntries, keys);
    redirect(page ? `/${team}/campaign/${campaign}${page.href}` : `/${team}`);
  },
});

/** Declines an invitation (`token`) as the signed-in user. */
export const declineToJoin = formAction({
  guard: requireUser,
  schema: z.object({ token: invitationTokenSchema }),
  run: async ({ token }, session) => {
    await declineInvitation(session, token);
    refresh();
    return { message: "Invitation declined." };
  },
});

const account = z.object({
  token: invitationTokenSchema,
  name: personNameSchema,
  password: newPasswordSchema,
});

/** Creates an account for the address of an open invitation, for anyone with its link. */
export const createAccount = formAction({
  guard: "everyone",
  schema: account,
  keepOnError: ["name"],
  run: async ({ token, name, password }) => {
    const invitation = await requireOpen(token);
    const next = invitationPath(token);
    refuseEmailAsPassword(invitation.email, password);
    if ((await signUp({ email: invitation.email, password, name, next })) === "signed-in") {
      await recordSignIn();
      redirect(next);
    }
    const message = `If ${invitation.email} has no account yet, we've sent a link that leads back here. If it has one, sign in with it.`;
    return { message };
  },
});

/** Emails a link to choose a password to the address of an open invitation (`token`); it leads back here. */
export const sendPasswordLink = formAction({
  guard: "everyone",
  schema: z.object({ token: invitationTokenSchema }),
  run: async ({ token }) => {
    const { email } = await requireOpen(token);
    await sendRecovery({ email, next: invitationPath(token) });
    return { message: `We've sent a link to ${email}. It leads back here.` };
  },
});

async function requireOpen(token: string) {
  const invitation = await readInvitation(token);
  if (invitation?.state === "open") return invitation;
  throw new AppError("conflict", invitationNotOpen);
}
