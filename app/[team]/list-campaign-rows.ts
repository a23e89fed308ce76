import "server-only";
import { needsOfLines } from "@/components/progress/outlook-text";
import { formatOf } from "@/lib/format/format-of";
import type { TeamPlace } from "@/lib/permissions/list-places";
import { listTeamProgress } from "@/lib/progress/read-progress";
import { listAccessRequests } from "@/lib/team-access/requests";

/**
 * A team's running and archived campaigns, with the progress and the needed attention that the signed-in user may see. People
 * who answer access requests also get the open ones.
 */
export async function listCampaignRows(team: TeamPlace) {
  const { id: teamId, permissionKeys, campaigns } = team;
  const format = formatOf(team);
  const viewable = campaigns.filter((campaign) => campaign.permissionKeys.includes("campaign.view"));
  const [progress, requests] = await Promise.all([
    listTeamProgress(
      teamId,
      viewable.map(({ id }) => id),
    ),
    permissionKeys.includes("members.manage") ? listAccessRequests(teamId) : [],
  ]);
  const rows = campaigns.map((place) => {
    const own = progress.get(place.id);
    const requested = requests.filter(({ campaign }) => campaign?.id === place.id).length;
    const needs = [
      ...(requested > 0 ? [format.count(requested, "access request")] : []),
      ...(own && place.permissionKeys.includes("signatures.view") ? needsOfLines(own, format) : []),
    ];
    return { ...place, progress: own?.progress ?? null, needs: place.archivedAt === null ? needs : [] };
  });
  return {
    running: rows.filter(({ archivedAt }) => archivedAt === null),
    archived: rows.filter(({ archivedAt }) => archivedAt !== null),
    requests,
  };
}
