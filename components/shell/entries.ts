import {
  ChartColumn,
  History,
  KeyRound,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  PenLine,
  Settings,
  UserSearch,
  Users,
} from "lucide-react";
import type { PermissionKey } from "@/lib/permissions/permission-keys";

/** A page under a team or a campaign, and the key that opens it; null where it opens to every member. */
export type PageEntry = { label: string; href: string; key: PermissionKey | null; icon: LucideIcon };

/** Entries of the sidebar under `/<team>/campaign/<campaign>`. */
export const campaignEntries: PageEntry[] = [
  { label: "Overview", href: "", key: "campaign.view", icon: LayoutDashboard },
  { label: "Voters", href: "/voters", key: "voters.search", icon: UserSearch },
  { label: "Signatures", href: "/signatures", key: "signatures.view", icon: PenLine },
  { label: "Dashboard", href: "/dashboard", key: "charts.view", icon: ChartColumn },
];

/** All pages of a campaign that stand for themselves, those behind an entry of the sidebar too. */
export const campaignPages: PageEntry[] = [
  ...campaignEntries,
  { label: "Register", href: "/signatures/register", key: "signatures.view", icon: ListChecks },
];

/** Entries of the sidebar under `/<team>`: all pages of a team but its first one, which needs no key. */
export const teamEntries: PageEntry[] = [
  { label: "Voters", href: "/voters", key: "voters.search", icon: UserSearch },
  { label: "Dashboard", href: "/dashboard", key: "charts.view", icon: ChartColumn },
  { label: "Members", href: "/members", key: "members.view", icon: Users },
  { label: "Roles", href: "/roles", key: "roles.manage", icon: KeyRound },
  { label: "Activity", href: "/activity", key: "members.manage", icon: History },
  { label: "Settings", href: "/settings", key: null, icon: Settings },
];

/** The pages that the keys open. */
export const openPages = (pages: PageEntry[], keys: string[]): PageEntry[] =>
  pages.filter(({ key }) => key === null || keys.includes(key));

/** Where somebody works in a campaign: at the only page that her keys open beside its overview, as at the voters; else there. */
export function workPage(keys: string[]): string {
  const [page, another] = openPages(campaignEntries, keys).filter(({ href }) => href !== "");
  return page && !another ? page.href : "";
}

/** The page of `pages` that `page` is or belongs to, if the keys open it; else the first one: the empty text. */
export function samePage(page: string, pages: PageEntry[], keys: string[]): string {
  const own = pages.filter(({ href }) => href !== "" && `${page}/`.startsWith(`${href}/`));
  const nearest = own.toSorted((a, b) => b.href.length - a.href.length)[0];
  return nearest && openPages([nearest], keys).length > 0 ? nearest.href : "";
}
