"use client";

import { usePathname } from "next/navigation";
import { ActionForm } from "@/components/forms/action-form";
import { InputField } from "@/components/forms/input-field";
import { requestAccess } from "@/components/permissions/request-access";
import { useFormat } from "@/components/shell/format-provider";
import type { Place } from "@/lib/ids";
import type { OwnRequest } from "@/lib/team-access/requests";

/** The key and place to ask for, the page to return to (this one by default), and the latest request. */
export type AskForAccessProps = { place: Place; permissionKey: string; page?: string; request: OwnRequest | undefined };

/** Asks the administrators for a permission, and shows the state of the request. Put it in a wrapping row of buttons. */
export function AskForAccess({ place, permissionKey, page, request }: AskForAccessProps) {
  const { dateTime } = useFormat();
  const pathname = usePathname();
  const isOpen = request?.closed_at === null;
  const status = isOpen
    ? `You requested access on ${dateTime(request.asked_at)}. This page updates when an administrator answers.`
    : request?.closed_at && !request.granted
      ? `Your request was declined on ${dateTime(request.closed_at)}${request.answer ? `: “${request.answer.replace(/(?<![.!?])$/, ".")}”` : "."} You can ask again.`
      : null;
  return (
    <ActionForm
      action={requestAccess}
      hidden={{
        team: place.team,
        ...(place.campaign !== undefined && { campaign: place.campaign }),
        key: permissionKey,
        page: page ?? pathname,
      }}
      submit={[isOpen ? "Access requested" : "Request access", "Sending…"]}
      ready={!isOpen}
      className="contents [&>[role=alert]]:order-1 [&>[role=alert]]:basis-full"
      frame={({ fields, submit, error }) => (
        <>
          {fields}
          {submit}
          {error}
        </>
      )}
    >
      {(state) => (
        <>
          <p role="status" className="basis-full empty:hidden">
            {status ?? state.message}
          </p>
          {!isOpen && (
            <div className="basis-full [&>*]:max-w-md">
              <InputField state={state} name="reason" label="Reason (optional)" maxLength={300} />
            </div>
          )}
        </>
      )}
    </ActionForm>
  );
}
