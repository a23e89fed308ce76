"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, startTransition, useCallback, useEffect, useId, useRef, useState, useTransition } from "react";
import { FormError } from "@/components/forms/form-error";
import { useFormat } from "@/components/shell/format-provider";
import { EffectsList, shortList } from "@/components/team-access/effects-list";
import { EndField, EndIssue, isPastEnd } from "@/components/team-access/end-field";
import { Button } from "@/components/ui/button";
import { Checkbox } from "@/components/ui/checkbox";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { ButtonLink } from "@/components/ui/link";
import { errorReason, type FormState, type FormSubmit, initialFormState, toFormData } from "@/lib/forms/form-state";
import { onSessionRenewed, reportIfSessionEnded } from "@/lib/forms/session-ended";
import { unreachable } from "@/lib/http/call-api";
import type { AccessChange, AccessPreview } from "@/lib/team-access/access-change";
import { savedMessage } from "@/lib/team-access/messages";

/** The server action that makes an access change. */
export type SaveAccess = FormSubmit;
/** The server action that previews an access change. */
export type PreviewAccess = FormSubmit<AccessPreview>;

/** A change that someone wants to make, before its preview. */
export type ChangeRequest = {
  change: AccessChange;
  /** A question: `Suspend Jun Park?` */
  title: string;
  /** The button that makes the change. */
  confirm: string;
  /** It removes something: the button is red, and focus starts on Cancel. */
  danger?: boolean;
  note?: ReactNode;
  /** The last day of the role that they have in the campaign, if the dialog lets it be changed too. */
  endsOn?: string | null | undefined;
  /** Why it can't be made now, and what to do first. Then nothing is previewed. */
  blocked?: string | undefined;
  /** What to say once it is saved, if that is more than the server knows: `Jun Park suspended.` */
  done?: string;
  /** Who has what is changed, shown if no one's access changes. */
  uses?: string;
  /** The page to go to once it is saved, for a change after which this one is gone. */
  leadsTo?: string;
  /** Called when the draft is obsolete: it is saved (true), or the page reloads (false). */
  onDone?: (saved: boolean) => void;
  /** Called when it isn't saved, for any reason. */
  onCancel?: () => void;
};

const isReactivated = ({ before, after }: Extract<AccessChange, { kind: "members" }>["members"][number]) =>
  before.status === "suspended" && after?.status === "active";

/** Whether it is about one person, named in its title. */
function isAboutOne(change: AccessChange): boolean {
  const people = change.kind === "members" ? change.members : change.kind === "campaigns" ? change.places : [];
  return change.kind === "leave-team" || new Set(people.map(({ userId }) => userId)).size === 1;
}

const lost = { message: null, error: unreachable };

/**
 * The place of a change that sets a last day for a role in one campaign. `now` is the role there before the change. Null for
 * other changes, and if it has an end.
 */
function placeWithEnd(change: AccessChange, now: string | null | undefined, endsOn: string | null) {
  const [place, ...others] = change.kind === "campaigns" ? change.places : [];
  if (!place || others.length > 0) return null;
  const { before, after } = place;
  const ends = before.roleId === null ? null : now;
  if (ends === undefined || after.roleId === null || after.endsOn !== undefined) return null;
  return { ...place, before: { ...before, endsOn: ends }, after: { ...after, endsOn } };
}

