import Link from "next/link";
import { Button, buttonVariants } from "@/components/ui/button";

/** The buttons of a filter: apply it, clear it, and download what matches. */
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
