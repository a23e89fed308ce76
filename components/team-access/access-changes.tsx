"use client";

import { X } from "lucide-react";
import { createContext, type ReactNode, use, useCallback, useEffect, useMemo, useState } from "react";
import {
  type ChangeRequest,
  ChangeReview,
  type PreviewAccess,
  type SaveAccess,
} from "@/components/team-access/change-review";
import { Button } from "@/components/ui/button";

type Changes = {
  team: { id: string; name: string };
  /** Previews a change in a dialog, which can then make it. */
  review: (request: ChangeRequest) => void;
  /** Shows a message at the lower edge until the next one, or until a form is sent. */
  announce: (message: string) => void;
};

const AccessChangesContext = createContext<Changes>({
  team: { id: "", name: "" },
  review: () => undefined,
  announce: () => undefined,
});

/** For components of a page on which access can be changed. */
export function useAccessChanges(): Changes {
  return use(AccessChangesContext);
}

let forNextPage: string | null = null;

/** Shows the message of a change that leads to another page there. */
export function announceOnNextPage(message: string): void {
  forNextPage = message;
}

/** A page on which access can be changed: the dialog that previews a change, and the message that it is saved. */
export function AccessChanges({
  team,
  save,
  preview,
  children,
}: {
  team: { id: string; name: string };
  save: SaveAccess;
  preview: PreviewAccess;
  children: ReactNode;
}) {
  const [request, setRequest] = useState<ChangeRequest | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const review = useCallback((change: ChangeRequest) => {
    setMessage(null);
    setRequest(change);
  }, []);
  useEffect(() => {
    if (forNextPage !== null) setMessage(forNextPage);
    forNextPage = null;
  }, []);
  useEffect(() => {
    // An error of the next form must not appear next to it.
    const clear = () => setMessage(null);
    document.addEventListener("submit", clear, true);
    return () => document.removeEventListener("submit", clear, true);
  }, []);
  const saved = (done: string) => {
    if (request?.leadsTo) announceOnNextPage(done);
    else setMessage(done);
  };
  const changes = useMemo(() => ({ team, review, announce: setMessage }), [team, review]);

  return (
    <AccessChangesContext value={changes}>
      {children}
      {request && (
        <ChangeReview
          request={request}
          teamName={team.name}
          save={save}
          preview={preview}
          onSaved={saved}
          onClose={() => setRequest(null)}
        />
      )}
      <div className="pointer-events-none fixed inset-x-0 bottom-0 z-20 flex justify-center p-4 print:hidden pb-[max(1rem,env(safe-area-inset-bottom))] in-[html:has([data-sticky-bar])]:bottom-16">
        <div
          className={
            message === null
              ? ""
              : "pointer-events-auto flex max-w-md items-center gap-2 rounded-md border bg-popover py-1 pr-1 pl-3 shadow-popover"
          }
        >
          <p role="status" className="wrap-anywhere min-w-0">
            {message}
          </p>
          {message !== null && (
            <Button variant="ghost" size="icon" aria-label="Close message" onClick={() => setMessage(null)}>
              <X aria-hidden />
            </Button>
          )}
        </div>
      </div>
    </AccessChangesContext>
  );
}
