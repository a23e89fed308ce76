import { declineRequest } from "@/app/[team]/members/actions";
import { TeamFrame } from "@/app/[team]/team-frame";
import { pageMetadata, type TeamProps } from "@/app/page-props";
import { ActivityList, ActivityTabs, OlderEntries, PrintedFilter } from "@/components/activity/activity-lists";
import { ActivityFilterForm } from "@/components/activity/filter-forms";
import { RequestsList } from "@/components/activity/requests-list";
import { withRefusal } from "@/components/permissions/refusal";
import { listActivity, listRemovedMembers } from "@/lib/activity/activity";
import { activityFilterSchema, isBackwards } from "@/lib/activity/activity-filter";
import { formatOf } from "@/lib/format/format-of";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { queryText } from "@/lib/query-text";
import { endText } from "@/lib/team-access/campaigns-text";
import { listRequestGrants, placesToGrantIn } from "@/lib/team-access/list-request-grants";
import { listMembers, type Member } from "@/lib/team-access/members";
import { readTeamRoles } from "@/lib/team-access/read-team-roles";
import { listAccessRequests } from "@/lib/team-access/requests";

export const generateMetadata = pageMetadata("Activity");

/** `/[team]/activity`: requests for access and who changed what, with `members.manage`. The URL has the filter. */
export default withRefusal(async function ActivityPage({ params, searchParams }: TeamProps) {
  const { team: teamId } = await params;
  const { snapshot } = await requirePermission({ team: teamId }, "members.manage");
  const filter = activityFilterSchema.parse(await searchParams);
  const [{ team }, { entries, next }, requests, members, removed, roles] = await Promise.all([
    findPlace({ team: teamId }),
    listActivity(teamId, filter),
    listAccessRequests(teamId),
    listMembers(teamId),
    listRemovedMembers(teamId),
    readTeamRoles(teamId),
  ]);
  const teamName = team?.name ?? teamId;
  const format = formatOf(team);
  const { shortDay } = format;
  const grantable = requests.map((request) => {
    const member = members.find(({ userId }) => userId === request.userId);
    const inactive =
      member?.status !== "active" && member && (member.ended ? `access ${endText(member, shortDay)}` : member.status);
    if (!member || inactive)
      return { ...request, grants: [], inactive, whyNot: "They can't use it now. Reactivate them first." };
    const places = team ? placesToGrantIn(request, team) : [];
    if (places.length === 0 && !request.campaign)
      return { ...request, grants: [], whyNot: "No campaign is running. Create one first, then grant this." };
    const grantsIn = ({ campaign }: (typeof places)[number], ownKeys?: string[]) =>
      listRequestGrants(teamId, { key: request.key, campaign }, member, roles, ownKeys);
    const grants = places.flatMap((place) =>
      grantsIn(place, place.permissionKeys)
        .slice(0, places.length > 1 ? 1 : undefined)
        .map((grant) => ({ ...grant, grants: `${grant.grants} in ${place.name}` })),
    );
    const isForOthers = grants.length > 0 || places.length === 0 || places.some((place) => grantsIn(place).length > 0);
    return {
      ...request,
      grants,
      whyNot: grants.length > 0 ? null : whyNotGranted(member, isForOthers),
      isRoleMissing: !isForOthers && snapshot.permissionKeys.includes("roles.manage"),
    };
  });
  const known = {
    teamId,
    people: new Set(members.map(({ userId }) => userId)),
    campaigns: new Set(team?.campaigns.map(({ id }) => id)),
  };
  const people = [...members.map(({ userId, name }) => ({ id: userId, name })), ...removed];
  const campaigns = roles.campaigns.map(({ id, name }) => ({ id, name }));
  const names = new Map([...people, ...campaigns].map(({ id, name }) => [id, name]));
  const path = `/${teamId}/activity`;
  return (
    <TeamFrame team={{ id: teamId, name: teamName }} title="Activity">
      <div className="flex max-w-5xl flex-col gap-6 px-4 py-6 md:px-6">
        <ActivityTabs teamId={teamId} shown="changes" />
        <RequestsList requests={grantable} decline={declineRequest} />
        <ActivityFilterForm path={path} filter={filter} people={people} campaigns={campaigns} />
        <PrintedFilter filter={filter} names={names} format={format} />
        {entries.length === 0 ? (
          !isBackwards(filter) && (
            <p className="rounded-md border px-4 py-6">
              {queryText(filter)
                ? "No entries match. Clear a filter or show all."
                : "No changes yet. Changes to members, roles, and campaigns will be listed here, with who made them."}
            </p>
          )
        ) : (
          <ActivityList entries={entries} known={known} format={format} />
        )}
        <OlderEntries path={path} filter={filter} next={next} format={format} />
      </div>
    </TeamFrame>
  );
});

// Why no change here grants a request.
function whyNotGranted({ isAdministrator, name }: Member, isForOthers: boolean) {
  if (isAdministrator) return "All administrators have the same permissions. Change them under Roles.";
  if (isForOthers) return "You can't grant this because you don't have it there yourself. Another administrator can.";
  return `No role adds this and keeps everything ${name} has. Change or create one under Roles.`;
}
