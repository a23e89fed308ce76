import {
  ChartColumn,
  History,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  PenLine,
  Settings,
  UserSearch,
  Users,
} from "lucide-react";
import type { PermissionKey } from "@/lib/permissions/permission-keys";

/** A page of a team or a campaign with the permission it needs; null if every member can open it. `g` and `chord` open it. */
export type PageEntry = {
  label: string;
  href: string;
  key: PermissionKey | null;
  icon: LucideIcon;
  chord: string;
  also?: string;
};

/** Sidebar entries under `/<team>/campaign/<campaign>`. */
export const campaignEntries: PageEntry[] = [
  { label: "Overview", href: "", key: "campaign.view", icon: LayoutDashboard, chord: "o" },
  { label: "Voters", href: "/voters", key: "voters.search", icon: UserSearch, chord: "v" },
  { label: "Signatures", href: "/signatures", key: "signatures.view", icon: PenLine, chord: "s" },
  { label: "Dashboard", href: "/dashboard", key: "charts.view", icon: ChartColumn, chord: "d" },
];

/** All pages of a campaign, including those without a sidebar entry. */
export const campaignPages: PageEntry[] = [
  ...campaignEntries,
  { label: "Report", href: "/report", key: "campaign.view", icon: LayoutDashboard, chord: "p" },
  { label: "All lines", href: "/signatures/register", key: "signatures.view", icon: PenLine, chord: "l" },
  { label: "Sheets", href: "/signatures/sheets", key: "signatures.view", icon: PenLine, chord: "h" },
  { label: "Quality check", href: "/signatures/quality", key: "signatures.view", icon: PenLine, chord: "q" },
];

/** The page of a campaign for those who may change it. */
export const campaignSettings: PageEntry = {
  label: "Campaign settings",
  href: "/settings",
  key: "members.manage",
  icon: Settings,
  chord: "e",
  also: "Archive campaign, restore, share with another team",
};

const pagesOfEditor = [...campaignPages, campaignSettings];

/** The pages of a campaign that a person can open, as the same array each time. */
export const listCampaignPages = ({ canEdit }: { canEdit: boolean }): PageEntry[] =>
  canEdit ? pagesOfEditor : campaignPages;

/** Sidebar entries under `/<team>`: all pages of a team except its first, which needs no permission. */
export const teamEntries: PageEntry[] = [
  { label: "Voters", href: "/voters", key: "voters.search", icon: UserSearch, chord: "v" },
  { label: "Dashboard", href: "/dashboard", key: "charts.view", icon: ChartColumn, chord: "d" },
  { label: "Members", href: "/members", key: "members.view", icon: Users, chord: "m", also: "People, users" },
  { label: "Roles", href: "/roles", key: "roles.manage", icon: KeyRound, chord: "r", also: "Permissions" },
  { label: "Activity", href: "/activity", key: "members.manage", icon: History, chord: "a", also: "Requests, log" },
  { label: "Settings", href: "/settings", key: null, icon: Settings, chord: "t", also: "Team settings, leave" },
];

/** The pages that these permissions give access to. */
export const openPages = (pages: PageEntry[], keys: string[]): PageEntry[] =>
  pages.filter(({ key }) => key === null || keys.includes(key));

/** The campaign page to start on: the only page they can open besides the overview, otherwise the overview. */
export function workPage(keys: string[]): string {
  const [page, another] = openPages(campaignEntries, keys).filter(({ href }) => href !== "");
  return page && !another ? page.href : "";
}

/** The page of `pages` that `page` is or belongs to, if the permissions allow it; otherwise the first, an empty string. */
export function samePage(page: string, pages: PageEntry[], keys: string[]): string {
  const own = pages.filter(({ href }) => href !== "" && `${page}/`.startsWith(`${href}/`));
  const nearest = own.toSorted((a, b) => b.href.length - a.href.length)[0];
  return nearest && openPages([nearest], keys).length > 0 ? nearest.href : "";
}

/** The team, the campaign and the page of a path: `/voters`, empty for the first page. */
export function pagePlace(pathname: string): { team: string; campaign: string | undefined; page: string } {
  const [, team = "", folder, campaign, ...rest] = pathname.split("/");
  const inCampaign = folder === "campaign" && campaign !== undefined;
  const page = inCampaign ? rest : pathname.split("/").slice(2);
  return { team, campaign: inCampaign ? campaign : undefined, page: page.map((step) => `/${step}`).join("") };
}

/** The name of the page at a path: `Dashboard`. */
export function pageLabel(path: string): string {
  const { campaign, page } = pagePlace(path);
  const pages = campaign === undefined ? teamEntries : [...campaignPages, campaignSettings];
  const own = pages.filter(({ href }) => page === href || (href !== "" && page.startsWith(`${href}/`)));
  return own.toSorted((a, b) => b.href.length - a.href.length)[0]?.label ?? "Campaigns";
}
