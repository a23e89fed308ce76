"use client";

import { UserPlus } from "lucide-react";
import { type FormEvent, type ReactNode, useId, useState, useTransition } from "react";
import { FormError } from "@/components/forms/form-error";
import { CopyLink } from "@/components/invitations/copy-link";
import { EffectsList } from "@/components/team-access/effects-list";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { describedBy, Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import { type FormState, type FormSubmit, unsent } from "@/lib/forms/form-state";
import { tellIfSessionEnded } from "@/lib/forms/session-ended";
import type { InvitationList } from "@/lib/invitations/invitation-list";
import type { InvitationsPreview } from "@/lib/invitations/invitations";
import { type InviteeChoices, readInvitees } from "@/lib/invitations/read-invitees";

type Named = { id: string; name: string };
type Props = {
  teamId: string;
  teamName: string;
  roles: (Named & { scope: "assigned" | "inherit_team" })[];
  campaigns: Named[];
  defaultRoleId: string | undefined;
  defaultCampaignRoleId: string | undefined;
  preview: FormSubmit<InvitationsPreview>;
  invite: FormSubmit<{ link: string | null }>;
};

/** Opens the form that invites people. */
export function InviteButton(props: Props) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <UserPlus aria-hidden />
        Invite
      </Button>
      {open && <InviteDialog {...props} onClose={() => setOpen(false)} />}
    </>
  );
}

/** What was typed and chosen, kept while one looks at what it gives. */
type Draft = Omit<InviteeChoices, "roles" | "campaignRoles" | "campaigns"> & { text: string; mail: boolean };

/** Asks for addresses, roles and campaigns; shows what they give; invites, and shows the link of a single one. */
function InviteDialog({ onClose, ...props }: Props & { onClose: () => void }) {
  const { teamId, teamName, roles, campaigns, defaultRoleId = "", defaultCampaignRoleId = "", preview, invite } = props;
  const campaignRoles = roles.filter(({ scope }) => scope === "assigned");
  const [draft, setDraft] = useState<Draft>({
    text: "",
    mail: true,
    roleId: defaultRoleId,
    campaignIds: [],
    campaignRoleId: defaultCampaignRoleId,
  });
  const [problems, setProblems] = useState<string[]>([]);
  const [seen, setSeen] = useState<{ list: InvitationList; found: InvitationsPreview } | null>(null);
  const [made, setMade] = useState<{ message: string; link: string | null } | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [pending, startTransition] = useTransition();

  const fail = (state: FormState<unknown> | null) => {
    if (state) tellIfSessionEnded(state);
    setFailure(state ? told(state) : away);
  };
  const look = () => {
    const { text, mail, ...chosen } = draft;
    const read = readInvitees(text, { roles, campaignRoles, campaigns, ...chosen });
    if (read.invitees.length === 0 && read.problems.length === 0) read.problems.push("Enter an e-mail address first.");
    setProblems(read.problems);
    setFailure(null);
    if (read.problems.length > 0) return;
    const list = { team: teamId, mail, invitations: read.invitees };
    startTransition(async () => {
      const state = await preview(unsent, formOf(list)).catch(() => null);
      if (state?.error === null && state.data) setSeen({ list, found: state.data });
      else fail(state);
    });
  };
  const send = ({ list }: { list: InvitationList }) =>
    startTransition(async () => {
      const state = await invite(unsent, formOf(list)).catch(() => null);
      if (state?.error === null) setMade({ message: state.message ?? "", link: state.data?.link ?? null });
      else fail(state);
    });

  const alert = <FormError error={failure} pending={pending} />;
  return (
    <Dialog title={`Invite people to ${teamName}`} onClose={onClose} className="w-144">
      {(close) =>
        made ? (
          <>
            <DialogBody>
              <p role="status" className="wrap-anywhere">
                {made.message}
              </p>
              {made.link && <CopyLink link={made.link} />}
              <p className="text-muted-foreground text-sm">
                An invitation works once, for seven days, and only for somebody who signs in with its address. The list
                of open invitations says what was sent, and has the links.
              </p>
            </DialogBody>
            <DialogFooter>
              <Button onClick={close}>Done</Button>
            </DialogFooter>
          </>
        ) : seen ? (
          <>
            <DialogBody className="min-h-28">
              <Found found={seen.found} teamName={teamName} />
              {alert}
            </DialogBody>
            <DialogFooter>
              <Button variant="outline" onClick={() => setSeen(null)}>
                Back
              </Button>
              {seen.found.made.length > 0 && (
                <Button aria-disabled={pending} onClick={() => !pending && send(seen)} data-first>
                  {pending ? "Inviting…" : `Invite ${people(seen.found.made.length)}`}
                </Button>
              )}
            </DialogFooter>
          </>
        ) : (
          <InviteForm
            draft={draft}
            onChange={(changed) => setDraft((before) => ({ ...before, ...changed }))}
            onSubmit={() => !pending && look()}
            roles={roles}
            campaignRoles={campaignRoles}
            campaigns={campaigns}
            problems={problems}
            alert={alert}
          >
            <DialogFooter>
              <Button variant="outline" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" aria-disabled={pending}>
                {pending ? "Working out what they get…" : "See what they get"}
              </Button>
            </DialogFooter>
          </InviteForm>
        )
      }
    </Dialog>
  );
}

