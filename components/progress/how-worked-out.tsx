import type { ReactNode } from "react";

/** How a number is made and what that takes for granted, for those who ask. */
export function HowWorkedOut({ children }: { children: ReactNode }) {
  return (
    <details className="text-muted-foreground text-sm">
      <summary className="w-fit cursor-pointer hover:text-foreground pointer-coarse:py-3">
        How is this worked out?
      </summary>
      <p className="pt-1">{children}</p>
    </details>
  );
}
