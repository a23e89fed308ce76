import { Suspense } from "react";
import { CampaignCount } from "@/components/shell/campaign-count";
import type { CampaignOfTeam } from "@/lib/ids";
import { logFailure } from "@/lib/log-event";
import { requireCampaign } from "@/lib/permissions/require-place";
import { readGoalCount } from "@/lib/progress/read-progress";

/** The campaign's count and goal in the bar of a page, with `campaign.view`. The page doesn't wait for it. */
export function BarCount({ place }: { place: CampaignOfTeam }) {
  return (
    <div className="w-28 text-right md:w-56">
      <Suspense>
        <Count place={place} />
      </Suspense>
    </div>
  );
}

async function Count({ place }: { place: CampaignOfTeam }) {
  const { snapshot } = await requireCampaign(place.team, place.campaign);
  if (!snapshot.permissionKeys.includes("campaign.view")) return null;
  try {
    return <CampaignCount {...(await readGoalCount(place.campaign))} />;
  } catch (error) {
    logFailure("The count in the bar could not be read.", error);
    return null;
  }
}
