import {
  Building2,
  ChartColumn,
  CircleUser,
  Flag,
  History,
  KeyRound,
  ListChecks,
  type LucideIcon,
  User,
  UserPlus,
} from "lucide-react";
import { pagePlace } from "@/components/shell/navigation/entries";
import type { Places } from "@/components/shell/navigation/places-provider";
import { listTargets, nearestWith, nearness, type Target } from "@/components/shell/navigation/targets";
import { matchesWords, plainText } from "@/lib/format/text";
import type { PaletteEntries } from "@/lib/palette/responses";
import type { TeamPlace } from "@/lib/permissions/list-places";

/** Members and charts as targets. A chart leads to its place on its dashboard. */
export function namedTargets({ members, charts }: PaletteEntries, teams: TeamPlace[], pathname: string): Target[] {
  const teamName = (id: string) => teams.find((team) => team.id === id)?.name ?? id;
  const dashboards = nearestWith("charts.view", listTargets(teams), pathname);
  return [
    ...members.map(({ team, id, name, email }) => ({
      href: `/${team}/members/${id}`,
      label: name,
      note: `Member of ${teamName(team)}`,
      icon: User,
      also: email,
    })),
    ...charts.flatMap(({ team, campaign, dashboard: dashboardId, id, name }) => {
      const dashboard = dashboards.find(({ href }) => {
        const place = pagePlace(href);
        return place.team === team && (place.campaign ?? null) === campaign;
      });
      if (!dashboard) return [];
      return {
        href: `${dashboard.href}${dashboardId ? `?board=${dashboardId}` : ""}#chart-${id}`,
        label: name,
        note: `Chart in ${dashboard.note}`,
        icon: ChartColumn,
      };
    }),
  ];
}

/** Actions that are possible from here, each in the nearest place where it is allowed. */
export function commandTargets(
  { teams, canCreateTeam }: Omit<Places, "userId">,
  pathname: string,
  text: string,
): Target[] {
  const targets = listTargets(teams);
  const keysAt = (href: string) => {
    const place = pagePlace(href);
    const team = teams.find(({ id }) => id === place.team);
    return (place.campaign ? team?.campaigns.find(({ id }) => id === place.campaign) : team)?.permissionKeys ?? [];
  };
  const [managedPage] = nearestWith("members.manage", targets, pathname);
  const managed = targets.find(({ href }) => managedPage && href === `/${pagePlace(managedPage.href).team}`);
  const team = managed && { ...managed, note: managed.label };
  const [roles] = nearestWith("roles.manage", targets, pathname);
  const dashboard = nearestWith("charts.view", targets, pathname).find(({ href }) =>
    keysAt(href).includes("charts.edit"),
  );
  const register = nearestWith("signatures.view", targets, pathname).find(({ href }) => href.endsWith("/register"));
  const sheet = /^(?:open )?sheet ([1-9]\d{0,8})$/i.exec(text)?.[1];
  const command = (page: Target | undefined, path: string, label: string, icon: LucideIcon, also: string): Target[] =>
    page ? [{ href: `${page.href}${path}`, label, note: page.note, icon, also }] : [];
  return [
    ...command(team, "/members?invite=yes", "Invite people", UserPlus, "New member"),
    ...command(team, "?create=yes", "New campaign", Flag, "Create, add"),
    ...command(roles, "?create=yes", "New role", KeyRound, "Create, add"),
    ...command(roles, "?show=who", "Who can do what", KeyRound, "Who can see voters, signatures, charts, members"),
    ...command(team, "/activity/reads", "Sign-ins, exports, and searches", History, readsWords),
    ...command(dashboard, "/charts/new", "New chart", ChartColumn, "Create, add"),
    ...(sheet === undefined ? [] : command(register, `?sheet=${sheet}`, `Open sheet ${sheet}`, ListChecks, "")),
    { href: "/?all", label: "Your teams", note: "All teams", icon: Building2 },
    ...(canCreateTeam
      ? [{ href: "/?all&new", label: "New team", note: "All teams", icon: Building2, also: "Create" }]
      : []),
    {
      href: "/account",
      label: "Account",
      note: "Name, password, sessions",
      icon: CircleUser,
      also: "Settings, profile, email",
    },
  ];
}

const readsWords = "Activity: who exported, searched, or signed in";

const maxResults = 50;

/**
 * The targets that a text finds, best first. Names that begin with it come before names with a word that begins with it, then
 * names that contain its words. Ties go to recent pages, then to near ones.
 */
export function rankTargets(
  targets: Target[],
  text: string,
  { pathname, recent }: { pathname: string; recent: string[] },
): Target[] {
  return targets
    .filter(({ href }) => text !== "" || href !== pathname)
    .map((target) => ({
      target,
      match: matchTarget(target, text),
      age: recent.includes(target.href) ? recent.indexOf(target.href) : recent.length,
      nearness: nearness(target.href, pathname),
    }))
    .filter(({ match }) => match < noMatch)
    .sort((a, b) => a.match - b.match || a.age - b.age || b.nearness - a.nearness)
    .slice(0, maxResults)
    .map(({ target }) => target);
}

const noMatch = 4;

function matchTarget({ label, note, also }: Target, text: string) {
  const [name, query] = [plainText(label), plainText(text)];
  if (name.startsWith(query)) return 0;
  if (name.includes(` ${query}`)) return 1;
  if (matchesWords(label, text)) return 2;
  return matchesWords(`${label} ${note} ${also ?? ""}`, text) ? 3 : noMatch;
}
