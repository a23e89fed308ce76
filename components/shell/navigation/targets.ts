import { Building2, Flag, type LucideIcon } from "lucide-react";
import {
  listCampaignPages,
  openPages,
  type PageEntry,
  pagePlace,
  teamEntries,
} from "@/components/shell/navigation/entries";
import { countEdits } from "@/lib/format/text";
import type { TeamPlace } from "@/lib/permissions/list-places";
import type { PermissionKey } from "@/lib/permissions/permission-keys";

/** A page to go to: its name, and in `note` what or where it is. `key` is its permission, `also` more words that find it. */
export type Target = {
  href: string;
  label: string;
  note: string;
  icon: LucideIcon;
  key?: PermissionKey | null;
  also?: string;
};

/** The teams, campaigns and pages that the permissions open; a team's own come before those of its campaigns. */
export function listTargets(teams: TeamPlace[]): Target[] {
  return teams.flatMap((team) => [
    { href: `/${team.id}`, label: team.name, note: "Team", icon: Building2, also: "Campaigns" },
    ...opened(teamEntries, team.permissionKeys, `/${team.id}`, team.name),
    ...team.campaigns.flatMap(({ id, name, archivedAt, permissionKeys, canEdit }) => {
      const base = `/${team.id}/campaign/${id}`;
      const itself = { label: name, note: archivedAt ? "Archived campaign" : "Campaign", icon: Flag, also: "Overview" };
      return opened(listCampaignPages({ canEdit }), permissionKeys, base, name).map((page) =>
        page.href === base ? { ...page, ...itself } : page,
      );
    }),
  ]);
}

function opened(pages: PageEntry[], keys: string[], base: string, note: string): Target[] {
  return openPages(pages, keys).map((page) => ({ ...page, href: `${base}${page.href}`, note }));
}

/** How close two paths are: 1 in the same team, 2 if they also share a campaign or have none, otherwise 0. */
export function nearness(href: string, pathname: string): number {
  const [there, here] = [pagePlace(href), pagePlace(pathname)];
  if (there.team !== here.team) return 0;
  return there.campaign === here.campaign ? 2 : 1;
}

/** The targets with a permission key, nearest first. */
export function nearestWith(key: PermissionKey, targets: Target[], pathname: string): Target[] {
  return targets
    .filter((target) => target.key === key)
    .toSorted((a, b) => nearness(b.href, pathname) - nearness(a.href, pathname));
}

const maxSuggestions = 5;

/** Suggestions for a path without a page: targets of its team with a similar name or last step, then those above it. */
export function nearTargets(targets: Target[], pathname: string): Target[] {
  const requestedSlug = lastStep(pathname).slice(0, 64);
  const own = targets.filter(({ href }) => nearness(href, pathname) > 0);
  const similar = own
    .flatMap((target) =>
      [lastStep(target.href), target.label, target.also ?? ""].map((name) => {
        const slug = name.toLowerCase().replaceAll(" ", "-");
        return { target, slug, slips: countEdits(requestedSlug, slug), nearness: nearness(target.href, pathname) };
      }),
    )
    .filter(({ slips }) => slips <= requestedSlug.length / 3)
    .sort((a, b) => a.slips - b.slips || b.nearness - a.nearness);
  // Pages of this campaign replace pages with the same name in other campaigns.
  const here = new Set(similar.filter(({ nearness }) => nearness === 2).map(({ slug }) => slug));
  const meant = similar.filter(({ slug, nearness }) => nearness === 2 || !here.has(slug));
  const above = own
    .filter(({ href }) => pathname.startsWith(`${href}/`))
    .toSorted((a, b) => b.href.length - a.href.length);
  return [...new Set([...meant.map(({ target }) => target), ...above])].slice(0, maxSuggestions);
}

const lastStep = (path: string) => path.replace(/\/+$/, "").split("/").at(-1)?.toLowerCase() ?? "";
