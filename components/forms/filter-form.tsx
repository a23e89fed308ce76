import type { ReactNode } from "react";
import { LiveForm } from "@/components/forms/live-form";
import { buttonVariants } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/link";
import { cn } from "@/lib/utils";

/** A filter of a list that applies while it is changed, and what matches as a file. */
export function FilterForm({
  path,
  query,
  className,
  children,
}: {
  path: string;
  /** The current filter as a query. */
  query: string;
  className: string;
  children: ReactNode;
}) {
  return (
    <LiveForm path={path} query={query} className={cn("gap-x-3 gap-y-2 print:hidden", className)}>
      {children}
      <div className="col-span-full flex flex-wrap gap-2">
        {query && (
          <ButtonLink href={path} variant="ghost">
            Show all
          </ButtonLink>
        )}
        <a href={`${path}/csv${query}`} download className={buttonVariants({ variant: "ghost", className: "ml-auto" })}>
          Download CSV
        </a>
      </div>
    </LiveForm>
  );
}
