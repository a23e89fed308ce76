import { type CampaignProps, pageMetadata } from "@/app/page-props";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { withRefusal } from "@/components/permissions/refusal";
import { CampaignReport } from "@/components/progress/report/campaign-report";
import { PrintButton } from "@/components/progress/report/print-button";
import { PageBar } from "@/components/shell/page-bar";
import { formatOf } from "@/lib/format/format-of";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { readCampaignProgress } from "@/lib/progress/read-progress";
import { readQualityCheck } from "@/lib/signatures/quality";

export const generateMetadata = pageMetadata("Report");

/**
 * `/[team]/campaign/[campaign]/report`: the overview on a printed page, with `campaign.view`; circulators and error rates
 * with `signatures.view`.
 */
export default withRefusal(async function ReportPage({ params }: CampaignProps) {
  const place = await params;
  const { snapshot } = await requirePermission(place, "campaign.view");
  const canSeeLines = snapshot.permissionKeys.includes("signatures.view");
  const [{ team, campaign }, { progress, work }, quality] = await Promise.all([
    findPlace(place),
    readCampaignProgress({ ...place, includeWork: canSeeLines }),
    canSeeLines ? readQualityCheck(place) : null,
  ]);
  const name = campaign?.name ?? place.campaign;
  return (
    <>
      <div className="contents print:hidden">
        <PageBar place={name} title="Report">
          <PrintButton />
        </PageBar>
        <PermissionsCheck at={place} />
      </div>
      <CampaignReport
        place={place}
        name={name}
        teamName={team?.name ?? place.team}
        progress={progress}
        circulators={work?.circulators ?? null}
        outsideDates={work?.outsideDates ?? 0}
        quality={quality}
        format={formatOf(team)}
      />
    </>
  );
});
