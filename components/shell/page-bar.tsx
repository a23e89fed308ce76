import { Menu } from "lucide-react";
import type { ReactNode } from "react";
import { OfflineNotice } from "@/components/shell/offline-notice";
import { buttonVariants } from "@/components/ui/button";
import { cn } from "@/lib/utils";

/** Id of the sidebar, which is a sheet on phones. */
export const sidebarId = "sidebar";

/**
 * The bar over a page: its place and title, and below them that there is no connection; on phones its title and the button
 * that opens the navigation. `title` is the page's h1, unless the page has its own. `children` are at the right.
 */
export function PageBar({ place, title, children }: { place?: string; title?: string; children?: ReactNode }) {
  return (
    <header className="sticky top-0 z-10 bg-background print:static">
      <div className="flex h-12 items-center gap-2 border-b px-4 pointer-coarse:h-14 md:px-6">
        {/* A popover target instead of a handler, so that it works before JavaScript has loaded. */}
        <button
          type="button"
          popoverTarget={sidebarId}
          aria-label="Open navigation"
          className={cn(buttonVariants({ variant: "ghost", size: "icon" }), "-ml-2 md:hidden print:hidden")}
        >
          <Menu aria-hidden />
        </button>
        <div className="flex min-w-0 items-baseline gap-2">
          {place && (
            <p title={place} className={cn("truncate text-muted-foreground", title && "max-sm:hidden")}>
              {place}
            </p>
          )}
          {place && title && (
            <span aria-hidden className="text-muted-foreground max-sm:hidden">
              /
            </span>
          )}
          {title && (
            <h1 title={title} className="min-w-0 truncate font-semibold sm:shrink-0">
              {title}
            </h1>
          )}
        </div>
        {children && <div className="ml-auto flex shrink-0 items-center gap-2 pl-2 print:hidden">{children}</div>}
      </div>
      <OfflineNotice />{" "}
    </header>
  );
}
