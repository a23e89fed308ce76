import Link from "next/link";
import { buttonVariants } from "@/components/ui/button";
import type { Format } from "@/lib/format/format-of";
import { queryText } from "@/lib/query-text";

/** The way to the page of a list that follows, and back to its newest; `next` is the filter's `before` of the former. */
export function OlderEntries({
  path,
  filter,
  next,
  format,
}: {
  path: string;
  filter: Record<string, string | number | undefined>;
  next: number | null;
  format: Format;
}) {
  const linkTo = (before: number | undefined, label: string) => (
    <Link
      href={path + queryText({ ...filter, before })}
      prefetch={false}
      className={buttonVariants({ variant: "outline" })}
    >
      {label}
    </Link>
  );
  return (
    <nav aria-label="Pages" className="flex items-center gap-2">
      <p className="mr-auto text-muted-foreground text-sm">Times are in {format.timeZone.replaceAll("_", " ")}.</p>
      {filter.before !== undefined && linkTo(undefined, "Newest")}
      {next !== null && linkTo(next, "Older")}
    </nav>
  );
}
