"use client";

import { useActionState } from "react";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { type SaveAccess, useAccessChanges } from "@/components/team-access/access-changes";
import { makeActive, suspend } from "@/components/team-access/membership-change";
import { Button } from "@/components/ui/button";
import { unsent } from "@/lib/forms/form-state";
import type { Member } from "@/lib/team-access/members";

/**
 * Suspends a member, or makes a suspended one active again, after what that changes was seen. Without JavaScript it is sent
 * at once, and says what came of it.
 */
export function MemberStatusForm({ teamId, member, save }: { teamId: string; member: Member; save: SaveAccess }) {
  const [state, action] = useActionState(save, unsent);
  useSessionEnded(state);
  const { review } = useAccessChanges();
  const asked = (member.status === "suspended" ? makeActive : suspend)(teamId, [member]);
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
