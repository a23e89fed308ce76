"use client";

import { useActionState, useState } from "react";
import { LeaveGuard } from "@/components/forms/leave-guard";
import { SelectField } from "@/components/forms/select-field";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { useAccessChanges } from "@/components/team-access/access-changes";
import type { SaveAccess } from "@/components/team-access/change-review";
import { changeRole, reactivateMembers, removeMembers, suspendMembers } from "@/components/team-access/member-changes";
import { Button } from "@/components/ui/button";
import { unsent } from "@/lib/forms/form-state";
import type { Member } from "@/lib/team-access/members";

/** Changes role and status of one member. Not for one's own membership. */
export function MemberActions({
  teamId,
  member,
  roles,
  save,
}: {
  teamId: string;
  member: Member;
  roles: { id: string; name: string }[];
  save: SaveAccess;
}) {
  const { review } = useAccessChanges();
  // With the member as shown when the role was chosen: someone else may change it in the meantime.
  const [draft, setDraft] = useState<{ roleId: string; of: Member } | null>(null);
  const chosen = roles.find((role) => role.id === (draft?.roleId ?? member.roleId));
  const discard = () => setDraft(null);
  const differs = draft !== null && draft.roleId !== draft.of.roleId;
  return (
    <div className="flex flex-col gap-4">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen && draft && differs) {
            review({ ...changeRole(teamId, [draft.of], chosen), onDone: discard, onCancel: discard });
          }
        }}
        className="flex flex-wrap items-end gap-2"
      >
        <div className="min-w-0 flex-1 md:max-w-72">
          <SelectField
            label="Role in the team"
            options={roles}
            value={chosen?.id}
            onPick={(roleId) => setDraft({ roleId, of: draft?.of ?? member })}
          />
        </div>
        <Button type="submit" variant={differs ? "default" : "outline"} aria-disabled={!differs}>
          Change role
        </Button>
      </form>
      <div className="flex flex-wrap items-start gap-2">
        {member.status !== "invited" && <StatusForm teamId={teamId} member={member} save={save} />}
        <Button variant="danger" onClick={() => review(removeMembers(teamId, [member]))}>
          Remove from the team
        </Button>
      </div>
      <LeaveGuard armed={differs} />
    </div>
  );
}

/** Suspends or reactivates a member after a preview. Without JavaScript it is saved immediately. */
function StatusForm({ teamId, member, save }: { teamId: string; member: Member; save: SaveAccess }) {
  const [state, action] = useActionState(save, unsent);
  useSessionEnded(state);
  const { review } = useAccessChanges();
  const asked = (member.status === "suspended" ? reactivateMembers : suspendMembers)(teamId, [member]);
  return (
    <form
      action={action}
      onSubmit={(event) => {
        event.preventDefault();
        review(asked);
      }}
      className="flex flex-col gap-1"
    >
      <input type="hidden" name="change" value={JSON.stringify(asked.change)} />
      <Button type="submit" variant="outline">
        {asked.confirm}
      </Button>
      {(state.message ?? state.error) && <p className="text-sm">{state.message ?? state.error}</p>}
    </form>
  );
}
