import { type RefObject, useLayoutEffect } from "react";
import type { PopupProps } from "@/components/ui/popup/popup-button";

/** Classes that menus and popovers share. */
export const popupClass = "rounded-md border bg-popover shadow-popover outline-none";

/**
 * Moves focus to `to` when a popup goes, unless it is elsewhere by then. At once, not in a later task as the library does
 * it: what is typed next is not lost, and whatever runs after the popup may move it on.
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

/** How a popup lies next to its button: in the sheet around it, where the phone's sidebar is one, or nothing covers it. */
export function positionOf(anchor: PopupProps["anchor"]) {
  const container = anchor.current?.closest<HTMLElement>(":popover-open") ?? document.body;
  return { container, position: { anchor, positionMethod: "fixed", sideOffset: 4, className: "z-50" } } as const;
}

/** A press on the button of an open popup is the button's business, which closes it. */
export const isOnButton = (anchor: PopupProps["anchor"], event: Event) =>
  event.target instanceof Node && anchor.current?.contains(event.target) === true;
