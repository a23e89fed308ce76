import type { Metadata } from "next";
import { rebuildDuplicateCheck } from "@/app/[team]/campaign/[campaign]/actions";
import { placeTitle } from "@/app/place-title";
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
 * duplicate check stands.
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
  const team = found ?? { id: place.team, timeZone: "UTC" };
  return (
    <>
      <PageBar place={facts.name} title="Overview">
        {facts.archived && <Badge>archived</Badge>}
      </PageBar>
      <PermissionsCheck at={place} />
      <CampaignOverview facts={facts} team={team} permissionKeys={snapshot.permissionKeys}>
        {mayRebuild && (
          <DuplicateCheck place={place} timeZone={team.timeZone} signers={signers} rebuild={rebuildDuplicateCheck} />
        )}
      </CampaignOverview>
    </>
  );
});

// The page is there without Redis too.
function standing(campaignId: string): Promise<SignerSet | null> {
  return signerSet(campaignId).catch((error: unknown) => {
    console.error("The duplicate check cannot be asked now.", error);
    return null;
  });
}
