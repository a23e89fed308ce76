"use client";

import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { later } from "@/components/ui/later";
import { PopupButton, type PopupProps } from "@/components/ui/popup-button";

/** An entry of a menu, which runs something or leads to a page. */
export type MenuEntry = {
  label: string;
  icon?: LucideIcon;
  /** At the right: the key that does the same. */
  shortcut?: string;
  disabled?: boolean;
  /** For what removes something. */
  danger?: boolean;
} & ({ onPick: () => void } | { href: string });

export type MenuContent = {
  entries: MenuEntry[];
  /** Over the entries: text alone. */
  header?: ReactNode;
  side?: "top" | "bottom";
  align?: "start" | "end";
};

const MenuPopup = later<MenuContent & PopupProps>(async () => (await import("@/components/ui/menu-popup")).MenuPopup);

/**
 * A button with a menu: `<Menu aria-label="More of Signatures by county" entries={[{ label: "Edit", href }, …]}><Ellipsis /></Menu>`.
 * Other props are the button's. Arrow keys, letters, Esc and clicks outside work as in any menu; what an entry opens returns
 * focus to the button.
 */
export function Menu({ entries, header, side, align, ...button }: MenuContent & ComponentProps<"button">) {
  return (
    <PopupButton
      kind="menu"
      preload={MenuPopup.preload}
      popup={(popup) => <MenuPopup {...popup} {...{ entries, header, side, align }} />}
      {...button}
    />
  );
}
