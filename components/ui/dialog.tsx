"use client";

import { X } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useId, useRef } from "react";
import { Button } from "@/components/ui/button";
import { restoreCaret } from "@/components/ui/restore-caret";
import { cn } from "@/lib/utils";

/**
 * A dialog that is open while it is there; on a phone it comes from below, where the thumb is. Esc and `close` end it, and
 * the focus goes back to where it was. It begins at the element with `data-first`, else at the first one.
 */
export function Dialog({
  title,
  onClose,
  className,
  children,
}: {
  title: string;
  onClose: () => void;
  className?: string;
  children: (close: () => void) => ReactNode;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const close = useCallback(() => dialog.current?.close(), []);

  useEffect(() => {
    dialog.current?.showModal();
    dialog.current?.querySelector<HTMLElement>("[data-first]")?.focus();
  }, []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onClose={() => {
        onClose();
        restoreCaret();
      }}
      className={cn(
        "m-auto max-h-[calc(100dvh-2rem)] w-120 max-w-[calc(100vw-2rem)] flex-col overflow-hidden rounded-md border bg-popover shadow-popover backdrop:bg-[oklch(0_0_0/0.4)] open:flex max-md:mx-0 max-md:mb-0 max-md:w-full max-md:max-w-full max-md:rounded-b-none max-md:border-x-0 max-md:border-b-0 max-md:pb-[env(safe-area-inset-bottom)]",
        className,
      )}
    >
      <div className="flex items-start justify-between gap-2 border-b py-2 pr-2 pl-4">
        <h2 id={id} className="wrap-anywhere min-w-0 py-1 font-semibold text-lg pointer-coarse:py-2.5">
          {title}
        </h2>
        <Button variant="ghost" size="icon" aria-label="Close" onClick={close}>
          <X aria-hidden />
        </Button>
      </div>
      {children(close)}
    </dialog>
  );
}

/** The part of a dialog that scrolls. */
export function DialogBody({ className, children }: { className?: string; children: ReactNode }) {
  return <div className={cn("flex flex-col gap-4 overflow-y-auto px-4 py-4", className)}>{children}</div>;
}

/** The buttons of a dialog, the main one last; on a phone it stands first, over the whole width. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <div className="flex justify-end gap-2 border-t px-4 py-3 max-md:flex-col-reverse [&>button]:max-md:w-full">
      {children}
    </div>
  );
}
