"use client";

import { useRef, useState } from "react";
import { ActionForm } from "@/components/forms/action-form";
import { useFormat } from "@/components/shell/format-provider";
import { Badge } from "@/components/ui/badge";
import type { SessionDevice } from "@/lib/auth/sessions";
import { capitalized } from "@/lib/format/text";
import type { FormSubmit } from "@/lib/forms/form-state";

/** Where the person is signed in; other devices can be signed out, one or all. */
export function SessionsList({
  sessions,
  ownId,
  signOut,
  signOutOthers,
}: {
  sessions: SessionDevice[];
  ownId: string;
  signOut: FormSubmit;
  signOutOthers: FormSubmit;
}) {
  const format = useFormat();
  const [message, setMessage] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const timeText = (at: string) => `${format.shortDay(at)}, ${format.time(at)}`;
  // The button is gone then.
  const onDone = (done: { message: string | null }) => {
    setMessage(done.message);
    list.current?.focus();
  };
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label="Sessions" className="divide-y rounded-md border">
        {sessions.map(({ id, device, signedInAt, activeAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2">
            <div className="min-w-0">
              <p className="wrap-anywhere">{capitalized(device ?? "an unknown device")}</p>
              <p className="text-muted-foreground text-sm">
                Signed in {timeText(signedInAt)}
                {id !== ownId && `; last active ${timeText(activeAt)}`}
              </p>
            </div>
            {id === ownId ? (
              <Badge tone="success">This device</Badge>
            ) : (
              <ActionForm
                action={signOut}
                hidden={{ id }}
                submit={[
                  <>
                    Sign out
                    <span className="sr-only">
                      {` ${device ?? "an unknown device"}, signed in ${timeText(signedInAt)}`}
                    </span>
                  </>,
                  "Signing out…",
                ]}
                variant="danger"
                className="w-auto"
                onDone={onDone}
              />
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <ActionForm
          action={signOutOthers}
          submit={["Sign out everywhere else", "Signing out…"]}
          variant="outline"
          onDone={onDone}
        />
      )}
      <p role="status" className="empty:hidden">
        {message}
      </p>
    </>
  );
}
