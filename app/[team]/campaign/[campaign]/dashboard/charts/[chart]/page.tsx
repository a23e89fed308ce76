import { notFound } from "next/navigation";
import { z } from "zod";
import { deleteChart, saveChart } from "@/app/[team]/campaign/[campaign]/dashboard/actions";
import { pageMetadata } from "@/app/page-props";
import { ChartBuilder } from "@/components/charts/builder/chart-builder";
import { UnreadableChart } from "@/components/charts/dashboard/unreadable-chart";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { withRefusal } from "@/components/permissions/refusal";
import { BarCount } from "@/components/progress/bar-count";
import { PageBar } from "@/components/shell/page-bar";
import { dashboardHref } from "@/lib/charts/definition/dashboard";
import { findChart } from "@/lib/charts/store/read";
import { listChartSources, listEmptyColumns } from "@/lib/charts/store/records";
import { PermissionRefused } from "@/lib/permissions/messages";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";

type Props = {
  params: Promise<{ team: string; campaign?: string; chart: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: Pick<Props, "params">) {
  return pageMetadata((await params).chart === "new" ? "New chart" : "Edit chart")({ params });
}

/**
 * `/[team]/campaign/[campaign]/dashboard/charts/[chart]` and `/[team]/dashboard/charts/[chart]`: the builder, with
 * `charts.edit` there; `new` for a new chart. A chart that identifies signers also needs `signatures.view` there.
 */
export default withRefusal(async function ChartPage({ params, searchParams }: Props) {
  const { chart: id, ...place } = await params;
  const { session, snapshot } = await requirePermission(place, "charts.edit");
  const [{ team, campaign }, sources, chart] = await Promise.all([
    findPlace(place),
    listChartSources(),
    id === "new" ? null : findChart({ actorId: session.userId, place, id }),
  ]);
  // A campaign's builder can't edit charts of the whole team, and no builder edits texts.
  if (chart === undefined || (chart && (chart.campaign !== (place.campaign ?? null) || chart.text !== null)))
    notFound();
  const { board } = await searchParams;
  if (chart?.withheld) throw new PermissionRefused(place, "signatures.view", "see charts that identify signers");
  return (
    <>
      <PageBar
        place={(place.campaign === undefined ? team : campaign)?.name ?? place.team}
        title={chart ? "Edit chart" : "New chart"}
      >
        {place.campaign !== undefined && <BarCount place={{ team: place.team, campaign: place.campaign }} />}
      </PageBar>
      <PermissionsCheck at={place} />
      {chart?.problem ? (
        <UnreadableChart name={chart.name} problem={chart.problem} dashboard={dashboardHref(place, chart.dashboard)} />
      ) : (
        <ChartBuilder
          key={id}
          place={place}
          chart={chart}
          dashboardId={chart ? chart.dashboard : (z.guid().safeParse(board).data ?? null)}
          sources={sources}
          emptyColumns={listEmptyColumns(place)}
          canSeeSigners={snapshot.permissionKeys.includes("signatures.view")}
          save={saveChart}
          remove={deleteChart}
        />
      )}
    </>
  );
});
