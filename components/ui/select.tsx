import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/** The browser's own select, which works best on phones. 16 px on touch, or iOS zooms in. */
export function Select({ className, ...props }: ComponentProps<"select">) {
  return (
    <select
      data-slot="select"
      className={cn(
        "h-8 w-full min-w-0 rounded-md border border-input bg-background px-1.5 text-base focus-visible:border-ring focus-visible:outline-offset-0 aria-invalid:border-destructive pointer-coarse:h-11 pointer-coarse:text-lg",
        className,
      )}
      {...props}
    />
  );
}
