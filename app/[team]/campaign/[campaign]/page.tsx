import type { Metadata } from "next";
import { placeTitle } from "@/app/place-title";
import { CampaignOverview } from "@/components/campaigns/campaign-overview";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { refusable } from "@/components/refusal/refusable";
import { PageBar } from "@/components/shell/page-bar";
import { Badge } from "@/components/ui/badge";
import { findPlace } from "@/lib/permissions/find-place";
import { requirePermission } from "@/lib/permissions/require-place";
import { campaignFacts } from "@/lib/teams/campaign-facts";

type Props = { params: Promise<{ team: string; campaign: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: await placeTitle("Overview", await params) };
}

/** `/[team]/campaign/[campaign]`: what the campaign is about, with `campaign.view`. */
export default refusable(async function OverviewPage({ params }: Props) {
  const place = await params;
  const { snapshot } = await requirePermission(place, "campaign.view");
  const [{ team }, facts] = await Promise.all([findPlace(place), campaignFacts(place.campaign)]);
  return (
    <>
      <PageBar place={facts.name} title="Overview">
        {facts.archived && <Badge>archived</Badge>}
      </PageBar>
      <PermissionsCheck at={place} />
      <CampaignOverview
        facts={facts}
        team={team ?? { id: place.team, timeZone: "UTC" }}
        permissionKeys={snapshot.permissionKeys}
      />
    </>
  );
});
