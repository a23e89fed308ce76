"use client";

import { usePathname } from "next/navigation";
import { useActionState } from "react";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { submitAccessRequest } from "@/components/permissions/submit-access-request";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { unsent } from "@/lib/forms/form-state";
import type { Place } from "@/lib/ids";
import type { OwnRequest } from "@/lib/team-access/requests";

/** What is asked for: a key in a place, to go on to `page` (else to this one), and how far a request for it is. */
export type Asked = { place: Place; permissionKey: string; page?: string; request: OwnRequest | undefined };

/** Asks the administrators for what is missing, and says how far that is. Stands in a wrapping row of buttons. */
export function AskForAccess({ place, permissionKey, page, request }: Asked) {
  const [state, send, pending] = useActionState(submitAccessRequest, unsent);
  useSessionEnded(state);
  const { dateTime } = useFormat();
  const pathname = usePathname();
  const waits = request?.closed_at === null;
  return (
    <form action={send} onSubmit={(event) => (pending || waits) && event.preventDefault()} className="contents">
      <input type="hidden" name="team" value={place.team} />
      {place.campaign !== undefined && <input type="hidden" name="campaign" value={place.campaign} />}
      <input type="hidden" name="key" value={permissionKey} />
      <input type="hidden" name="page" value={page ?? pathname} />
      <Button type="submit" aria-disabled={pending || waits}>
        {pending ? "Asking…" : waits ? "Asked" : "Ask for access"}
      </Button>
      <p role="status" className="order-1 basis-full empty:hidden">
        {pending
          ? null
          : waits
            ? `Asked ${dateTime(request.asked_at)}. The administrators of the team see it, and their answer shows here at once.`
            : request?.closed_at && !request.granted
              ? `Your request was closed ${dateTime(request.closed_at)} without access. You can ask again.`
              : state.message}
      </p>
      <p role="alert" className="order-1 basis-full text-destructive empty:hidden">
        {pending ? null : state.error}
      </p>
    </form>
  );
}
