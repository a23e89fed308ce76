import { TextLink } from "@/components/ui/link";
import type { CampaignOfTeam } from "@/lib/ids";
import type { CampaignProgress } from "@/lib/progress/responses";

/** Where people who edit the campaign can enter the official check and county targets, until they have. */
export function SettingsHints({ place, progress }: { place: CampaignOfTeam; progress: CampaignProgress }) {
  const { official, counties, goal, collected, archivedAt } = progress;
  if (goal === null || collected === 0 || archivedAt !== null || (official !== null && counties.length > 0))
    return null;
  const settings = `/${place.team}/campaign/${place.campaign}/settings`;
  return (
    <div className="flex flex-col gap-1 text-muted-foreground">
      {official === null && (
        <p>
          Will it pass the official check? To see how likely that is,{" "}
          <TextLink href={`${settings}#official-check`}>enter the required number and how the office checks</TextLink>.
        </p>
      )}
      {counties.length === 0 && (
        <p>
          Does the law require signatures from each county?{" "}
          <TextLink href={`${settings}#county-targets`}>Set county targets</TextLink> to see which counties are short.
        </p>
      )}
    </div>
  );
}
