import { type ComponentProps, type ReactNode, type RefObject, useCallback, useRef, useState } from "react";

export type PopupProps = {
  anchor: RefObject<HTMLButtonElement | null>;
  /** It was opened by keyboard, which then continues at its first item. */
  byKeyboard: boolean;
  onClose: () => void;
};

type Props = Omit<ComponentProps<"button">, "popover"> & {
  kind: "menu" | "dialog";
  preload: () => Promise<void>;
  popup: (props: PopupProps) => ReactNode;
};

/**
 * A button that opens a popup, whose code may come later: `preload` fetches it once the button is likely to be pressed.
 * `popup` is drawn while it is open.
 */
export function PopupButton({ kind, preload, popup, ...button }: Props) {
  const anchor = useRef<HTMLButtonElement>(null);
  const [opened, setOpened] = useState<{ byKeyboard: boolean } | null>(null);
  const onClose = useCallback(() => setOpened(null), []);
  const fetchPopup = () => void preload().catch(() => undefined); // opening tries again
  return (
    <>
      <button
        ref={anchor}
        type="button"
        aria-haspopup={kind}
        aria-expanded={opened !== null}
        onPointerEnter={fetchPopup}
        onFocus={fetchPopup}
        onClick={(event) => setOpened(opened ? null : { byKeyboard: event.detail === 0 })}
        {...button}
      />
      {opened && popup({ ...opened, anchor, onClose })}
    </>
  );
}
