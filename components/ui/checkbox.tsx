import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/** A checkbox. Put it into its label, which is easier to hit on phones. */
export function Checkbox({ className, ...props }: Omit<ComponentProps<"input">, "type">) {
  return (
    <input
      data-slot="checkbox"
      type="checkbox"
      className={cn("size-4 shrink-0 cursor-pointer accent-primary pointer-coarse:size-5", className)}
      {...props}
    />
  );
}