/** Shows who gains and loses what by a change, and makes it once confirmed. */
export function ChangeReview({
  request: {
    change,
    title,
    confirm,
    danger = false,
    note,
    endsOn: endsNow,
    blocked,
    done,
    uses,
    leadsTo,
    onDone,
    onCancel,
  },
  teamName,
  save,
  preview,
  onSaved,
  onClose,
}: {
  request: ChangeRequest;
  teamName: string;
  save: SaveAccess;
  preview: PreviewAccess;
  onSaved: (message: string) => void;
  onClose: () => void;
}) {
  const router = useRouter();
  const [shown, setShown] = useState<FormState<AccessPreview> | null>(null);
  const [failed, setFailed] = useState<FormState<unknown>>(
    blocked ? { message: null, error: blocked } : initialFormState,
  );
  const [endsOn, setEndsOn] = useState(endsNow ?? null);
  const { timeZone } = useFormat();
  const issueId = useId();
  const [takeOver, setTakeOver] = useState(false);
  const [saving, startSaving] = useTransition();
  const saved = useRef(false);

  const load = useCallback(async () => {
    if (blocked) return;
    setShown(null);
    setFailed(initialFormState);
    const state = await preview(initialFormState, toFormData({ change: JSON.stringify(change) })).catch(() => lost);
    reportIfSessionEnded(state);
    setShown(state);
    setFailed(state);
  }, [preview, change, blocked]);
  useEffect(() => void load(), [load]);
  useEffect(() => onSessionRenewed(() => void load()), [load]);

  const failure = failed.error;
  const isLast = errorReason(failed) === "last-to-leave";
  const loading = shown === null && failure === null;
  const ending = placeWithEnd(change, endsNow, endsOn);
  const ready = shown?.error === null && failure === null && !isPastEnd(endsOn, timeZone);
  const isReactivation = change.kind === "members" && change.members.some(isReactivated);
  const { effects, invitations } = (shown?.error === null && shown.data) || { effects: [], invitations: [] };

  const close = () => {
    if (!saved.current) onCancel?.();
    onClose();
  };
  const confirmChange = () =>
    startSaving(async () => {
      const json = JSON.stringify({ ...change, ...(ending && { places: [ending] }), ...(takeOver && { takeOver }) });
      const state = await save(initialFormState, toFormData({ change: json })).catch(() => lost);
      reportIfSessionEnded(state);
      if (state.error !== null) return setFailed(state);
      saved.current = true;
      // Runs with the page that the action renders again.
      startTransition(() => {
        onDone?.(true);
        const said = savedMessage(change);
        onSaved((state.message ?? "Saved.").replace(said, () => done ?? said));
        if (leadsTo) router.replace(leadsTo);
        close();
      });
    });
  const reload = () => {
    onDone?.(false);
    router.refresh();
    close();
  };

  return (
    <Dialog title={isLast ? `You can't leave ${teamName} yet` : title} onClose={close}>
      <DialogBody className="min-h-28">
        {note && !isLast && <div className="wrap-anywhere flex flex-col gap-1 empty:hidden">{note}</div>}
        <p role="status" className="text-muted-foreground empty:hidden">
          {saving ? "Saving…" : loading ? "Checking whose access changes…" : shown?.message}
        </p>
        {ready && effects.length === 0 && uses && <p className="text-muted-foreground">{uses}</p>}
        {effects.length > 0 && (
          <EffectsList
            effects={effects}
            teamName={teamName}
            isNamed={isAboutOne(change)}
            who={change.kind === "leave-team" ? "You" : undefined}
            isReactivation={isReactivation}
          />
        )}
        {invitations.length > 0 && (
          <StoppedInvitations
            invitations={invitations}
            {...((change.kind === "members" || change.kind === "campaigns") && { takeOver, setTakeOver })}
          />
        )}
        {ending && failure === null && (
          <div>
            <EndField label="Role ends" issueId={issueId} value={endsOn} onChange={setEndsOn} />
            <EndIssue id={issueId} value={endsOn}>
              {endsOn && ending.after.setIds.length > 0 && "Extra permission sets stay when the role ends."}
            </EndIssue>
          </div>
        )}
        <FormError error={failure} pending={saving} />
      </DialogBody>
      <DialogFooter>
        <Button variant="outline" onClick={close} data-first={danger || undefined}>
          Cancel
        </Button>
        {failure === unreachable && !saving ? (
          <Button onClick={() => void load()}>Try again</Button>
        ) : isLast && !saving ? (
          <ButtonLink href={`/${change.team}/members`}>Go to Members</ButtonLink>
        ) : failure !== null && !saving ? (
          /Reload the page|Try again/.test(failure) && <Button onClick={reload}>Reload</Button>
        ) : (
          <Button
            variant={danger ? "danger" : "default"}
            aria-disabled={!ready || saving}
            onClick={() => ready && !saving && confirmChange()}
            data-first={!danger || undefined}
          >
            {saving ? "Saving…" : confirm}
          </Button>
        )}
      </DialogFooter>
    </Dialog>
  );
}

/** Open invitations that stop working with a change; some can be taken over. */
function StoppedInvitations({
  invitations,
  takeOver,
  setTakeOver,
}: {
  invitations: AccessPreview["invitations"];
  takeOver?: boolean;
  setTakeOver?: (takeOver: boolean) => void;
}) {
  const count = invitations.length;
  const free = invitations.filter(({ canTakeOver }) => canTakeOver).length;
  const inviters = [...new Set(invitations.map(({ invitedBy }) => invitedBy))];
  const emails = invitations.map(({ email }) => email);
  return (
    <div className="flex flex-col gap-1 rounded-md border px-3 py-2">
      <p title={emails.join(", ")} className="wrap-anywhere">
        {count === 1 ? "1 open invitation" : `${count} open invitations`} from {inviters.join(", ")} will stop working:{" "}
        {shortList(emails)}.
      </p>
      {free > 0 && setTakeOver && (
        <label className="flex cursor-pointer items-center gap-3 pointer-coarse:min-h-11">
          <Checkbox checked={takeOver ?? false} onChange={() => setTakeOver(!takeOver)} />
          Take over {free < count ? `${free} of them` : count === 1 ? "this invitation" : "these invitations"}:{" "}
          {free === 1 ? "the link keeps working" : "the links keep working"}
        </label>
      )}
      {free < count && setTakeOver && (
        <p className="text-muted-foreground text-sm">
          You can&apos;t take over {free > 0 ? count - free : count === 1 ? "this invitation" : "these invitations"}:
          you don&apos;t have all the permissions {count - free === 1 ? "it grants" : "they grant"}.
        </p>
      )}
    </div>
  );
}
