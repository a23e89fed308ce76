import Link from "next/link";
import type { ReactNode } from "react";
import { registerPath } from "@/components/signatures/register/register-path";
import type { CampaignOfTeam } from "@/lib/ids";
import type { RegisterFilter, RegisterView } from "@/lib/signatures/register/filter";
import { cn } from "@/lib/utils";

/** Looks of a number that leads to what it counts. */
export const figureLink = "underline decoration-1 decoration-input underline-offset-4 hover:decoration-current";

/** Leads to the lines that a number counts. */
export function RegisterLink({
  place,
  show,
  quiet = false,
  children,
}: {
  place: CampaignOfTeam;
  show: RegisterFilter & RegisterView;
  /** For a number that stands large among others that lead nowhere. */
  quiet?: boolean;
  children: ReactNode;
}) {
  return (
    <Link href={registerPath(place, show)} prefetch={false} className={cn(figureLink, !quiet && "text-primary")}>
      {children}
    </Link>
  );
}
