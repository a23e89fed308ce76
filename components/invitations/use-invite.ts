import { useEffect, useState, useTransition } from "react";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { type FormSubmit, formOf, unsent } from "@/lib/forms/form-state";
import { onSessionRenewed, reportIfSessionEnded } from "@/lib/forms/session-ended";
import type { InvitationList } from "@/lib/invitations/invitation";
import type { InvitationsPreview } from "@/lib/invitations/invitations";
import { type InviteeChoices, readInvitees } from "@/lib/invitations/read-invitees";

type Named = { id: string; name: string };

/** What can be chosen in an invitation, and the actions that preview and send it. */
export type Inviting = {
  roles: (Named & { scope: "assigned" | "inherit_team" })[];
  campaigns: Named[];
  defaultRoleId: string | undefined;
  defaultCampaignRoleId: string | undefined;
  preview: FormSubmit<InvitationsPreview>;
  invite: FormSubmit<{ link: string | null }>;
};

/** What was typed and chosen so far. */
type InviteDraft = Pick<InviteeChoices, "roleId" | "campaignIds" | "campaignRoleId"> & {
  text: string;
  mail: boolean;
};

/** Where the dialog is: the form, the preview of what it grants, or what was sent. */
type InviteStep =
  | { step: "form"; problems: string[] }
  | { step: "preview"; list: InvitationList; preview: InvitationsPreview }
  | { step: "sent"; message: string; link: string | null };

const unreachable = "Couldn't reach the server. No one was invited. Check your connection and try again.";
const form = (problems: string[] = []): InviteStep => ({ step: "form", problems });

export type Invite = ReturnType<typeof useInvite>;

/** The state of the dialog that invites people: its draft, its step, and the ways to the next step. */
export function useInvite({ roles, campaigns, preview, invite, ...defaults }: Inviting) {
  const { team } = useAccessChanges();
  const [draft, setDraft] = useState<InviteDraft>({
    text: "",
    mail: true,
    roleId: defaults.defaultRoleId ?? "",
    campaignIds: [],
    campaignRoleId: defaults.defaultCampaignRoleId ?? "",
  });
  const [at, setAt] = useState<InviteStep>(form());
  const [failure, setFailure] = useState<string | null>(null);
  const [pending, startTransition] = useTransition();
  useEffect(() => onSessionRenewed(() => setFailure(null)), []);
  const campaignRoles = roles.filter(({ scope }) => scope === "assigned");

  const run = <Result>(
    action: FormSubmit<Result>,
    list: InvitationList,
    next: (message: string, data?: Result) => InviteStep,
  ) =>
    startTransition(async () => {
      const state = await action(unsent, formOf({ list: JSON.stringify(list) })).catch(() => null);
      reportIfSessionEnded(state);
      if (state?.error === null) setAt(next(state.message ?? "", state.data));
      else setFailure(state ? refusalOf(state, list) : unreachable);
    });
  const showPreview = () => {
    const { text, mail, ...chosen } = draft;
    const { invitees, problems } = readInvitees(text, { roles, campaignRoles, campaigns, ...chosen });
    if (invitees.length + problems.length === 0) problems.push("Enter an email address first.");
    setFailure(null);
    setAt(form(problems));
    if (problems.length > 0) return;
    const list = { team: team.id, mail, invitations: invitees };
    run(preview, list, (_, found) => (found ? { step: "preview", list, preview: found } : form()));
  };
  return {
    draft,
    change: (changed: Partial<InviteDraft>) => setDraft((before) => ({ ...before, ...changed })),
    at,
    failure,
    pending,
    roles,
    campaigns,
    campaignRoles,
    showPreview,
    back: () => setAt(form()),
    send: (list: InvitationList) =>
      run(invite, list, (message, data) => ({ step: "sent", message, link: data?.link ?? null })),
  };
}

type Refused = { error: string; zodIssues?: { path: (string | number)[]; message: string }[] };

/** Names the address that was refused, if any. */
function refusalOf({ error, zodIssues }: Refused, { invitations }: InvitationList) {
  const issue = zodIssues?.[0];
  if (!issue) return error;
  const at = issue.path[2];
  const email = typeof at === "number" ? invitations[at]?.email : undefined;
  return email === undefined ? `The list ${issue.message}.` : `“${email}” ${issue.message}.`;
}
