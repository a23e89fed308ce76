"use client";

import type { ReactNode } from "react";
import { GoalBar } from "@/components/progress/goal-bar";
import { useFormat } from "@/components/shell/format-provider";
import { GoalCount } from "@/components/shell/goal-count";
import { campaignTiming } from "@/lib/campaigns/campaign-timing";
import { daysBetween } from "@/lib/format/days";
import type { CampaignProgress } from "@/lib/progress/answers";

/** How many signatures are accepted, of how many, and how long there is. `children` stand at the right. */
export function ProgressHead({ progress, children }: { progress: CampaignProgress; children: ReactNode }) {
  const format = useFormat();
  const { number, day } = format;
  const { accepted, goal, startsOn, endsOn, archivedAt } = progress;
  const even = evenShare(progress);
  const timing = archivedAt === null ? campaignTiming(progress, format, new Date()) : "Archived";
  return (
    <section aria-label="Progress" className="flex flex-col gap-2">
      <div>
        <div className="flex flex-wrap items-baseline justify-between gap-x-6">
          <h2 className="text-muted-foreground text-sm">Accepted signatures</h2>
          {children}
        </div>
        <GoalCount accepted={accepted} goal={goal} className="text-lg *:first:text-2xl" />
      </div>
      {goal !== null && <GoalBar share={accepted / goal} even={even} />}
      <p className="flex flex-wrap justify-between gap-x-6 text-muted-foreground">
        <span>
          <strong className="font-semibold text-foreground">{timing}</strong>
          {(startsOn ?? endsOn) && " · "}
          {startsOn && endsOn
            ? `${day(startsOn)} to ${day(endsOn)}`
            : startsOn
              ? `since ${day(startsOn)}`
              : endsOn && `until ${day(endsOn)}`}
        </span>
        {goal !== null && even !== null && (
          <span>
            <span aria-hidden className="mr-1.5 inline-block h-3 w-0.5 translate-y-0.5 rounded-md bg-foreground" />
            {number(Math.round(goal * even))} at an even pace by today
          </span>
        )}
      </p>
    </section>
  );
}

// Where the campaign would be had each day brought as much; null outside of its days, where they are not known, and when it is there.
function evenShare({ accepted, goal, startsOn, endsOn, today, archivedAt }: CampaignProgress) {
  if (archivedAt !== null || (goal !== null && accepted >= goal)) return null;
  if (startsOn === null || endsOn === null || today <= startsOn || today > endsOn) return null;
  return daysBetween(startsOn, today) / (daysBetween(startsOn, endsOn) + 1);
}
