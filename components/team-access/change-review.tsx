"use client";

import { useRouter } from "next/navigation";
import { type ReactNode, useCallback, useEffect, useRef, useState, useTransition } from "react";
import { FormError } from "@/components/forms/form-error";
import type { PreviewAccess, SaveAccess } from "@/components/team-access/access-changes";
import { EffectsList } from "@/components/team-access/effects-list";
import { Button } from "@/components/ui/button";
import { Dialog, DialogBody, DialogFooter } from "@/components/ui/dialog";
import { type FormState, unsent } from "@/lib/forms/form-state";
import { tellIfSessionEnded } from "@/lib/forms/session-ended";
import type { AccessChange, AccessEffects } from "@/lib/team-access/access-change";

/** A change that somebody wants to make, before she has seen what it does. */
export type AskedChange = {
  change: AccessChange;
  /** A question: `Suspend Jun Park?` */
  title: string;
  /** What the button says that makes the change. */
  confirm: string;
  /** It takes something away: the button is red, and the focus begins beside it. */
  danger?: boolean;
  /** What else to know. */
  note?: ReactNode;
  /** Called when it is saved (true), or given up for how it is now: what was typed is over. */
  onDone?: (saved: boolean) => void;
  /** Called when it is not made, for whatever reason. */
  onCancel?: () => void;
};

const away = "The server could not be reached, and nothing was changed. Check your connection and try again.";

/** Shows who gains and loses what by a change, and makes it when that is confirmed. */
export function ChangeReview({
  asked,
  teamName,
  save,
  preview,
  onSaved,
  onClose,
}: {
  asked: AskedChange;
  teamName: string;
  save: SaveAccess;
  preview: PreviewAccess;
  onSaved: (message: string) => void;
  onClose: () => void;
}) {
  const { change, title, confirm, danger = false, note, onDone, onCancel } = asked;
  const router = useRouter();
  const [found, setFound] = useState<FormState<AccessEffects> | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [saving, startSaving] = useTransition();
  const saved = useRef(false);

  const look = useCallback(async () => {
    setFound(null);
    setFailure(null);
    const state = await preview(unsent, formOf(change)).catch(() => null);
    tellIfSessionEnded(state);
    setFound(state);
    setFailure(state === null ? away : state.error);
  }, [preview, change]);
  useEffect(() => void look(), [look]);

  const ready = found !== null && found.error === null && failure === null;
  const effects = found?.error === null ? (found.data ?? []) : null;

  const confirmed = (close: () => void) => {
    if (!ready || saving) return;
    startSaving(async () => {
      const state = await save(unsent, formOf(change)).catch(() => null);
      tellIfSessionEnded(state);
      if (state === null || state.error !== null) return setFailure(state?.error ?? away);
      saved.current = true;
      onDone?.(true);
      onSaved(state.message ?? "Saved.");
      close();
    });
  };
  const asItIsNow = (close: () => void) => {
    onDone?.(false);
    router.refresh();
    close();
  };

  return (
    <Dialog
      title={title}
      onClose={() => {
        if (!saved.current) onCancel?.();
        onClose();
      }}
    >
      {(close) => (
        <>
          <DialogBody className="min-h-28">
            {note && <div className="wrap-anywhere flex flex-col gap-1">{note}</div>}
            <p role="status" className="text-muted-foreground empty:hidden">
              {saving
                ? "Saving…"
                : found === null && failure === null
                  ? "Working out whose access changes…"
                  : found?.message}
            </p>
            {effects && effects.length > 0 && <EffectsList effects={effects} teamName={teamName} />}
            <FormError error={failure} pending={saving} />
          </DialogBody>
          <DialogFooter>
            <Button variant="outline" onClick={close} {...(danger && { "data-first": true })}>
              Cancel
            </Button>
            {failure === away && !saving ? (
              <Button onClick={() => void look()}>Try again</Button>
            ) : failure !== null && !saving ? (
              <Button onClick={() => asItIsNow(close)}>Show how it is now</Button>
            ) : (
              <Button
                variant={danger ? "danger" : "default"}
                aria-disabled={!ready || saving}
                onClick={() => confirmed(close)}
                {...(!danger && { "data-first": true })}
              >
                {saving ? "Saving…" : confirm}
              </Button>
            )}
          </DialogFooter>
        </>
      )}
    </Dialog>
  );
}

function formOf(change: AccessChange) {
  const form = new FormData();
  form.set("change", JSON.stringify(change));
  return form;
}
