import { Building2, Flag, type LucideIcon } from "lucide-react";
import { campaignPages, openPages, type PageEntry, teamEntries } from "@/components/shell/entries";
import { placeOf } from "@/components/shell/place-of";
import type { TeamPlace } from "@/lib/permissions/list-places";
import type { PermissionKey } from "@/lib/permissions/permission-keys";

/**
 * Somewhere to go: its address, its name, and what it is or where it lies. `key` is what opens it, `also` what else finds
 * it.
 */
export type Target = {
  href: string;
  label: string;
  note: string;
  icon: LucideIcon;
  key?: PermissionKey | null;
  also?: string;
};

/** The teams, campaigns and pages that the keys open, each team's own before those of its campaigns. */
export function targetsOf(teams: TeamPlace[]): Target[] {
  return teams.flatMap((team) => [
    { href: `/${team.id}`, label: team.name, note: "Team", icon: Building2, also: "Campaigns" },
    ...opened(teamEntries, team.permissionKeys, `/${team.id}`, team.name),
    ...team.campaigns.flatMap(({ id, name, archivedAt, permissionKeys }) => {
      const base = `/${team.id}/campaign/${id}`;
      const itself = { label: name, note: archivedAt ? "Archived campaign" : "Campaign", icon: Flag, also: "Overview" };
      return opened(campaignPages, permissionKeys, base, name).map((page) =>
        page.href === base ? { ...page, ...itself } : page,
      );
    }),
  ]);
}

function opened(pages: PageEntry[], keys: string[], base: string, note: string): Target[] {
  return openPages(pages, keys).map((page) => ({ ...page, href: `${base}${page.href}`, note }));
}

/** How near an address is: 2 in the same campaign, or in the team where one is in none; 1 in the same team; else 0. */
export function nearness(href: string, pathname: string): number {
  const [there, here] = [placeOf(href), placeOf(pathname)];
  if (there.team !== here.team) return 0;
  return there.campaign === here.campaign ? 2 : 1;
}

/** The targets that a key opens, the nearest first. */
export function nearestWith(key: PermissionKey, targets: Target[], pathname: string): Target[] {
  return targets
    .filter((target) => target.key === key)
    .toSorted((a, b) => nearness(b.href, pathname) - nearness(a.href, pathname));
}
