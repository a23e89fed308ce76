import Link from "next/link";
import { registerPath } from "@/components/signatures/register/register-path";
import { buttonVariants } from "@/components/ui/button";
import type { CampaignOfTeam } from "@/lib/ids";
import type { RegisterFilter, RegisterView } from "@/lib/signatures/register/filter";
import type { ListedLines } from "@/lib/signatures/register/register";

/** To the page before and after this one, by its first and last line. */
export function RegisterPages({
  listed: { lines, earlier, later },
  place,
  filter,
  sort,
  timeZone,
}: {
  listed: ListedLines;
  place: CampaignOfTeam;
  filter: RegisterFilter;
  sort: RegisterView["sort"];
  timeZone: string;
}) {
  const to = (page: RegisterView) => registerPath(place, { ...filter, sort, ...page });
  return (
    <nav aria-label="Pages" className="flex items-center gap-2 px-4 py-3 md:px-6">
      <p className="mr-auto text-muted-foreground text-sm">Times are in {timeZone.replaceAll("_", " ")}.</p>
      {earlier && (
        <Link
          rel="prev"
          href={to({ before: lines.at(0)?.id })}
          prefetch={false}
          className={buttonVariants({ variant: "outline" })}
        >
          Previous
        </Link>
      )}
      {later && (
        <Link
          rel="next"
          href={to({ after: lines.at(-1)?.id })}
          prefetch={false}
          className={buttonVariants({ variant: "outline" })}
        >
          Next
        </Link>
      )}
    </nav>
  );
}
