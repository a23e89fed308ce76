"use client";

import { useRef, useState } from "react";
import { ActionForm } from "@/components/forms/action-form";
import { useFormat } from "@/components/shell/format-provider";
import { Badge } from "@/components/ui/badge";
import type { SessionDevice } from "@/lib/auth/sessions";
import { capitalized } from "@/lib/format/text";
import type { FormSubmit } from "@/lib/forms/form-state";

/** Where the person is signed in; each other device can be signed out. */
export function SessionsList({
  sessions,
  ownId,
  signOut,
}: {
  sessions: SessionDevice[];
  ownId: string;
  signOut: FormSubmit;
}) {
  const format = useFormat();
  const [message, setMessage] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  return (
    <>
      <ul ref={list} tabIndex={-1} aria-label="Sessions" className="divide-y rounded-md border">
        {sessions.map(({ id, device, signedInAt, activeAt }) => (
          <li key={id} className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-2">
            <div className="min-w-0">
              <p className="wrap-anywhere">{capitalized(device ?? "an unknown device")}</p>
              <p className="text-muted-foreground text-sm">
                Signed in {format.shortDay(signedInAt)}, {format.time(signedInAt)}
                {id !== ownId && `, last active ${format.shortDay(activeAt)}, ${format.time(activeAt)}`}
              </p>
            </div>
            {id === ownId ? (
              <Badge tone="success">this device</Badge>
            ) : (
              <ActionForm
                action={signOut}
                hidden={{ id }}
                submit={[
                  <>
                    Sign out<span className="sr-only"> {device ?? "an unknown device"}</span>
                  </>,
                  "Signing out…",
                ]}
                variant="danger"
                className="w-auto"
                // Its button is gone then.
                onDone={(done) => {
                  setMessage(done.message);
                  list.current?.focus();
                }}
              />
            )}
          </li>
        ))}
      </ul>
      <p role="status" className="empty:hidden">
        {message}
      </p>
    </>
  );
}
