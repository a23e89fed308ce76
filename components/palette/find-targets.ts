import { ChartColumn, User } from "lucide-react";
import { pagePlace } from "@/components/shell/navigation/entries";
import { nearestWith, nearness, type Target, targetsOf } from "@/components/shell/navigation/targets";
import { matchesWords, plainText } from "@/lib/format/text";
import type { Names } from "@/lib/palette/answers";
import type { TeamPlace } from "@/lib/permissions/list-places";

/** Members and charts as targets. A chart leads to its place on its dashboard. */
export function namedTargets({ members, charts }: Names, teams: TeamPlace[], pathname: string): Target[] {
  const teamName = (id: string) => teams.find((team) => team.id === id)?.name ?? id;
  const dashboards = nearestWith("charts.view", targetsOf(teams), pathname);
  return [
    ...members.map(({ team, id, name, email }) => ({
      href: `/${team}/members/${id}`,
      label: name,
      note: `Member of ${teamName(team)}`,
      icon: User,
      also: email,
    })),
    ...charts.flatMap(({ team, campaign, id, name }) => {
      const dashboard = dashboards.find(({ href }) => {
        const at = pagePlace(href);
        return at.team === team && (at.campaign ?? null) === campaign;
      });
      if (!dashboard) return [];
      return {
        href: `${dashboard.href}#chart-${id}`,
        label: name,
        note: `Chart of ${dashboard.note}`,
        icon: ChartColumn,
      };
    }),
  ];
}

const maxResults = 50;

/**
 * The targets that a text finds, best first: names that begin with it, names with a word that does, names that contain its
 * words, then other matches. Ties go to recent pages, then to near ones.
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
      match: matchOf(target, text),
      age: recent.includes(target.href) ? recent.indexOf(target.href) : recent.length,
      nearness: nearness(target.href, pathname),
    }))
    .filter(({ match }) => match < noMatch)
    .sort((a, b) => a.match - b.match || a.age - b.age || b.nearness - a.nearness)
    .slice(0, maxResults)
    .map(({ target }) => target);
}

const noMatch = 4;

function matchOf({ label, note, also }: Target, text: string) {
  const [name, wanted] = [plainText(label), plainText(text)];
  if (name.startsWith(wanted)) return 0;
  if (name.includes(` ${wanted}`)) return 1;
  if (matchesWords(label, text)) return 2;
  return matchesWords(`${label} ${note} ${also ?? ""}`, text) ? 3 : noMatch;
}
