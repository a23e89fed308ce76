"use client";

import { useActionState } from "react";
import { Button } from "@/components/ui/button";
import { type FormState, unsent } from "@/lib/forms/form-state";
import type { Member } from "@/lib/teams/team-members";

/** The server action that suspends a member or makes her active again. */
export type ChangeMemberStatus = (state: FormState, form: FormData) => Promise<FormState>;

/** Suspends a member, or makes a suspended one active again. Says what came of it, beside the button. */
export function MemberStatusForm({
  teamId,
  member,
  change,
}: {
  teamId: string;
  member: Member;
  change: ChangeMemberStatus;
}) {
  const [state, action, pending] = useActionState(change, unsent);
  const suspended = member.status === "suspended";
  return (
    <form action={action} onSubmit={(event) => pending && event.preventDefault()} className="flex flex-col gap-1">
      <input type="hidden" name="team" value={teamId} />
      <input type="hidden" name="userId" value={member.userId} />
      <input type="hidden" name="status" value={suspended ? "active" : "suspended"} />
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
