"use client";

import { useActionState } from "react";
import { Button } from "@/components/ui/button";
import { type FormState, unsent } from "@/lib/forms/form-state";
import type { AccessChange } from "@/lib/teams/access-change";
import type { Member } from "@/lib/teams/team-members";

/** The server action that makes an access change. */
export type SaveAccess = (state: FormState, form: FormData) => Promise<FormState>;

/** Suspends a member, or makes a suspended one active again. Says what came of it, beside the button. */
export function MemberStatusForm({ teamId, member, save }: { teamId: string; member: Member; save: SaveAccess }) {
  const [state, action, pending] = useActionState(save, unsent);
  const { userId, roleId, status } = member;
  const suspended = status === "suspended";
  const change: AccessChange = {
    kind: "members",
    team: teamId,
    members: [{ userId, before: { roleId, status }, after: { roleId, status: suspended ? "active" : "suspended" } }],
  };
  return (
    <form action={action} onSubmit={(event) => pending && event.preventDefault()} className="flex flex-col gap-1">
      <input type="hidden" name="change" value={JSON.stringify(change)} />
      <Button type="submit" variant="outline" aria-disabled={pending} className="self-start">
        {suspended ? "Make active" : "Suspend"}
        <span className="sr-only"> {member.name}</span>
      </Button>
      <p role="status" className="text-muted-foreground text-xs empty:hidden">
        {pending ? "Saving…" : state.message}
      </p>
      <p role="alert" className="text-destructive text-xs empty:hidden">
        {pending ? null : state.error}
      </p>
    </form>
  );
}
