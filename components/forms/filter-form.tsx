import Form from "next/form";
import type { ReactNode } from "react";
import { Button, buttonVariants } from "@/components/ui/button";
import { ButtonLink } from "@/components/ui/link";
import { cn } from "@/lib/utils";

/** A filter of a list, which is saved in its address, and what matches as a file: it works without JavaScript, can be shared, and Back restores it. */
export function FilterForm({
  path,
  query,
  sort = "",
  className,
  children,
}: {
  path: string;
  /** The current filter as a query. */
  query: string;
  sort?: string;
  className: string;
  children: ReactNode;
}) {
  return (
    // Fields keep their first default: a new filter needs a new form.
    <Form
      key={`${query} ${sort}`}
      action={path}
      prefetch={false}
      scroll={false}
      aria-label="Filter"
      className={cn("gap-x-3 gap-y-2 print:hidden", className)}
    >
      {children}
      <div className="col-span-full flex flex-wrap gap-2">
        <Button type="submit" variant="outline">
          Filter
        </Button>
        {query && (
          <ButtonLink href={path} variant="ghost">
            Show all
          </ButtonLink>
        )}
        <a href={`${path}/csv${query}`} download className={buttonVariants({ variant: "ghost", className: "ml-auto" })}>
          Download CSV
        </a>
      </div>
    </Form>
  );
}
