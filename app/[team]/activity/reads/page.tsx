import { loadReadLabels } from "@/app/[team]/activity/reads/read-labels";
import { pageMetadata, type TeamProps } from "@/app/page-props";
import { ActivityTabs, OlderEntries, PrintedFilter, ReadsList } from "@/components/activity/activity-lists";
import { AccessLogFilterForm } from "@/components/activity/filter-forms";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { withRefusal } from "@/components/permissions/refusal";
import { PageBar } from "@/components/shell/page-bar";
import { accessLogFilterSchema, isBackwards } from "@/lib/activity/activity-filter";
import { listReads } from "@/lib/activity/reads";
import { requirePermission } from "@/lib/permissions/require-place";
import { queryText } from "@/lib/query-text";

export const generateMetadata = pageMetadata("Sign-ins, exports, and searches");

/** `/[team]/activity/reads`: sign-ins, exports, and searches, and who made them, with `members.manage`. The URL has the filter. */
export default withRefusal(async function ReadsPage({ params, searchParams }: TeamProps) {
  const { team: teamId } = await params;
  const { session, snapshot } = await requirePermission({ team: teamId }, "members.manage");
  const filter = accessLogFilterSchema.parse(await searchParams);
  const [{ reads, next }, { teamName, people, memberIds, labels, format }] = await Promise.all([
    listReads({ actorId: session.userId, teamId }, filter),
    loadReadLabels(teamId),
  ]);
  const known = { teamId, people: snapshot.permissionKeys.includes("members.view") ? memberIds : new Set<string>() };
  const path = `/${teamId}/activity/reads`;
  return (
    <>
      <PageBar place={teamName} title="Activity" />
      <PermissionsCheck at={{ team: teamId }} />
      <div className="flex max-w-5xl flex-col gap-6 px-4 py-6 md:px-6">
        <ActivityTabs teamId={teamId} shown="reads" />
        <AccessLogFilterForm path={path} filter={filter} people={people} />
        <PrintedFilter filter={filter} names={labels.names} format={format} />
        {reads.length === 0 ? (
          !isBackwards(filter) && (
            <p className="rounded-md border px-4 py-6">
              {queryText(filter)
                ? "No entries match. Clear a filter or show all."
                : "No sign-ins, exports, or searches yet. They'll be listed here, with the person's name."}
            </p>
          )
        ) : (
          <ReadsList reads={reads} known={known} labels={labels} format={format} />
        )}
        <p className="text-muted-foreground text-sm">
          Voter searches aren't tied to one team. They appear in every team where that person can search.
        </p>
        <OlderEntries path={path} filter={filter} next={next} format={format} />
      </div>
    </>
  );
});
