import { ButtonLink, TextLink } from "@/components/ui/link";
import type { CampaignOfTeam } from "@/lib/ids";
import type { CampaignProgress } from "@/lib/progress/responses";

/** What the forecast still requires: `a goal and a last day`; empty if nothing. */
export const missingText = ({ goal, endsOn }: Pick<CampaignProgress, "goal" | "endsOn">) =>
  [goal === null && "a goal", endsOn === null && "a last day"].filter(Boolean).join(" and ");

/** What to do while no signatures are entered. */
export function CampaignFirstStep({
  place,
  progress,
  canEnter,
  canEdit,
}: {
  place: CampaignOfTeam;
  progress: CampaignProgress;
  canEnter: boolean;
  canEdit: boolean;
}) {
  const missing = missingText(progress);
  if (progress.archivedAt !== null) return <p className="text-muted-foreground">No signatures were entered.</p>;
  return (
    <section aria-labelledby="first-step" className="flex flex-col items-start gap-3 rounded-md border px-4 py-4">
      <h2 id="first-step" className="font-semibold text-lg">
        {canEnter ? "Enter the first sheet" : "No sheets entered yet"}
      </h2>
      <p>
        {canEnter ? "This page then shows" : "Once sheets are entered, this page shows"} validity, pace, and whether the
        campaign is on track.
        {!canEdit && missing && ` The team that runs the campaign has to set ${missing}.`}
      </p>
      {canEdit && (
        <ul className="flex list-disc flex-col gap-1 pl-5">
          <li>
            <TextLink href={`/${place.team}/campaign/${place.campaign}/settings`}>
              {missing ? `Set ${missing}` : "Check the settings"}
            </TextLink>
            {missing ? ", and check" : ", such as"} the lines per sheet and the official check.
          </li>
          <li>
            <TextLink href={`/${place.team}/members`}>Give people access</TextLink> to this campaign.
          </li>
        </ul>
      )}
      {canEnter && (
        <ButtonLink href={`/${place.team}/campaign/${place.campaign}/signatures`}>Enter signatures</ButtonLink>
      )}
    </section>
  );
}
