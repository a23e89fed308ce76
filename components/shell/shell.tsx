import type { ComponentProps, ReactNode } from "react";
import { SkipLink } from "@/components/shell/brand";
import { Sidebar } from "@/components/shell/navigation/sidebar";

/** The frame around the pages of a team: sidebar and content. */
export function Shell({ children, ...sidebar }: ComponentProps<typeof Sidebar> & { children: ReactNode }) {
  return (
    <div className="md:grid md:grid-cols-[15rem_minmax(0,1fr)] print:block">
      <SkipLink />
      <Sidebar {...sidebar} />
      <main id="main" tabIndex={-1} className="min-w-0">
        {children}
      </main>
    </div>
  );
}
