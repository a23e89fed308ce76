import { ArrowDown, ArrowUp } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { ButtonLink, Link } from "@/components/ui/link";
import { TableHead } from "@/components/ui/table";
import { cn } from "@/lib/utils";

/** A link that covers its row, whose class is `relative`. */
export function RowLink({ className, ...props }: ComponentProps<typeof Link>) {
  return (
    <Link
      className={cn(
        "font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:rounded-md focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:-outline-offset-2",
        className,
      )}
      {...props}
    />
  );
}

type HeadProps = {
  href?: string | undefined;
  sorted?: "ascending" | "descending" | undefined;
  className?: string;
  children: ReactNode;
};

/** A column header that stays below the page's bar; a link to `href` sorts the list by it. */
export function StickyHead({ href, sorted, className, children }: HeadProps) {
  const Arrow = sorted === "descending" ? ArrowDown : ArrowUp;
  return (
    <TableHead
      aria-sort={sorted}
      // Borders of sticky cells don't move with them, so it has a shadow.
      className={cn(
        "sticky top-12 z-2 border-b-0 bg-background shadow-[inset_0_-1px_0_var(--border)] pointer-coarse:top-14",
        className,
      )}
    >
      {href === undefined ? (
        children
      ) : (
        <Link
          href={href}
          scroll={false}
          className="-mx-1 inline-flex h-7 items-center gap-1 rounded-md px-1 hover:text-foreground"
        >
          {children}
          {sorted && <Arrow aria-hidden className="size-3" />}
        </Link>
      )}
    </TableHead>
  );
}

type PageLinksProps = {
  note?: string;
  before: [label: string, href: string | null];
  after: [label: string, href: string | null];
  className?: string;
};

/** Links to the previous and the next page of a list, if they exist. */
export function PageLinks({ note, before, after, className }: PageLinksProps) {
  const [beforeLabel, beforeHref] = before;
  const [afterLabel, afterHref] = after;
  return (
    <nav aria-label="Pages" className={cn("flex items-center gap-2", className)}>
      <p className="mr-auto text-muted-foreground text-sm">{note}</p>
      {beforeHref && (
        <ButtonLink rel="prev" href={beforeHref} variant="outline" className="print:hidden">
          {beforeLabel}
        </ButtonLink>
      )}
      {afterHref && (
        <ButtonLink rel="next" href={afterHref} variant="outline" className="print:hidden">
          {afterLabel}
        </ButtonLink>
      )}
    </nav>
  );
}
