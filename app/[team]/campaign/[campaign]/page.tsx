import { previewAccess, saveAccess } from "@/app/[team]/actions";
import { rebuildDuplicateCheck } from "@/app/[team]/campaign/[campaign]/actions";
import { type CampaignProps, pageMetadata } from "@/app/page-props";
import { CampaignDetails } from "@/components/campaigns/campaign-details";
import { ErasureNote } from "@/components/campaigns/erasure-note";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { withRefusal } from "@/components/permissions/refusal";
import { CampaignOverview } from "@/components/progress/campaign-overview";
import { EntryErrors } from "@/components/progress/error-rates";
import { CampaignCount } from "@/components/shell/campaign-count";
import { PageBar } from "@/components/shell/page-bar";
import { DuplicateCheck } from "@/components/signers/duplicate-check";
import { AccessChanges } from "@/components/team-access/access-changes";
import { Badge } from "@/components/ui/badge";
import { ButtonLink } from "@/components/ui/link";
import { readCampaignFacts } from "@/lib/campaigns/campaigns";
import { listFailedCharts } from "@/lib/charts/store/read";
import { formatOf } from "@/lib/format/format-of";
import { logFailure } from "@/lib/log-event";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { readCampaignProgress } from "@/lib/progress/read-progress";
import { readQualityCheck } from "@/lib/signatures/quality";
import type { SignerSet } from "@/lib/signers/responses";
import { readSignerSet } from "@/lib/signers/signers";
import { listAccessRequests } from "@/lib/team-access/requests";

export const generateMetadata = pageMetadata("Overview");

/**
 * `/[team]/campaign/[campaign]`: the overview, with `campaign.view`. Adds the team's work with `signatures.view`, the
 * duplicate check with `signatures.remove`, access requests with `members.manage`, and failed charts with `charts.view`.
 */
export default withRefusal(async function OverviewPage({ params }: CampaignProps) {
  const place = await params;
  const { snapshot } = await requirePermission(place, "campaign.view");
  const can = (key: string) => snapshot.permissionKeys.includes(key);
  const canRebuild = can("signatures.remove");
  const [{ team }, facts, progressResponse, signers, requests, failedCharts, quality] = await Promise.all([
    findPlace(place),
    readCampaignFacts(place.campaign),
    readCampaignProgress({ ...place, includeWork: can("signatures.view") }),
    canRebuild ? readSignerSetIfReachable(place.campaign) : null,
    can("members.manage") ? listAccessRequests(place.team) : [],
    can("charts.view") ? listFailedCharts(place) : [],
    can("signatures.view") ? readQualityCheck(place) : null,
  ]);
  const { eraseAt, erasedAt } = facts;
  const runner = facts.teams.find(({ id }) => id === facts.runBy);
  const teamName = team?.name ?? place.team;
  const canEdit = facts.runBy === place.team && team?.permissionKeys.includes("members.manage") === true;
  return (
    <AccessChanges team={{ id: place.team, name: teamName }} save={saveAccess} preview={previewAccess}>
      <PageBar place={facts.name} title="Overview">
        <CampaignCount accepted={progressResponse.progress.accepted} goal={progressResponse.progress.goal} />
        <ButtonLink href={`/${place.team}/campaign/${place.campaign}/report`} variant="ghost">
          Report
        </ButtonLink>
        {facts.archived && <Badge className="max-md:hidden">archived</Badge>}
      </PageBar>
      <PermissionsCheck at={place} />
      <div className="flex max-w-5xl flex-col gap-8 px-4 py-6 md:px-6">
        <ErasureNote
          place={place}
          otherRunner={facts.runBy === place.team ? null : (runner?.name ?? "the team that runs it")}
          eraseAt={team?.permissionKeys.includes("members.manage") ? eraseAt : null}
          erasedAt={erasedAt}
          canExport={can("signatures.view")}
          format={formatOf(team)}
        />
        <CampaignOverview
          key={`${place.team}/${place.campaign}`}
          place={place}
          initial={progressResponse}
          teamName={teamName}
          requests={requests.filter(({ campaign }) => campaign === null || campaign.id === place.campaign).length}
          failedCharts={failedCharts}
          canEnter={can("signatures.enter")}
          canEdit={canEdit}
        >
          {quality && <EntryErrors check={quality} place={place} format={formatOf(team)} />}
        </CampaignOverview>
        <CampaignDetails facts={facts} teamId={place.team} permissionKeys={snapshot.permissionKeys}>
          {canRebuild && (
            <DuplicateCheck
              place={place}
              signers={signers}
              isArchived={facts.archived}
              rebuild={rebuildDuplicateCheck}
            />
          )}
        </CampaignDetails>
      </div>
    </AccessChanges>
  );
});

// The page also works without Redis.
function readSignerSetIfReachable(campaignId: string): Promise<SignerSet | null> {
  return readSignerSet(campaignId).catch((error: unknown) => {
    logFailure("The duplicate check could not be read.", error);
    return null;
  });
}
