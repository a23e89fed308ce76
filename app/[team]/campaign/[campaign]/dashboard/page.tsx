import type { Metadata } from "next";
import {
  addSuggestedChartForm,
  deleteChartForm,
  duplicateChartForm,
  orderChartsForm,
  restoreChartForm,
} from "@/app/[team]/campaign/[campaign]/dashboard/actions";
import { placeTitle } from "@/app/place-title";
import { Dashboard } from "@/components/charts/dashboard/dashboard";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { refusable } from "@/components/permissions/refusable";
import { BarCount } from "@/components/progress/bar-count";
import { PageBar } from "@/components/shell/page-bar";
import { listChartSources } from "@/lib/charts/list-chart-sources";
import { listCharts } from "@/lib/charts/list-charts";
import { suggestedCharts } from "@/lib/charts/suggested-charts";
import { findPlace } from "@/lib/permissions/find-place";
import { requirePermission } from "@/lib/permissions/require-place";

type Props = {
  params: Promise<{ team: string; campaign: string }>;
  searchParams: Promise<{ deleted?: string | string[] }>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("Dashboard", await params) };
}

/** `/[team]/campaign/[campaign]/dashboard`: the charts of a campaign, with `charts.view`. */
export default refusable(async function DashboardPage({ params, searchParams }: Props) {
  const place = await params;
  const { snapshot } = await requirePermission(place, "charts.view");
  const [{ campaign }, charts, sources, { deleted }] = await Promise.all([
    findPlace(place),
    listCharts(place),
    listChartSources(),
    searchParams,
  ]);
  return (
    <>
      <PageBar place={campaign?.name ?? place.campaign} title="Dashboard">
        <BarCount place={place} />
      </PageBar>
      <PermissionsCheck at={place} />
      <Dashboard
        key={`${place.team}/${place.campaign}`}
        place={place}
        charts={charts}
        sources={sources}
        seesRecords={snapshot.permissionKeys.includes("signatures.view")}
        deletedId={typeof deleted === "string" ? deleted : null}
        {...(snapshot.permissionKeys.includes("charts.edit") && {
          editing: {
            duplicate: duplicateChartForm,
            remove: deleteChartForm,
            restore: restoreChartForm,
            order: orderChartsForm,
            addSuggested: addSuggestedChartForm,
            suggestions: suggestedCharts(sources),
          },
        })}
      />
    </>
  );
});
