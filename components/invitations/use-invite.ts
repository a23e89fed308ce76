import { useSearchParams } from "next/navigation";
import { useEffect, useState, useTransition } from "react";
import type { ListedInvitee } from "@/components/invitations/invitees-table";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { type FormSubmit, initialFormState, toFormData } from "@/lib/forms/form-state";
import { onSessionRenewed, reportIfSessionEnded } from "@/lib/forms/session-ended";
import { unreachable } from "@/lib/http/call-api";
import type { InvitationList } from "@/lib/invitations/invitation";
import type { InvitationsPreview } from "@/lib/invitations/invitations";
import {
  type Invitee,
  type InviteeChoices,
  type InviteeRow,
  type ReadInvitees,
  readInvitees,
} from "@/lib/invitations/read-invitees";

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

/** What has been typed and chosen. */
type InviteDraft = Pick<InviteeChoices, "roleId" | "campaignIds" | "campaignRoleId"> & {
  text: string;
  mail: boolean;
};

type ReadList = InvitationList & { invitations: Invitee[] };

/** The dialog's step: the form, the preview of what it grants, or the result. */
type InviteStep =
  | { step: "form"; rows: InviteeRow[] }
  | {
      step: "preview";
      list: ReadList;
      preview: InvitationsPreview;
      skipped: ListedInvitee[];
      unusedColumns: ReadInvitees["unusedColumns"];
    }
  | { step: "sent"; message: string; link: string | null; emails: string[] };

const form = (rows: InviteeRow[] = []): InviteStep => ({ step: "form", rows });

export type Invite = ReturnType<typeof useInvite>;

/**
 * The state of the dialog that invites people: its draft, its step, and the ways to the next step. The draft starts with the
 * query's `invite` and `role`.
 */
export function useInvite({ roles, campaigns, preview, invite, ...defaults }: Inviting) {
  const { team } = useAccessChanges();
  const query = useSearchParams();
  const [draft, setDraft] = useState<InviteDraft>({
    text: query.get("invite")?.match(/.*@.*/)?.[0] ?? "",
    mail: true,
    roleId: query.get("role") || (defaults.defaultRoleId ?? ""),
    campaignIds: [],
    campaignRoleId: defaults.defaultCampaignRoleId ?? "",
  });
  const [current, setCurrent] = useState<InviteStep>(form());
  const [failure, setFailure] = useState<string | null>(null);
  const [pending, startTransition] = useTransition();
  useEffect(() => onSessionRenewed(() => setFailure(null)), []);
  const campaignRoles = roles.filter(({ scope }) => scope === "assigned");

  const run = <Result>(
    action: FormSubmit<Result>,
    { list, rows }: { list: InvitationList; rows: InviteeRow[] },
    next: (message: string, data?: Result) => InviteStep,
  ) =>
    startTransition(async () => {
      const state = await action(initialFormState, toFormData({ list: JSON.stringify(list) })).catch(() => null);
      reportIfSessionEnded(state);
      const refused = state?.error == null ? [] : refusedRows(state, list, rows);
      if (state?.error === null) setCurrent(next(state.message ?? "", state.data));
      else if (refused.length > 0) setCurrent(form(refused));
      else setFailure(state?.error ?? unreachable);
    });
  const readDraft = ({ text, mail, ...chosen }: InviteDraft) => {
    const read = readInvitees(text, { roles, campaignRoles, campaigns, ...chosen });
    return { ...read, hasProblem: read.rows.some(({ problem }) => problem !== null) };
  };
  const showPreview = () => {
    const { mail } = draft;
    const { invitees, rows, hasProblem, ...read } = readDraft(draft);
    setFailure(rows.length === 0 ? "Enter an email." : null);
    setCurrent(form(hasProblem ? rows : []));
    if (hasProblem || rows.length === 0) return;
    const list = { team: team.id, mail, invitations: invitees };
    run(preview, { list, rows }, (_, result) =>
      result ? { step: "preview", list, preview: result, skipped: skippedRows(rows, result), ...read } : form(),
    );
  };
  return {
    draft,
    change: (changed: Partial<InviteDraft>) => {
      setDraft((before) => ({ ...before, ...changed }));
      setFailure(null);
      // Problems that are shown follow what is typed.
      if (current.step !== "form" || current.rows.length === 0) return;
      const { rows, hasProblem } = readDraft({ ...draft, ...changed });
      setCurrent(form(hasProblem ? rows : []));
    },
    current,
    failure,
    pending,
    roles,
    campaigns,
    campaignRoles,
    showPreview,
    back: () => setCurrent(form()),
    send: (list: InvitationList, emails: string[]) =>
      run(invite, { list, rows: [] }, (message, data) => ({ step: "sent", message, link: data?.link ?? null, emails })),
  };
}

type Refused = { zodIssues?: { path: (string | number)[]; message: string }[] };

/** The rows, with what the server refuses about their addresses; none if it refuses something else. */
function refusedRows({ zodIssues = [] }: Refused, { invitations }: InvitationList, rows: InviteeRow[]): InviteeRow[] {
  const problems = new Map<string, string>();
  for (const { path, message } of zodIssues) {
    const [rowIndex, field] = path.slice(2);
    const invitation = typeof rowIndex === "number" ? invitations[rowIndex] : undefined;
    if (invitation)
      problems.set(invitation.email, `${field === "name" ? "The name" : `“${invitation.email}”`} ${message}.`);
  }
  return problems.size === 0 ? [] : rows.map((row) => ({ ...row, problem: problems.get(row.email) ?? null }));
}

/** The rows of people who can't be invited, because they are members or invited already, and those that repeat another. */
function skippedRows(rows: InviteeRow[], { members, suspended, invited }: InvitationsPreview): ListedInvitee[] {
  return rows.flatMap((row) => {
    const email = row.email.toLowerCase();
    const note = suspended.includes(email)
      ? "Already a member, but suspended: reactivate them under Members"
      : members.includes(email)
        ? "Already an active member"
        : invited.includes(email)
          ? "Already invited"
          : row.repeats;
    return note ? [{ ...row, note }] : [];
  });
}
