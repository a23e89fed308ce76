"use client";

import { useId, useState } from "react";
import { LeaveGuard } from "@/components/forms/leave-guard";
import { type SaveAccess, useAccessChanges } from "@/components/team-access/access-changes";
import { MemberStatusForm } from "@/components/team-access/member-status-form";
import { changeRole, remove } from "@/components/team-access/membership-change";
import { Button } from "@/components/ui/button";
import { Field } from "@/components/ui/field";
import { Select } from "@/components/ui/select";
import type { Member } from "@/lib/team-access/members";

/** Role and status of one member, with what changes them. Not for one's own membership. */
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
  const id = useId();
  const { review } = useAccessChanges();
  // What it was when it was chosen, too: somebody else may change it meanwhile.
  const [draft, setDraft] = useState<{ roleId: string; of: Member } | null>(null);
  const chosen = roles.find((role) => role.id === (draft?.roleId ?? member.roleId));
  const forget = () => setDraft(null);
  const differs = draft !== null && draft.roleId !== draft.of.roleId;
  return (
    <div className="flex flex-col gap-4">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen && draft && differs)
            review({ ...changeRole(teamId, [draft.of], chosen), onDone: forget, onCancel: forget });
        }}
        className="flex flex-wrap items-end gap-2"
      >
        <div className="min-w-0 flex-1 md:max-w-72">
          <Field id={id} label="Role in the team">
            <Select
              id={id}
              value={chosen?.id}
              onChange={(event) => setDraft({ roleId: event.target.value, of: draft?.of ?? member })}
            >
              {roles.map((role) => (
                <option key={role.id} value={role.id}>
                  {role.name}
                </option>
              ))}
            </Select>
          </Field>
        </div>
        <Button type="submit" variant={differs ? "default" : "outline"} aria-disabled={!differs}>
          Change role
        </Button>
      </form>
      <div className="flex flex-wrap items-start gap-2">
        {member.status !== "invited" && <MemberStatusForm teamId={teamId} member={member} save={save} />}
        <Button variant="danger" onClick={() => review(remove(teamId, [member]))}>
          Remove from the team
        </Button>
      </div>
      <LeaveGuard armed={differs} />
    </div>
  );
}
