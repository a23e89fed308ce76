import { notFound } from "next/navigation";
import { after } from "next/server";
import { z } from "zod";
import {
  addSuggestedChart,
  deleteChart,
  deleteDashboard,
  duplicateChart,
  moveChart,
  orderCharts,
  resizeChart,
  restoreChart,
  saveDashboard,
  saveText,
  setMaxAge,
} from "@/app/[team]/campaign/[campaign]/dashboard/actions";
import { pageMetadata } from "@/app/page-props";
import { Dashboard } from "@/components/charts/dashboard/dashboard";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { withRefusal } from "@/components/permissions/refusal";
import { BarCount } from "@/components/progress/bar-count";
import { IgnoredFilters } from "@/components/shell/ignored-filters";
import { PageBar } from "@/components/shell/page-bar";
import { suggestedCharts } from "@/lib/charts/builder/suggest";
import { dashboardHref } from "@/lib/charts/definition/dashboard";
import { dashboardFilterSchema, ignoredDashboardFilters } from "@/lib/charts/definition/dashboard-filter";
import { readDashboard } from "@/lib/charts/store/dashboard";
import { refreshCharts } from "@/lib/charts/store/generate";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";

type Props = {
  params: Promise<{ team: string; campaign?: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export const generateMetadata = pageMetadata("Dashboard");

/**
 * `/[team]/campaign/[campaign]/dashboard` and `/[team]/dashboard`: the charts of a campaign or of the whole team, with
 * `charts.view` there. Stale charts are regenerated after the response.
 */
export default withRefusal(async function DashboardPage({ params, searchParams }: Props) {
  const place = await params;
  const { session, snapshot } = await requirePermission(place, "charts.view");
  const { deleted, board, ...query } = await searchParams;
  const dashboardId = board === undefined ? null : (z.guid().safeParse(board).data ?? notFound());
  const filter = dashboardFilterSchema.parse(query);
  const [{ team, campaign }, dashboard] = await Promise.all([
    findPlace(place),
    readDashboard({ place, dashboardId, filter, userId: session.userId }),
  ]);
  if (dashboard === null) notFound();
  const { charts, sources, dashboards } = dashboard;
  const { name } = dashboards.find(({ id }) => id === dashboardId) ?? { name: "Main" };
  const ids = charts.filter(({ isStale }) => isStale).map(({ id }) => id);
  if (ids.length > 0) after(() => refreshCharts({ actorId: session.userId, ids }));
  return (
    <>
      <PageBar
        place={(place.campaign === undefined ? team : campaign)?.name ?? place.team}
        title={dashboards.length > 0 ? `Dashboard: ${name}` : "Dashboard"}
      >
        {place.campaign !== undefined && <BarCount place={{ team: place.team, campaign: place.campaign }} />}
      </PageBar>
      <PermissionsCheck at={place} />
      <IgnoredFilters ignored={ignoredDashboardFilters(query)} />
      <Dashboard
        key={dashboardHref(place, dashboardId)}
        place={place}
        dashboardId={dashboardId}
        filter={filter}
        {...dashboard}
        canSeeRecords={snapshot.permissionKeys.includes("signatures.view")}
        deletedId={typeof deleted === "string" ? deleted : null}
        {...(snapshot.permissionKeys.includes("charts.edit") && {
          editing: {
            duplicateChart,
            deleteChart,
            restoreChart,
            moveChart,
            resizeChart,
            orderCharts,
            addSuggestedChart,
            setMaxAge,
            saveText,
            saveDashboard,
            deleteDashboard,
            suggestions: suggestedCharts(sources),
          },
        })}
      />
    </>
  );
});
