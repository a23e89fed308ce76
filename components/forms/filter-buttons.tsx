import Link from "next/link";
import { Button, buttonVariants } from "@/components/ui/button";

/** What stands below the fields of a filter: apply it, leave it, and where there is one, a file of all that it lets through. */
export function FilterButtons({ path, query, hasFile = true }: { path: string; query: string; hasFile?: boolean }) {
  return (
    <div className="col-span-full flex flex-wrap gap-2">
      <Button type="submit" variant="outline">
        Filter
      </Button>
      {query && (
        <Link href={path} prefetch={false} className={buttonVariants({ variant: "ghost" })}>
          Show all
        </Link>
      )}
      {hasFile && (
        <a href={`${path}/csv${query}`} download className={buttonVariants({ variant: "ghost", className: "ml-auto" })}>
          Download CSV
        </a>
      )}
    </div>
  );
}
