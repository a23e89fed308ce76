import { type RefObject, useLayoutEffect } from "react";
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
      if (to instanceof HTMLElement) to.focus({ preventScroll: true });
    },
    [popup, to],
  );
}

/** Where a popup is, next to its button. In the phone's sidebar it is inside of that, which would cover it otherwise. */
export function positionOf(anchor: PopupProps["anchor"]) {
  const container = anchor.current?.closest<HTMLElement>(":popover-open") ?? document.body;
  return { container, position: { anchor, positionMethod: "fixed", sideOffset: 4, className: "z-50" } } as const;
}

/** Whether the button of an open popup was pressed, which closes the popup itself. */
export const isOnButton = (anchor: PopupProps["anchor"], event: Event) =>
  event.target instanceof Node && anchor.current?.contains(event.target) === true;
