"use client";

import { useId, useState } from "react";
import { ActionForm } from "@/components/forms/action-form";
import { LeaveGuard } from "@/components/forms/leave-guard";
import { SelectField } from "@/components/forms/select-field";
import { useFormat } from "@/components/shell/format-provider";
import { useAccessChanges } from "@/components/team-access/access-changes";
import type { SaveAccess } from "@/components/team-access/change-review";
import { EndField, EndIssue, isPastEnd } from "@/components/team-access/end-field";
import {
  changeMembership,
  reactivateMembers,
  removeMembers,
  suspendMembers,
} from "@/components/team-access/member-changes";
import { Button } from "@/components/ui/button";
import type { Member } from "@/lib/team-access/members";

/** Changes role, last day and status of one member. Not for the user's own membership. */
export function MemberActions({
  member,
  roles,
  save,
}: {
  member: Member;
  roles: { id: string; name: string }[];
  save: SaveAccess;
}) {
  const { team, review } = useAccessChanges();
  const { shortDay, timeZone } = useFormat();
  const issueId = useId();
  // `of` is the member as shown when the draft began: someone else may change it in the meantime.
  const [draft, setDraft] = useState<{ roleId: string; endsOn: string | null; of: Member } | null>(null);
  const { roleId, endsOn } = draft ?? member;
  const role = roles.find(({ id }) => id === roleId);
  const set = (part: { roleId?: string; endsOn?: string | null }) =>
    setDraft({ roleId, endsOn, of: draft?.of ?? member, ...part });
  const discard = () => setDraft(null);
  const roleDiffers = draft !== null && roleId !== draft.of.roleId;
  const endDiffers = draft !== null && endsOn !== draft.of.endsOn;
  const differs = roleDiffers || endDiffers;
  const canSave = differs && !(endDiffers && isPastEnd(endsOn, timeZone));
  const statusChange = (member.status === "suspended" ? reactivateMembers : suspendMembers)(team.id, [member]);
  return (
    <div className="flex flex-col gap-2">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (role && draft && canSave) {
            const request = changeMembership(team.id, draft.of, { role, endsOn }, shortDay);
            review({ ...request, onDone: discard, onCancel: discard });
          }
        }}
        className="flex flex-wrap items-end gap-2"
      >
        <div className="min-w-0 max-md:basis-full md:max-w-72 md:flex-1">
          <SelectField
            label="Team role"
            options={roles}
            value={role?.id}
            onPick={(picked) => set({ roleId: picked })}
          />
        </div>
        <EndField label="Membership ends" issueId={issueId} value={endsOn} onChange={(day) => set({ endsOn: day })} />
        <Button type="submit" variant={canSave ? "default" : "outline"} aria-disabled={!canSave}>
          Save membership
        </Button>
        <div className="basis-full">
          <EndIssue id={issueId} value={endsOn} />
        </div>
      </form>
      <div className="flex flex-wrap items-start gap-2">
        {member.status !== "invited" && (
          // Saved immediately without JavaScript, and after a preview with it.
          <ActionForm
            action={save}
            hidden={{ change: JSON.stringify(statusChange.change) }}
            submit={[statusChange.confirm, "Saving…"]}
            variant={statusChange.danger ? "danger" : "outline"}
            className="w-auto"
            interceptSubmit={() => {
              review(statusChange);
              return true;
            }}
          />
        )}
        <Button
          variant="danger"
          onClick={() => review({ ...removeMembers(team.id, [member]), leadsTo: `/${team.id}/members` })}
        >
          Remove from team
        </Button>
      </div>
      <LeaveGuard armed={differs} />
    </div>
  );
}
