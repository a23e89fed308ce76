"use client";

import { X } from "lucide-react";
import { createContext, type ReactNode, use, useCallback, useMemo, useState } from "react";
import { type AskedChange, ChangeReview } from "@/components/team-access/change-review";
import { Button } from "@/components/ui/button";
import type { FormSubmit } from "@/lib/forms/form-state";
import type { AccessEffects } from "@/lib/team-access/access-change";

/** The server action that makes an access change. */
export type SaveAccess = FormSubmit;
/** The server action that tells what an access change would do. */
export type PreviewAccess = FormSubmit<AccessEffects>;

type Changes = {
  /** Shows what a change would do; it is made when that is confirmed. */
  review: (asked: AskedChange) => void;
  /** Says what was done, until the next one. */
  tell: (message: string) => void;
};

const nothing = () => undefined;
const AccessChangesContext = createContext<Changes>({ review: nothing, tell: nothing });

/** For the components of a page in which access can be changed. */
export function useAccessChanges(): Changes {
  return use(AccessChangesContext);
}

/** A page in which access can be changed: the dialog that says who gains and loses what, and the line that says it is done. */
export function AccessChanges({
  teamName,
  save,
  preview,
  children,
}: {
  teamName: string;
  save: SaveAccess;
  preview: PreviewAccess;
  children: ReactNode;
}) {
  const [asked, setAsked] = useState<AskedChange | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const review = useCallback((change: AskedChange) => {
    setTold(null);
    setAsked(change);
  }, []);
  const changes = useMemo(() => ({ review, tell: setTold }), [review]);

  return (
    <AccessChangesContext value={changes}>
      {children}
      {asked && (
        <ChangeReview
          asked={asked}
          teamName={teamName}
          save={save}
          preview={preview}
          onSaved={setTold}
          onClose={() => setAsked(null)}
        />
      )}
      <div className="pointer-events-none fixed inset-x-0 bottom-0 z-20 flex justify-center p-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
        <div
          className={
            told === null
              ? ""
              : "pointer-events-auto flex max-w-md items-center gap-2 rounded-md border bg-popover py-1 pr-1 pl-3 shadow-popover"
          }
        >
          <p role="status" className="wrap-anywhere min-w-0">
            {told}
          </p>
          {told !== null && (
            <Button variant="ghost" size="icon" aria-label="Close the message" onClick={() => setTold(null)}>
              <X aria-hidden />
            </Button>
          )}
        </div>
      </div>
    </AccessChangesContext>
  );
}
