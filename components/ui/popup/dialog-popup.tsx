import { Dialog as Base } from "@base-ui/react/dialog";
import { X } from "lucide-react";
import { type ReactNode, useCallback, useLayoutEffect, useRef, useState } from "react";
import { buttonVariants } from "@/components/ui/button";
import { popupClass, useReturnFocus } from "@/components/ui/popup/use-popup";
import { cn } from "@/lib/utils";

type Props = {
  title: string;
  /** The title is for screen readers only, as in a palette that begins with its field. */
  hideTitle?: boolean;
  onClose: () => void;
  /** A click outside closes it too. Not where something can be typed that would be lost. */
  closeOnOutsideClick?: boolean;
  /** Classes of the popup: its width, where it isn't 30 rem. */
  className?: string;
  children: ReactNode;
};

/** The open dialog. Use it through `Dialog`, which loads it. */
export function DialogPopup({ title, hideTitle, onClose, closeOnOutsideClick, className, children }: Props) {
  const popup = useRef<HTMLDivElement>(null);
  const [opener] = useState(() => document.activeElement);

  useReturnFocus(popup, opener);
  useLayoutEffect(() => {
    for (const open of document.querySelectorAll<HTMLElement>(":popover-open")) open.hidePopover(); // would cover it
  }, []);
  // Focus moves in at once, not in the next frame as the library does it: what is typed next isn't lost.
  const show = useCallback((element: HTMLDivElement | null) => {
    popup.current = element;
    if (!element || element.contains(document.activeElement)) return; // a field with `autoFocus`
    const first = element.querySelector<HTMLElement>("[data-first]");
    (first ?? element.querySelector<HTMLElement>("button, input, select, textarea"))?.focus();
  }, []);

  return (
    <Base.Root
      open
      disablePointerDismissal={!closeOnOutsideClick}
      onOpenChange={(_open, { reason, event }) => {
        // A key that was pressed in a dialog above this one isn't for this one.
        const isElsewhere = event.target instanceof Element && event.target.closest("dialog, [role=dialog]");
        if (reason === "escape-key" && isElsewhere && isElsewhere !== popup.current) return;
        onClose();
      }}
    >
      <Base.Portal>
        <Base.Backdrop forceRender className="fixed inset-0 z-50 bg-[oklch(0_0_0/0.4)]" />
        <Base.Viewport className="fixed inset-0 z-50 flex items-end justify-center md:items-center">
          <Base.Popup
            ref={show}
            finalFocus={false}
            className={cn(
              popupClass,
              "flex max-h-[calc(100dvh-2rem)] w-120 max-w-[calc(100vw-2rem)] flex-col overflow-hidden max-md:w-full max-md:max-w-full max-md:rounded-b-none max-md:border-x-0 max-md:border-b-0 max-md:pb-[env(safe-area-inset-bottom)]",
              className,
            )}
          >
            {hideTitle ? (
              <Base.Title className="sr-only">{title}</Base.Title>
            ) : (
              <div className="flex items-start justify-between gap-2 border-b py-2 pr-2 pl-4">
                <Base.Title className="wrap-anywhere min-w-0 py-1 font-semibold text-lg pointer-coarse:py-2.5">
                  {title}
                </Base.Title>
                <DialogClose />
              </div>
            )}
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/** The button that closes a dialog; `Dialog` has it next to its title. */
export function DialogClose() {
  return (
    <Base.Close aria-label="Close" className={buttonVariants({ variant: "ghost", size: "icon" })}>
      <X aria-hidden />
    </Base.Close>
  );
}
