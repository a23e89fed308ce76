import { ChartColumn, User } from "lucide-react";
import { placeOf } from "@/components/shell/place-of";
import { nearestWith, type Target, targetsOf } from "@/components/shell/targets";
import type { Names } from "@/lib/palette/answers";
import type { TeamPlace } from "@/lib/permissions/list-places";

/** The members and charts that one may open, as targets. A chart leads to its dashboard, to itself there. */
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
        const at = placeOf(href);
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
