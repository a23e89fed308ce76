import { Popover as Base } from "@base-ui/react/popover";
import type { ReactNode } from "react";
import type { PopupProps } from "@/components/ui/popup/popup-button";
import { popupClass, usePopup } from "@/components/ui/popup/use-popup";
import { cn } from "@/lib/utils";

type Props = Omit<PopupProps, "byKeyboard"> & { label: string; className?: string; children: ReactNode };

/**
 * An open popover under its button. It is 34 KB: use it in a component that `lazyLoad` loads, as the popup of a
 * `PopupButton`. Focus starts at its first field; on touch at the popover, so that no keyboard covers it.
 */
export function Popover({ label, anchor, onClose, className, children }: Props) {
  const { popup, container, position, onOpenChange } = usePopup({ anchor, onClose });
  return (
    <Base.Root open onOpenChange={onOpenChange}>
      <Base.Portal container={container}>
        <Base.Positioner {...position} align="start">
          <Base.Popup
            ref={popup}
            aria-label={label}
            initialFocus={() => window.matchMedia("(pointer: fine)").matches || popup.current}
            finalFocus={false}
            className={cn(popupClass, className)}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
