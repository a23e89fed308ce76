"use client";

import type { ComponentProps, ReactNode } from "react";
import { lazyLoad } from "@/components/ui/lazy-load";
import { cn } from "@/lib/utils";

/**
 * A modal dialog. Render it while it is open: `{open && <Dialog title="Delete chart?" onClose={() => setOpen(false)}>…}`.
 * Esc and the close button call `onClose`, and focus returns to where it was. Focus starts at the element with `data-first`,
 * or at the first one. On phones it comes from below.
 */
export const Dialog = lazyLoad(async () => (await import("@/components/ui/popup/dialog-popup")).DialogPopup, {
  whenIdle: true,
});

/** The part of a dialog that scrolls. */
export function DialogBody({ className, ...props }: ComponentProps<"div">) {
  return <div className={cn("flex flex-col gap-4 overflow-y-auto px-4 py-4", className)} {...props} />;
}

/** The buttons of a dialog, the main one last; on phones it comes first, at full width. */
export function DialogFooter({ children }: { children: ReactNode }) {
  return (
    <div className="flex justify-end gap-2 border-t px-4 py-3 max-md:flex-col-reverse [&>button]:max-md:w-full">
      {children}
    </div>
  );
}

/** Whether a dialog or popover is open, which then gets the keys. */
export const isDialogOpen = () => document.querySelector("dialog:modal, [role=dialog], [role=alertdialog]") !== null;
