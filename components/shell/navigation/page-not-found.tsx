"use client";

import { usePathname } from "next/navigation";
import { pagePlace } from "@/components/shell/navigation/entries";
import { usePlaces } from "@/components/shell/navigation/places-provider";
import { listTargets, nearTargets } from "@/components/shell/navigation/targets";
import { PageBar } from "@/components/shell/page-bar";
import { Link } from "@/components/ui/link";

/** Shown for a URL without a page, with similar pages that the person can open. */
export function PageNotFound() {
  const pathname = usePathname();
  const { teams } = usePlaces();
  const here = pagePlace(pathname);
  const team = teams.find(({ id }) => id === here.team);
  const place = team?.campaigns.find(({ id }) => id === here.campaign) ?? team;
  const near = nearTargets(listTargets(teams), pathname);
  return (
    <>
      <PageBar {...(place && { place: place.name })} />
      <div className="flex max-w-2xl flex-col items-start gap-4 px-4 py-8 md:px-6 md:py-12">
        <h1 className="font-semibold text-xl">Page not found</h1>
        <p className="wrap-anywhere leading-6">
          We couldn&apos;t find <strong className="font-medium">{pathname}</strong>. It may have been deleted, or the
          address is wrong.
        </p>
        <ul className="w-full max-w-md divide-y overflow-hidden rounded-md border">
          {near.map(({ href, label, note, icon: Icon }) => (
            <li key={href}>
              <Link
                href={href}
                className="flex min-h-11 items-center gap-2 px-4 py-2 hover:bg-muted focus-visible:-outline-offset-2"
              >
                <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />
                <span className="wrap-anywhere min-w-0 flex-1">Go to {label}</span>
                <span className="shrink-0 text-muted-foreground text-sm">{note}</span>
              </Link>
            </li>
          ))}
        </ul>
      </div>
    </>
  );
}
