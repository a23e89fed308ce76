"use client";

import { useState } from "react";
import { ActionForm } from "@/components/forms/action-form";
import { LeaveGuard } from "@/components/forms/leave-guard";
import { SelectField } from "@/components/forms/select-field";
import { useAccessChanges } from "@/components/team-access/access-changes";
import type { SaveAccess } from "@/components/team-access/change-review";
import { changeRole, reactivateMembers, removeMembers, suspendMembers } from "@/components/team-access/member-changes";
import { Button } from "@/components/ui/button";
import type { Member } from "@/lib/team-access/members";

/** Changes role and status of one member. Not for one's own membership. */
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
  // With the member as shown when the role was chosen: someone else may change it in the meantime.
  const [draft, setDraft] = useState<{ roleId: string; of: Member } | null>(null);
  const chosen = roles.find((role) => role.id === (draft?.roleId ?? member.roleId));
  const discard = () => setDraft(null);
  const differs = draft !== null && draft.roleId !== draft.of.roleId;
  const statusChange = (member.status === "suspended" ? reactivateMembers : suspendMembers)(team.id, [member]);
  return (
    <div className="flex flex-col gap-4">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen && draft && differs) {
            review({ ...changeRole(team.id, [draft.of], chosen), onDone: discard, onCancel: discard });
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
        {member.status !== "invited" && (
          // Saved immediately without JavaScript, and after a preview with it.
          <ActionForm
            action={save}
            hidden={{ change: JSON.stringify(statusChange.change) }}
            submit={[statusChange.confirm, "Saving…"]}
            variant={statusChange.danger ? "danger" : "outline"}
            className="w-auto"
            holdBack={() => {
              review(statusChange);
              return true;
            }}
          />
        )}
        <Button variant="danger" onClick={() => review(removeMembers(team.id, [member]))}>
          Remove from the team
        </Button>
      </div>
      <LeaveGuard armed={differs} />
    </div>
  );
}
