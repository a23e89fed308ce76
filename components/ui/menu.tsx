"use client";

import type { ComponentProps } from "react";
import { lazyLoad } from "@/components/ui/lazy-load";
import type { MenuContent } from "@/components/ui/popup/menu-popup";
import { PopupButton } from "@/components/ui/popup/popup-button";

// Loads when idle, so that menus also open without a connection.
const MenuPopup = lazyLoad(async () => (await import("@/components/ui/popup/menu-popup")).MenuPopup, {
  whenIdle: true,
});

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
      popup={(popup) => <MenuPopup {...popup} entries={entries} header={header} side={side} align={align} />}
      {...button}
    />
  );
}
