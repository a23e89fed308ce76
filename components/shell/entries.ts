import {
  ChartColumn,
  History,
  KeyRound,
  LayoutDashboard,
  type LucideIcon,
  PenLine,
  UserSearch,
  Users,
} from "lucide-react";
import type { PermissionKey } from "@/lib/permissions/permission-keys";

/** An entry of the sidebar: a page under a team or a campaign, and the key that opens it. */
export type SidebarEntry = { label: string; href: string; key: PermissionKey; icon: LucideIcon };

/** Entries under `/<team>/campaign/<campaign>`. */
export const campaignEntries: SidebarEntry[] = [
  { label: "Overview", href: "", key: "campaign.view", icon: LayoutDashboard },
  { label: "Voters", href: "/voters", key: "voters.search", icon: UserSearch },
  { label: "Signatures", href: "/signatures", key: "signatures.view", icon: PenLine },
  { label: "Dashboard", href: "/dashboard", key: "charts.view", icon: ChartColumn },
];

/** Entries under `/<team>`. */
export const teamEntries: SidebarEntry[] = [
  { label: "Voters", href: "/voters", key: "voters.search", icon: UserSearch },
  { label: "Members", href: "/members", key: "members.view", icon: Users },
  { label: "Roles", href: "/roles", key: "roles.manage", icon: KeyRound },
  { label: "Activity", href: "/activity", key: "members.manage", icon: History },
];
