import type { ReactNode } from "react";
import { BrandMark } from "@/components/shell/brand-mark";

/** The bar over pages that belong to no team. `children` stand at the right. */
export function BrandBar({ children }: { children?: ReactNode }) {
  return (
    <header className="flex h-12 items-center gap-4 border-b px-4 pointer-coarse:h-14 md:px-6">
      <p className="flex items-center gap-2 font-semibold">
        <BrandMark className="size-5" />
        Signet
      </p>
      <div className="ml-auto flex min-w-0 max-w-96 items-center gap-2">{children}</div>
    </header>
  );
}
