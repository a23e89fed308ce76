import type { Metadata } from "next";
import { previewAccess, saveAccess } from "@/app/[team]/actions";
import { rebuildDuplicateCheck } from "@/app/[team]/campaign/[campaign]/actions";
import { editCampaign } from "@/app/[team]/campaign/actions";
import { placeTitle } from "@/app/place-title";
import { CampaignActions } from "@/components/campaigns/campaign-actions";
import { CampaignOverview } from "@/components/campaigns/campaign-overview";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { refusable } from "@/components/permissions/refusable";
import { PageBar } from "@/components/shell/page-bar";
import { OutsideDates } from "@/components/signatures/outside-dates";
import { DuplicateCheck } from "@/components/signers/duplicate-check";
import { AccessChanges } from "@/components/team-access/access-changes";
import { Badge } from "@/components/ui/badge";
import { readCampaignFacts } from "@/lib/campaigns/read-campaign-facts";
import { formatOf } from "@/lib/format/format-of";
import { findPlace } from "@/lib/permissions/find-place";
import { requirePermission } from "@/lib/permissions/require-place";
import { listLinesOutsideDates } from "@/lib/signatures/list-lines-outside-dates";
import type { SignerSet } from "@/lib/signers/answers";
import { readSignerSet } from "@/lib/signers/read-signer-set";

type Props = { params: Promise<{ team: string; campaign: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("Overview", await params) };
}

/**
 * `/[team]/campaign/[campaign]`: what the campaign is about, with `campaign.view`; with `signatures.view` also which lines its
 * days leave out, with `signatures.remove` how its duplicate check stands, and with `members.manage` in the team that runs
 * it the way to change it.
 */
export default refusable(async function OverviewPage({ params }: Props) {
  const place = await params;
  const { snapshot } = await requirePermission(place, "campaign.view");
  const may = (key: string) => snapshot.permissionKeys.includes(key);
  const mayRebuild = may("signatures.remove");
  const [{ team }, facts, signers, outside] = await Promise.all([
    findPlace(place),
    readCampaignFacts(place.campaign),
    mayRebuild ? standing(place.campaign) : null,
    may("signatures.view") ? listLinesOutsideDates(place) : null,
  ]);
  const format = formatOf(team);
  const { teams: _, runBy, ...texts } = facts;
  return (
    <AccessChanges teamName={team?.name ?? place.team} save={saveAccess} preview={previewAccess}>
      <PageBar place={facts.name} title="Overview">
        {facts.archived && <Badge className="max-md:hidden">archived</Badge>}
        {runBy === place.team && team?.permissionKeys.includes("members.manage") && (
          <CampaignActions place={place} texts={texts} edit={editCampaign} />
        )}
      </PageBar>
      <PermissionsCheck at={place} />
      <CampaignOverview facts={facts} teamId={place.team} format={format} permissionKeys={snapshot.permissionKeys}>
        {outside && outside.count > 0 && <OutsideDates place={place} format={format} outside={outside} />}
        {mayRebuild && <DuplicateCheck place={place} signers={signers} rebuild={rebuildDuplicateCheck} />}
      </CampaignOverview>
    </AccessChanges>
  );
});

// The page is there without Redis too.
function standing(campaignId: string): Promise<SignerSet | null> {
  return readSignerSet(campaignId).catch((error: unknown) => {
    console.error("The duplicate check cannot be asked now.", error);
    return null;
  });
}
