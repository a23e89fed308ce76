import type { ReadLabels } from "@/components/activity/describe-read";
import { listRemovedMembers } from "@/lib/activity/activity";
import { listChartSources } from "@/lib/charts/store/records";
import { formatOf } from "@/lib/format/format-of";
import { findPlace } from "@/lib/permissions/require-place";
import { listMembers } from "@/lib/team-access/members";
import { readTeamRoles } from "@/lib/team-access/read-team-roles";

/** Names and formats that describe a team's reads, with names of removed people. Guard with `members.manage` first. */
export async function loadReadLabels(teamId: string) {
  const [{ team }, members, removed, { roles, campaigns }, sources] = await Promise.all([
    findPlace({ team: teamId }),
    listMembers(teamId),
    listRemovedMembers(teamId),
    readTeamRoles(teamId),
    listChartSources(),
  ]);
  const people = [...members.map(({ userId, name }) => ({ id: userId, name })), ...removed];
  const names = new Map([...people, ...roles, ...campaigns].map(({ id, name }) => [id, name]));
  const labels: ReadLabels = { names, sources };
  const memberIds = new Set(members.map(({ userId }) => userId));
  return { teamName: team?.name ?? teamId, people, memberIds, labels, format: formatOf(team) };
}
