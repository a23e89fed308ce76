import { ChevronRight } from "lucide-react";
import { workPage } from "@/components/shell/navigation/entries";
import { Link } from "@/components/ui/link";
import { cn } from "@/lib/utils";

/** Links to campaigns of a team, each to the page where the person works. */
export function CampaignList({
  teamId,
  campaigns,
  className,
}: {
  teamId: string;
  campaigns: { id: string; name: string; permissionKeys: string[] }[];
  className?: string;
}) {
  return (
    <ul className={cn("divide-y rounded-md border", className)}>
      {campaigns.map(({ id, name, permissionKeys }) => (
        <li key={id}>
          <Link
            href={`/${teamId}/campaign/${id}${workPage(permissionKeys)}`}
            className="group flex min-h-9 items-center gap-2 px-4 py-1.5 hover:bg-muted/60 focus-visible:-outline-offset-2 pointer-coarse:min-h-11"
          >
            <span className="wrap-anywhere min-w-0 flex-1">{name}</span>
            <ChevronRight aria-hidden className="size-4 shrink-0 text-muted-foreground" />
          </Link>
        </li>
      ))}
    </ul>
  );
}
