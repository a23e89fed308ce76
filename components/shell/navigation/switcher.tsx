import { ChevronsUpDown } from "lucide-react";
import type { ReactNode } from "react";
import type { SwitcherContent } from "@/components/shell/navigation/switcher-popup";
import { lazyLoad } from "@/components/ui/lazy-load";
import { PopupButton } from "@/components/ui/popup/popup-button";
import { cn } from "@/lib/utils";

const SwitcherPopup = lazyLoad(
  async () => (await import("@/components/shell/navigation/switcher-popup")).SwitcherPopup,
  { whenIdle: true },
);

/** A button with the current place, and a list of places to switch to. The options are links, which open in new tabs too. */
export function Switcher({ label, icon, ...content }: SwitcherContent & { label: string; icon?: ReactNode }) {
  return (
    <PopupButton
      kind="dialog"
      preload={SwitcherPopup.preload}
      popup={(popup) => <SwitcherPopup {...popup} {...content} />}
      title={label}
      className="flex h-8 w-full cursor-pointer items-center gap-2 rounded-md px-2 text-left hover:bg-muted pointer-coarse:h-11"
    >
      {icon}
      <span className="sr-only">{`Switch ${content.what}, current: `}</span>
      <span className={cn("min-w-0 flex-1 truncate", content.current ? "font-medium" : "text-muted-foreground")}>
        {label}
      </span>
      <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted-foreground" />
    </PopupButton>
  );
}
