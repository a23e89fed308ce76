import Link from "next/link";
import { buttonVariants } from "@/components/ui/button";
import type { CampaignOfTeam } from "@/lib/ids";

/** Stands where the numbers of a campaign will be: what has to be done so that there are some. */
export function FirstStep({
  place,
  signatureGoal,
  endsOn,
  archived,
  mayEnter,
  mayEdit,
}: {
  place: CampaignOfTeam;
  signatureGoal: number | null;
  endsOn: string | null;
  archived: boolean;
  mayEnter: boolean;
  mayEdit: boolean;
}) {
  if (archived) return <p className="text-muted-foreground">Nothing was keyed while it ran.</p>;
  return (
    <section aria-labelledby="first-step" className="flex flex-col items-start gap-3 rounded-md border px-4 py-4">
      <h2 id="first-step" className="font-semibold text-lg">
        {mayEnter ? "Key the first sheet" : "No sheet is keyed yet"}
      </h2>
      <p>
        How many lines are valid, the pace, and whether the campaign will be in time stand here from the first day of
        keyed lines on.
        {(signatureGoal === null || endsOn === null) &&
          (mayEdit
            ? " Set a goal and a last day with “Edit” below."
            : " Whoever runs the campaign sets its goal and its last day.")}
      </p>
      {mayEnter && (
        <Link
          href={`/${place.team}/campaign/${place.campaign}/signatures`}
          prefetch={false}
          className={buttonVariants()}
        >
          Enter signatures
        </Link>
      )}
    </section>
  );
}
