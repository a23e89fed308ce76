"use client";

import { UserPlus } from "lucide-react";
import { useEffect, useState } from "react";
import { FormError } from "@/components/forms/form-error";
import { LeaveDialog, LeaveGuard } from "@/components/forms/leave-guard";
import { CopyLink } from "@/components/invitations/copy-link";
import { InviteForm } from "@/components/invitations/invite-form";
import { InviteesTable, type ListedInvitee } from "@/components/invitations/invitees-table";
import { type Inviting, useInvite } from "@/components/invitations/use-invite";
import { useRequestedDialog } from "@/components/shell/navigation/use-requested-dialog";
import { useAccessChanges } from "@/components/team-access/access-changes";
import { EffectsList, shortList } from "@/components/team-access/effects-list";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { invitationDays } from "@/lib/invitations/invitation-days";
import type { InvitationsPreview } from "@/lib/invitations/invitations";
import type { Invitee } from "@/lib/invitations/read-invitees";

/** Opens the dialog that invites people. */
export function InviteButton(props: Inviting) {
  const { isOpen, open, close } = useRequestedDialog("invite");
  return (
    <>
      <Button onClick={open}>
        <UserPlus aria-hidden />
        Invite
      </Button>
      {isOpen && <InviteDialog {...props} onClose={close} />}
    </>
  );
}

/** Asks for emails, roles and campaigns, previews the access and invites. Then it shows the link of a single invitation. */
function InviteDialog({ onClose, ...inviting }: Inviting & { onClose: () => void }) {
  const { team } = useAccessChanges();
  const invite = useInvite(inviting);
  const { current, draft, failure, pending, back, send } = invite;
  // The focused button disappears with its step.
  useEffect(() => {
    if (current.step) document.querySelector<HTMLElement>("[role=dialog] [data-first]")?.focus();
  }, [current.step]);
  const emails = current.step === "preview" ? current.preview.made.map(({ email }) => email) : [];
  const [leaving, setLeaving] = useState(false);
  const isUnsent = draft.text.trim() !== "" && current.step !== "sent";
  const close = () => (isUnsent ? setLeaving(true) : onClose());
  return (
    <Dialog title={`Invite people to ${team.name}`} onClose={close} className="w-144">
      {current.step === "form" && <InviteForm invite={invite} rows={current.rows} onClose={close} />}
      <LeaveGuard armed={isUnsent} />
      {leaving && (
        <LeaveDialog onStay={() => setLeaving(false)} onDiscard={onClose}>
          No one on your list is invited yet.
        </LeaveDialog>
      )}
      {current.step === "preview" && (
        <>
          <DialogBody className="min-h-28">
            <Preview
              preview={current.preview}
              invited={describeInvited(current.list, current.preview, inviting, team.name)}
              unusedColumns={current.unusedColumns}
              skipped={current.skipped}
              teamName={team.name}
            />
            <FormError error={failure} pending={pending} />
          </DialogBody>
          <DialogFooter>
            <Button variant="outline" onClick={back}>
              Back
            </Button>
            {current.preview.made.length > 0 && (
              <Button aria-disabled={pending} onClick={() => !pending && send(current.list, emails)} data-first>
                {pending ? "Inviting…" : `Invite ${people(current.preview.made.length)}`}
              </Button>
            )}
          </DialogFooter>
        </>
      )}
      {current.step === "sent" && (
        <>
          <DialogBody>
            <p role="status" className="wrap-anywhere">
              {current.message}
            </p>
            {current.link && <CopyLink link={current.link} />}
            <p className="text-muted-foreground text-sm">
              {current.emails.length === 1
                ? `The invitation expires in ${invitationDays} days and only works for ${current.emails[0]}.`
                : `Each invitation expires in ${invitationDays} days and only works for its own address.`}{" "}
              Manage {current.emails.length === 1 ? "it" : "them"} under Open invitations.
            </p>
          </DialogBody>
          <DialogFooter>
            <Button onClick={onClose} data-first>
              Done
            </Button>
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}

const people = (count: number) => (count === 1 ? "1 person" : `${count} people`);

/** Who gets which roles, in words. */
function describeInvited(
  { invitations }: { invitations: Invitee[] },
  { made }: InvitationsPreview,
  { roles, campaigns }: Inviting,
  teamName: string,
): ListedInvitee[] {
  const nameIn = (list: { id: string; name: string }[], wantedId: string) =>
    list.find(({ id }) => id === wantedId)?.name ?? wantedId;
  const addresses = new Set(made.map(({ email }) => email));
  return invitations.flatMap(({ roleId, campaigns: places, ...invitee }) => {
    if (!addresses.has(invitee.email.toLowerCase())) return [];
    const inCampaigns = places.map((place) => `${nameIn(roles, place.roleId)} in ${nameIn(campaigns, place.id)}`);
    return [{ ...invitee, note: [`${nameIn(roles, roleId)} in ${teamName}`, ...inCampaigns].join(", ") }];
  });
}

function Preview({
  preview: { made, effects },
  invited,
  unusedColumns,
  skipped,
  teamName,
}: {
  preview: InvitationsPreview;
  invited: ListedInvitee[];
  unusedColumns: string[];
  skipped: ListedInvitee[];
  teamName: string;
}) {
  // Each person once: the list above the effects already names them.
  const isSameForAll =
    effects.length === made.length && new Set(effects.map(({ places }) => JSON.stringify(places))).size === 1;
  const groups = [...Map.groupBy(invited, ({ note }) => note)];
  const hasDetails = groups.length > 1 || invited.some(({ name }) => name !== null);
  return (
    <>
      <p role="status">{made.length === 0 ? "No one to invite." : `Inviting ${people(made.length)}:`}</p>
      {hasDetails ? (
        <InviteesTable rows={invited} heading="Invited as" />
      ) : (
        groups.map(([access, list]) => (
          <p key={access} className="wrap-anywhere">
            <span className="font-medium">{shortList(list.map(({ email }) => email))}</span> as {access}
          </p>
        ))
      )}
      {unusedColumns.length > 0 && (
        <p className="wrap-anywhere text-warning">
          Columns not used: {unusedColumns.join(", ")}. Name each column you need email, name, role, campaign or
          campaign role.
        </p>
      )}
      {skipped.length > 0 && <InviteesTable rows={skipped} heading="Skipped because" />}
      {effects.length > 0 && <p>When they accept:</p>}
      <EffectsList effects={effects} teamName={teamName} isNamed={made.length === 1 || isSameForAll} who="They" />
    </>
  );
}
