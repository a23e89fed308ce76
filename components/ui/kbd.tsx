import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/** A key, shown where there is a keyboard. */
export function Kbd({ className, ...props }: ComponentProps<"kbd">) {
  return (
    <kbd
      data-slot="kbd"
      className={cn(
        "inline-flex max-md:hidden pointer-coarse:hidden h-5 min-w-5 shrink-0 items-center justify-center rounded-md border bg-muted whitespace-nowrap px-1 font-sans text-muted-foreground text-xs",
        className,
      )}
      {...props}
    />
  );
}
