import { type RefObject, useLayoutEffect, useRef } from "react";
import type { PopupProps } from "@/components/ui/popup/popup-button";

export const popupClass = "rounded-md border bg-popover shadow-popover outline-none";

/**
 * Moves focus to `to` when a popup closes, unless it is elsewhere. At once, not in a later task as the library does it: what
 * is typed next isn't lost, and code that runs after the popup can move it again.
 */
export function useReturnFocus(popup: RefObject<HTMLElement | null>, to: Element | null) {
  useLayoutEffect(
    () => () => {
      const active = document.activeElement;
      if (active !== document.body && !popup.current?.contains(active)) return;
      if (to instanceof HTMLElement || to instanceof SVGElement) to.focus({ preventScroll: true });
      // What opened it may go with it, such as the button of a request that is answered.
      queueMicrotask(() => {
        if (document.activeElement === document.body) document.getElementById("main")?.focus({ preventScroll: true });
      });
    },
    [popup, to],
  );
}

/** What a menu or popover needs to open next to its button, and to close. */
export function usePopup({ anchor, onClose }: Pick<PopupProps, "anchor" | "onClose">) {
  const popup = useRef<HTMLDivElement>(null);
  useReturnFocus(popup, anchor.current);
  return {
    popup,
    // Inside of the phone's sidebar, which would cover it otherwise.
    container: anchor.current?.closest<HTMLElement>(":popover-open") ?? document.body,
    position: { anchor, positionMethod: "fixed", sideOffset: 4, className: "z-50" } as const,
    onOpenChange: (_open: boolean, { event, reason }: { event: Event; reason: string }) => {
      const isOnButton = event.target instanceof Node && anchor.current?.contains(event.target);
      if (reason !== "outside-press" || !isOnButton) onClose(); // the button closes it itself
    },
  };
}
