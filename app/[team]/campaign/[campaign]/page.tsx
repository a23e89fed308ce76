import type { Metadata } from "next";
import { previewAccess, saveAccess } from "@/app/[team]/actions";
import { rebuildDuplicateCheck } from "@/app/[team]/campaign/[campaign]/actions";
import { editCampaign } from "@/app/[team]/campaign/actions";
import { placeTitle } from "@/app/place-title";
import { AccessChanges } from "@/components/access/access-changes";
import { CampaignActions } from "@/components/campaigns/campaign-actions";
import { CampaignOverview } from "@/components/campaigns/campaign-overview";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { refusable } from "@/components/refusal/refusable";
import { PageBar } from "@/components/shell/page-bar";
import { DuplicateCheck } from "@/components/signers/duplicate-check";
import { Badge } from "@/components/ui/badge";
import { findPlace } from "@/lib/permissions/find-place";
import { requirePermission } from "@/lib/permissions/require-place";
import { type SignerSet, signerSet } from "@/lib/signers/signer-set";
import { campaignFacts } from "@/lib/teams/campaign-facts";

type Props = { params: Promise<{ team: string; campaign: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("Overview", await params) };
}

/**
 * `/[team]/campaign/[campaign]`: what the campaign is about, with `campaign.view`; with `signatures.remove` also how its
 * duplicate check stands, and with `members.manage` in the team the way to change it.
 */
export default refusable(async function OverviewPage({ params }: Props) {
  const place = await params;
  const { snapshot } = await requirePermission(place, "campaign.view");
  const mayRebuild = snapshot.permissionKeys.includes("signatures.remove");
  const [{ team: found }, facts, signers] = await Promise.all([
    findPlace(place),
    campaignFacts(place.campaign),
    mayRebuild ? standing(place.campaign) : null,
  ]);
  const team = found ?? { id: place.team, name: place.team, timeZone: "UTC" };
  const { teams: _, ...texts } = facts;
  return (
    <AccessChanges teamName={team.name} save={saveAccess} preview={previewAccess}>
      <PageBar place={facts.name} title="Overview">
        {facts.archived && <Badge className="max-md:hidden">archived</Badge>}
        {found?.permissionKeys.includes("members.manage") && (
          <CampaignActions teamId={team.id} campaignId={place.campaign} texts={texts} edit={editCampaign} />
        )}
      </PageBar>
      <PermissionsCheck at={place} />
      <CampaignOverview facts={facts} team={team} permissionKeys={snapshot.permissionKeys}>
        {mayRebuild && (
          <DuplicateCheck place={place} timeZone={team.timeZone} signers={signers} rebuild={rebuildDuplicateCheck} />
        )}
      </CampaignOverview>
    </AccessChanges>
  );
});

// The page is there without Redis too.
function standing(campaignId: string): Promise<SignerSet | null> {
  return signerSet(campaignId).catch((error: unknown) => {
    console.error("The duplicate check cannot be asked now.", error);
    return null;
  });
}
