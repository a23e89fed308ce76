"use client";

import { usePathname } from "next/navigation";
import { useActionState } from "react";
import { useSessionEnded } from "@/components/forms/use-session-ended";
import { requestAccess } from "@/components/permissions/request-access";
import { useFormat } from "@/components/shell/format-provider";
import { Button } from "@/components/ui/button";
import { unsent } from "@/lib/forms/form-state";
import type { Place } from "@/lib/ids";
import type { OwnRequest } from "@/lib/team-access/requests";

/** The key and place to ask for, the page to return to (this one by default), and the latest request. */
export type Asked = { place: Place; permissionKey: string; page?: string; request: OwnRequest | undefined };

/** Asks the administrators for a permission, and shows the state of the request. Put it in a wrapping row of buttons. */
export function AskForAccess({ place, permissionKey, page, request }: Asked) {
  const [state, send, pending] = useActionState(requestAccess, unsent);
  useSessionEnded(state);
  const { dateTime } = useFormat();
  const pathname = usePathname();
  const isOpen = request?.closed_at === null;
  return (
    <form action={send} onSubmit={(event) => (pending || isOpen) && event.preventDefault()} className="contents">
      <input type="hidden" name="team" value={place.team} />
      {place.campaign !== undefined && <input type="hidden" name="campaign" value={place.campaign} />}
      <input type="hidden" name="key" value={permissionKey} />
      <input type="hidden" name="page" value={page ?? pathname} />
      <Button type="submit" aria-disabled={pending || isOpen}>
        {pending ? "Asking…" : isOpen ? "Asked" : "Ask for access"}
      </Button>
      <p role="status" className="order-1 basis-full empty:hidden">
        {pending
          ? null
          : isOpen
            ? `Asked ${dateTime(request.asked_at)}. Your administrators have been asked. This page updates when they answer.`
            : request?.closed_at && !request.granted
              ? `Your request was declined ${dateTime(request.closed_at)}. You can ask again.`
              : state.message}
      </p>
      <p role="alert" className="order-1 basis-full text-destructive empty:hidden">
        {pending ? null : state.error}
      </p>
    </form>
  );
}
