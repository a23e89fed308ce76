import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/** A one-line text field. 16 px on touch, or iOS zooms in. */
export function Input({ className, type = "text", ...props }: ComponentProps<"input">) {
  return (
    <input
      data-slot="input"
      type={type}
      className={cn(
        "h-8 w-full min-w-0 rounded-md border border-input bg-background px-2.5 text-base placeholder:text-muted-foreground focus-visible:border-ring focus-visible:outline-offset-0 disabled:bg-muted disabled:text-muted-foreground aria-invalid:border-destructive pointer-coarse:h-11 pointer-coarse:px-3 pointer-coarse:text-lg",
        className,
      )}
      {...props}
    />
  );
}
