import { cookies } from "next/headers";
import { type CampaignProps, pageMetadata } from "@/app/page-props";
import { PermissionsCheck } from "@/components/permissions/permissions-check";
import { withRefusal } from "@/components/permissions/refusal";
import { BarCount } from "@/components/progress/bar-count";
import { PageBar } from "@/components/shell/page-bar";
import { VoterSearch } from "@/components/voters/voter-search";
import { readCampaignSearchProfile } from "@/lib/campaigns/campaigns";
import { findPlace, requirePermission } from "@/lib/permissions/require-place";
import { canSeeLines, entryPath } from "@/lib/signatures/entry-state";
import { searchSource } from "@/lib/voters/search-profile";
import { fieldsCookie } from "@/lib/voters/voter-query";

export const generateMetadata = pageMetadata("Voters");

/** `/[team]/campaign/[campaign]/voters`: voter search with the campaign's own backend, with `voters.search`. */
export default withRefusal(async function CampaignVotersPage({ params }: CampaignProps) {
  const place = await params;
  const { snapshot } = await requirePermission(place, "voters.search");
  const [{ campaign }, profile, cookieStore] = await Promise.all([
    findPlace(place),
    readCampaignSearchProfile(place.campaign),
    cookies(),
  ]);
  const storageKey = `${place.team}/${place.campaign}`;
  return (
    <>
      <PageBar place={campaign?.name ?? place.campaign} title="Voters">
        <BarCount place={place} />
      </PageBar>
      <PermissionsCheck at={place} />
      <VoterSearch
        key={storageKey}
        storageKey={storageKey}
        source={searchSource(profile)}
        fieldsShown={cookieStore.has(fieldsCookie)}
        signedMarks={{
          campaign: place.campaign,
          detailsTeamId: canSeeLines(snapshot.permissionKeys) ? place.team : null,
          entryPath: campaign?.archivedAt === null ? entryPath(place, snapshot.permissionKeys) : null,
        }}
      />
    </>
  );
});
