"use client";

import { useActionState } from "react";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { useFormat } from "@/components/shell/format-provider";
import { Badge } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { type FormSubmit, unsent } from "@/lib/forms/form-state";
import type { OpenInvitation } from "@/lib/invitations/list-invitations";

/** Invitations that nobody has accepted yet, each with the way to revoke it. Nothing where there is none. */
export function OpenInvitationsList({
  teamId,
  invitations,
  revoke,
}: {
  teamId: string;
  invitations: OpenInvitation[];
  revoke: FormSubmit;
}) {
  const [state, send, pending] = useActionState(revoke, unsent);
  useSessionEnded(state);
  const { shortDay } = useFormat();
  return (
    <section aria-label="Open invitations" className={invitations.length > 0 ? "flex flex-col gap-2" : "sr-only"}>
      {invitations.length > 0 && (
        <>
          <h2 className="font-semibold">Open invitations</h2>
          <ul className="divide-y rounded-md border">
            {invitations.map(({ id, email, role, invitedBy, expiresAt, expired }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-4 py-1.5">
                <p className="wrap-anywhere min-w-0 flex-1 basis-60">
                  <span className="font-medium">{email}</span>{" "}
                  <span className="text-muted-foreground text-sm">
                    as {role}
                    {invitedBy && `, by ${invitedBy}`}
                  </span>
                </p>
                <Badge tone={expired ? "neutral" : "waiting"}>
                  {expired ? "expired" : `until ${shortDay(expiresAt)}`}
                </Badge>
                <form action={send} onSubmit={(event) => pending && event.preventDefault()}>
                  <input type="hidden" name="team" value={teamId} />
                  <input type="hidden" name="id" value={id} />
                  <Button type="submit" variant="outline" aria-disabled={pending}>
                    Revoke<span className="sr-only"> the invitation of {email}</span>
                  </Button>
                </form>
              </li>
            ))}
          </ul>
        </>
      )}
      <p role="status" className="text-muted-foreground text-sm empty:hidden">
        {pending ? "Revoking…" : state.message}
      </p>
      <p role="alert" className="text-destructive text-sm empty:hidden">
        {pending ? null : state.error}
      </p>
    </section>
  );
}
