"use client";

import { Search } from "lucide-react";
import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { usePlaces } from "@/components/shell/navigation/places-provider";
import { rememberPage } from "@/components/shell/navigation/recent-pages";
import { useScreenKeys } from "@/components/shell/screen-keys";
import { isDialogOpen } from "@/components/ui/dialog";
import { Kbd } from "@/components/ui/kbd";
import { lazyLoad } from "@/components/ui/lazy-load";
import type { FormSubmit } from "@/lib/forms/form-state";
import { cn } from "@/lib/utils";

const keys = [{ key: "Ctrl+K", does: "Go to a page, person, or chart" }];

const PaletteDialog = lazyLoad(async () => (await import("@/components/palette/palette-dialog")).PaletteDialog, {
  whenIdle: true,
});

/** A button, and Ctrl+K (⌘K) unless a dialog is open. Leads to every page that the person can open, and to the voter search. */
export function Palette({ saveTheme, className }: { saveTheme: FormSubmit; className?: string }) {
  const { userId } = usePlaces();
  const pathname = usePathname();
  const [open, setOpen] = useState(false);
  useScreenKeys(keys);

  useEffect(() => rememberPage(userId, pathname), [userId, pathname]);

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || event.ctrlKey === event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      if (!isDialogOpen()) setOpen(true);
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);

  return (
    <>
      <button
        type="button"
        onClick={() => setOpen(true)}
        className={cn(
          "flex h-8 cursor-pointer items-center gap-2 rounded-md px-2 text-muted-foreground hover:bg-muted hover:text-foreground pointer-coarse:h-11",
          className,
        )}
      >
        <Search aria-hidden className="mx-0.5 size-4 shrink-0" />
        <span className="flex-1 text-left">Go to…</span>
        <Kbd aria-hidden>Ctrl+K</Kbd>
      </button>
      {open && <PaletteDialog pathname={pathname} saveTheme={saveTheme} onClose={() => setOpen(false)} />}
    </>
  );
}
