import { declineRequest } from "@/app/[team]/members/actions";
import { TeamFrame } from "@/app/[team]/team-frame";
import { pageMetadata, type TeamProps } from "@/app/page-props";
import { ActivityList, ActivityTabs, OlderEntries, PrintedFilter } from "@/components/activity/activity-lists";
import { describeEntry } from "@/components/activity/describe-entry";
import { ActivityFilterForm } from "@/components/activity/filter-forms";
import { RequestsList } from "@/components/activity/requests-list";
import { withRefusal } from "@/components/permissions/refusal";
import { listActivity, listInvitedEmails, listRemovedMembers } from "@/lib/activity/activity";
import { activityFilterSchema, isBackwards } from "@/lib/activity/activity-filter";
import { formatOf } from "@/lib/format/format-of";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { queryText } from "@/lib/query-text";
import { grantableRequest } from "@/lib/team-access/grantable-request";
import { listMembers } from "@/lib/team-access/members";
import { readTeamRoles } from "@/lib/team-access/read-team-roles";
import { listAccessRequests } from "@/lib/team-access/requests";

export const generateMetadata = pageMetadata("Activity");

/** `/[team]/activity`: access requests and who changed what, with `members.manage`. The URL has the filter. */
export default withRefusal(async function ActivityPage({ params, searchParams }: TeamProps) {
  const { team: teamId } = await params;
  const { snapshot } = await requirePermission({ team: teamId }, "members.manage");
  const filter = activityFilterSchema.parse(await searchParams);
  const { team } = await findPlace({ team: teamId });
  const format = formatOf(team);
  const [{ entries, next }, requests, members, removed, invited, roles] = await Promise.all([
    listActivity(teamId, filter, (entry) => describeEntry(entry, format)),
    listAccessRequests(teamId),
    listMembers(teamId),
    listRemovedMembers(teamId),
    listInvitedEmails(teamId),
    readTeamRoles(teamId),
  ]);
  const teamName = team?.name ?? teamId;
  const requestsWithGrants = team
    ? requests.map((request) => grantableRequest(request, team, members, roles, format.shortDay))
    : [];
  const known = {
    teamId,
    people: new Set(snapshot.permissionKeys.includes("members.view") ? members.map(({ userId }) => userId) : []),
    campaigns: new Set(team?.campaigns.map(({ id }) => id)),
  };
  const people = [...members.map(({ userId, name }) => ({ id: userId, name })), ...removed];
  const campaigns = roles.campaigns.map(({ id, name }) => ({ id, name }));
  const names = new Map([...people, ...invited, ...campaigns].map(({ id, name }) => [id, name]));
  const path = `/${teamId}/activity`;
  return (
    <TeamFrame team={{ id: teamId, name: teamName }} title="Activity">
      <div className="flex max-w-5xl flex-col gap-6 px-4 py-6 md:px-6">
        <ActivityTabs teamId={teamId} shown="changes" />
        <RequestsList
          requests={requestsWithGrants}
          canEditRoles={snapshot.permissionKeys.includes("roles.manage")}
          decline={declineRequest}
        />
        <ActivityFilterForm path={path} filter={filter} people={people} invited={invited} campaigns={campaigns} />
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