function InviteForm({
  draft,
  onChange,
  onSubmit,
  roles,
  campaignRoles,
  campaigns,
  problems,
  alert,
  children,
}: {
  draft: Draft;
  onChange: (changed: Partial<Draft>) => void;
  onSubmit: () => void;
  roles: Named[];
  campaignRoles: Named[];
  campaigns: Named[];
  problems: string[];
  alert: ReactNode;
  /** The buttons. */
  children: ReactNode;
}) {
  const id = useId();
  const issue = problems.length > 0 ? "" : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onSubmit();
  };
  const toggle = (campaign: string) => {
    const others = draft.campaignIds.filter((one) => one !== campaign);
    onChange({ campaignIds: others.length < draft.campaignIds.length ? others : [...others, campaign] });
  };
  return (
    <form onSubmit={submit} noValidate className="flex min-h-0 flex-col">
      <DialogBody>
        <Field
          id={`${id}-text`}
          label="E-mail addresses"
          hint="One or many; or a table with the columns email, name, role, campaign, campaign role."
        >
          <textarea
            id={`${id}-text`}
            rows={4}
            autoComplete="off"
            spellCheck={false}
            data-first
            value={draft.text}
            onChange={(event) => onChange({ text: event.target.value })}
            className="min-h-24 w-full min-w-0 rounded-md border border-input bg-background px-2.5 py-1.5 text-base focus-visible:border-ring focus-visible:outline-offset-0 aria-invalid:border-destructive pointer-coarse:text-lg"
            {...describedBy(`${id}-text`, { issue, hint: true })}
          />
          <input
            type="file"
            accept=".csv,.tsv,.txt,text/csv,text/plain"
            aria-label="Take them from a CSV file"
            onChange={async (event) => {
              const file = event.target.files?.[0];
              if (file) onChange({ text: await file.text() });
            }}
            className="max-w-full text-muted-foreground text-sm file:mr-2 file:h-8 file:cursor-pointer file:rounded-md file:border file:border-input file:border-solid file:bg-background file:px-3 file:font-medium file:text-foreground pointer-coarse:file:h-11"
          />
        </Field>
        <div id={`${id}-text-issue`} role="alert" className="text-destructive text-sm empty:hidden">
          {problems.length > 0 && (
            <ul>
              {problems.slice(0, problemsShown).map((problem) => (
                <li key={problem} className="wrap-anywhere">
                  {problem}
                </li>
              ))}
              {problems.length > problemsShown && <li>And {problems.length - problemsShown} more.</li>}
            </ul>
          )}
        </div>
        <Field id={`${id}-role`} label="Role in the team">
          <Choice id={`${id}-role`} value={draft.roleId} options={roles} onChange={(roleId) => onChange({ roleId })} />
        </Field>
        {campaigns.length > 0 && (
          <fieldset className="flex flex-col gap-1.5">
            <legend className="mb-1.5 font-medium text-sm">Campaigns</legend>
            <ul className="max-h-36 divide-y overflow-y-auto rounded-md border">
              {campaigns.map(({ id: campaign, name }) => (
                <li key={campaign}>
                  {/* biome-ignore lint/a11y/noLabelWithoutControl: the box inside is one */}
                  <label className="flex cursor-pointer items-center gap-3 px-3 py-1.5 hover:bg-muted/60 pointer-coarse:py-3">
                    <Checkbox checked={draft.campaignIds.includes(campaign)} onChange={() => toggle(campaign)} />
                    <span className="wrap-anywhere min-w-0">{name}</span>
                  </label>
                </li>
              ))}
            </ul>
          </fieldset>
        )}
        {campaigns.length > 0 && (
          <Field id={`${id}-campaign-role`} label="Role in these campaigns">
            <Choice
              id={`${id}-campaign-role`}
              value={draft.campaignRoleId}
              options={campaignRoles}
              onChange={(campaignRoleId) => onChange({ campaignRoleId })}
            />
          </Field>
        )}
        {/* biome-ignore lint/a11y/noLabelWithoutControl: the box inside is one */}
        <label className="flex cursor-pointer items-center gap-3 pointer-coarse:min-h-11">
          <Checkbox checked={draft.mail} onChange={() => onChange({ mail: !draft.mail })} />
          E-mail the invitations
        </label>
        {alert}
      </DialogBody>
      {children}
    </form>
  );
}

const problemsShown = 8;
const away = "The server could not be reached, and nobody was invited. Check your connection and try again.";

function Choice({
  options,
  onChange,
  ...props
}: {
  id: string;
  value: string;
  options: Named[];
  onChange: (id: string) => void;
}) {
  return (
    <Select {...props} onChange={(event) => onChange(event.target.value)}>
      {options.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </Select>
  );
}

function Found({
  found: { made, members, invited, effects },
  teamName,
}: {
  found: InvitationsPreview;
  teamName: string;
}) {
  return (
    <>
      <p role="status" className="wrap-anywhere">
        {made.length === 0
          ? "Nobody is left to invite."
          : `This is what ${made.length === 1 ? `${made[0]?.email} gets` : `${people(made.length)} get`}:`}
      </p>
      <Left addresses={members} why="in the team already" />
      <Left addresses={invited} why="invited already" />
      <EffectsList effects={effects} teamName={teamName} />
    </>
  );
}

function Left({ addresses, why }: { addresses: string[]; why: string }) {
  if (addresses.length === 0) return null;
  return (
    <p className="wrap-anywhere text-muted-foreground text-sm">
      Left out, {why}: {addresses.join(", ")}
    </p>
  );
}

const people = (count: number) => (count === 1 ? "1 person" : `${count} people`);

function formOf(list: InvitationList) {
  const form = new FormData();
  form.set("list", JSON.stringify(list));
  return form;
}

// Where one address of a list is refused, it says which by its place.
function told({
  error,
  zodIssues,
}: {
  error: string | null;
  zodIssues?: { path: (string | number)[]; message: string }[];
}) {
  const issue = zodIssues?.[0];
  if (!issue) return error;
  const at = issue.path[2];
  return typeof at === "number" ? `Address ${at + 1} ${issue.message}.` : `The list ${issue.message}.`;
}
