"use client";

import { useActionState } from "react";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { submitAccessRequest } from "@/components/permissions/submit-access-request";
import { Button } from "@/components/ui/button";
import { unsent } from "@/lib/forms/form-state";
import type { Place } from "@/lib/ids";

/** Asks the administrators for what is missing, and says that they see it. Stands in a wrapping row of buttons. */
export function AskForAccess({ place, permissionKey }: { place: Place; permissionKey: string }) {
  const [state, send, pending] = useActionState(submitAccessRequest, unsent);
  useSessionEnded(state);
  const asked = state.error === null && state.message !== null;
  return (
    <form action={send} onSubmit={(event) => (pending || asked) && event.preventDefault()} className="contents">
      <input type="hidden" name="team" value={place.team} />
      {place.campaign !== undefined && <input type="hidden" name="campaign" value={place.campaign} />}
      <input type="hidden" name="key" value={permissionKey} />
      <Button type="submit" aria-disabled={pending || asked}>
        {pending ? "Asking…" : "Ask for access"}
      </Button>
      <p role="status" className="order-1 basis-full empty:hidden">
        {pending ? null : state.message}
      </p>
      <p role="alert" className="order-1 basis-full text-destructive empty:hidden">
        {pending ? null : state.error}
      </p>
    </form>
  );
}
