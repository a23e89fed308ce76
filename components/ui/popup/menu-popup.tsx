import { Menu } from "@base-ui/react/menu";
import { Check, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Kbd } from "@/components/ui/kbd";
import { Link } from "@/components/ui/link";
import type { PopupProps } from "@/components/ui/popup/popup-button";
import { popupClass, usePopup } from "@/components/ui/popup/use-popup";
import { cn } from "@/lib/utils";

/** An entry of a menu, which runs something or leads to a page. */
export type MenuEntry = {
  label: string;
  icon?: LucideIcon;
  /** The key that does the same, shown at the right. */
  shortcut?: string;
  disabled?: boolean;
  /** One of several to choose from, which keeps the menu open. */
  checked?: boolean;
  /** True for an entry that removes something. */
  danger?: boolean;
} & ({ onPick: () => void } | { href: string });

export type MenuContent = {
  entries: MenuEntry[];
  /** Over the entries: text alone. */
  header?: ReactNode;
  side?: "top" | "bottom";
  align?: "start" | "end";
};

/** The open menu. Use it through `Menu`, which loads it. */
export function MenuPopup(props: MenuContent & PopupProps) {
  const { entries, header, side = "bottom", align = "start", anchor, byKeyboard } = props;
  const { popup, container, position, onOpenChange } = usePopup(props);
  return (
    <Menu.Root open modal={false} onOpenChange={onOpenChange}>
      <Menu.Portal container={container}>
        <Menu.Positioner {...position} side={side} align={align}>
          <Menu.Popup
            ref={popup}
            aria-label={anchor.current?.ariaLabel ?? anchor.current?.textContent ?? ""}
            finalFocus={false}
            className={cn(popupClass, "max-h-(--available-height) w-64 max-w-[calc(100vw-1rem)] overflow-y-auto p-1")}
          >
            {header && <div className="wrap-anywhere px-2 py-1.5 text-muted-foreground text-sm">{header}</div>}
            {entries.map((entry, index) => (
              <Entry
                // biome-ignore lint/suspicious/noArrayIndexKey: two people can have one name
                key={`${entry.label} ${index}`}
                entry={entry}
                isFirst={byKeyboard && index === 0}
                onPick={() => anchor.current?.focus()}
              />
            ))}
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  );
}

function Entry({ entry, isFirst, onPick }: { entry: MenuEntry; isFirst: boolean; onPick: () => void }) {
  const { label, icon: Icon, shortcut, disabled, checked, danger } = entry;
  const props = {
    label,
    ...(isFirst && { ref: (element: HTMLElement | null) => element?.focus() }),
    className: cn(
      "flex h-8 cursor-pointer items-center gap-2 rounded-md px-2 outline-none data-disabled:cursor-default data-highlighted:bg-muted data-disabled:opacity-60 pointer-coarse:h-11 [&>svg]:size-4 [&>svg]:text-muted-foreground",
      danger && "text-destructive",
    ),
    children: (
      <>
        {Icon && <Icon aria-hidden />}
        <span className="flex-1">{label}</span>
        {checked && <Check aria-hidden />}
        {shortcut && <Kbd>{shortcut}</Kbd>}
      </>
    ),
  };
  if ("href" in entry) {
    return <Menu.LinkItem closeOnClick render={<Link href={entry.href} />} {...props} />;
  }
  if (checked !== undefined) return <Menu.CheckboxItem checked={checked} onCheckedChange={entry.onPick} {...props} />;
  return (
    <Menu.Item
      disabled={disabled ?? false}
      onClick={() => {
        onPick();
        entry.onPick();
      }}
      {...props}
    />
  );
}
