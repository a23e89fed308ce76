import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

// When the bar appears, it must not cover what was just chosen.
const showFocused = (bar: HTMLElement | null) => {
  if (bar) document.activeElement?.scrollIntoView({ block: "nearest" });
};

/** Actions that stay at the lower edge of a page while it scrolls. */
export function StickyBar({ className, ...props }: ComponentProps<"section">) {
  return (
    <section
      ref={showFocused}
      data-sticky-bar
      className={cn(
        "sticky print:hidden bottom-0 z-5 -mx-4 flex flex-wrap items-center gap-2 border-t bg-background px-4 py-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:mx-0 md:rounded-md md:border md:px-3",
        className,
      )}
      {...props}
    />
  );
}
