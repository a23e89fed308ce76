"use client";

import type { ReactNode } from "react";
import { Figure, Figures, RegisterLink } from "@/components/progress/figures";
import { estimateText, paceDaysText, perDayText, rateText, weekChangeText } from "@/components/progress/number-text";
import { isFar, lateText } from "@/components/progress/outlook-text";
import { useFormat } from "@/components/shell/format-provider";
import { dayAfter } from "@/lib/format/days";
import type { CampaignOfTeam } from "@/lib/ids";
import type { AssessedProgress } from "@/lib/progress/pace";
import type { RegisterFilter } from "@/lib/signatures/register/filter";

/**
 * The numbers of a campaign: collected and entered, the validity rate, and the pace. With `linked`, for those who may see
 * the lines, numbers link to the register, which has the lines of its own team.
 */
export function CampaignFigures({
  place,
  progress,
  pace: { last7, last28, weekBefore, needed, met },
  estimate,
  linked,
}: {
  place: CampaignOfTeam;
  linked: boolean;
} & AssessedProgress) {
  const format = useFormat();
  const { number, count, shortDay } = format;
  const { accepted, entered, duplicates, collected, own, teams, days, today, goal, endsOn, archivedAt } = progress;
  const rate = rateText({ accepted, lines: entered }, format);
  const estimated = estimate && estimateText(estimate, format);
  const ours = (show: RegisterFilter, text: ReactNode) =>
    linked ? (
      <RegisterLink place={place} show={show} quiet>
        {text}
      </RegisterLink>
    ) : (
      text
    );
  const lines = own.entered === entered ? ours : (_: RegisterFilter, text: ReactNode) => text;
  const isRunning = archivedAt === null && goal !== null && accepted < goal && (endsOn === null || today <= endsOn);
  const best = days.toSorted((one, other) => other.accepted - one.accepted)[0];
  const [week, month] = [paceDaysText(progress, 7), paceDaysText(progress, 28)];
  const lately = (daysAgo: number): RegisterFilter => ({
    verdict: "accepted",
    enteredFrom: dayAfter(today, -daysAgo),
    enteredTo: dayAfter(today, -1),
  });
  return (
    <section aria-label="Numbers" className="flex flex-col gap-2">
      <Figures>
        <Figure
          label="Collected"
          note={collected > entered ? `${number(collected - entered)} not entered yet` : "all entered"}
        >
          {number(collected)}
        </Figure>
        <Figure
          label="Entered"
          note={
            <>
              {number(entered - accepted)} invalid, including {lines({ verdict: "duplicate" }, number(duplicates))}{" "}
              {duplicates === 1 ? "a duplicate" : "duplicates"}
            </>
          }
        >
          {lines({ verdict: "not-blank" }, number(entered))}
        </Figure>
        <Figure label="Validity rate" note={rate && `95% interval ${rate.interval}`}>
          {rate && lines({ verdict: "accepted" }, rate.rate)}
        </Figure>
        <Figure label="Estimated valid, all sheets" note={estimated?.interval && `95% interval ${estimated.interval}`}>
          {estimated && (collected > entered ? `about ${estimated.estimate}` : number(accepted))}
        </Figure>
        <Figure
          label={`Valid per day, ${week}`}
          note={["excluding today", weekChangeText({ last7, weekBefore }, format)].filter(Boolean).join(", ")}
          wide={week === month}
        >
          {last7 !== null && lines(lately(7), perDayText(last7, format))}
        </Figure>
        {week !== month && (
          <Figure label={`Valid per day, ${month}`} note="excluding today">
            {last28 !== null && lines(lately(28), perDayText(last28, format))}
          </Figure>
        )}
        {isRunning ? (
          <>
            <Figure label="Needed per day" note={needed !== null && endsOn && `from today through ${shortDay(endsOn)}`}>
              {needed !== null && perDayText(needed, format, Math.ceil)}
            </Figure>
            <Figure label="Goal reached at this pace" note={met && lateText(met.daysLate, format)}>
              {met && (isFar(met.daysLate) ? "far too late" : shortDay(met.on))}
            </Figure>
          </>
        ) : (
          <>
            <Figure label="Days with entries">{number(days.length)}</Figure>
            <Figure label="Best day" note={best && shortDay(best.day)}>
              {best && number(best.accepted)}
            </Figure>
          </>
        )}
      </Figures>
      {teams > 1 && (
        <p className="text-muted-foreground text-sm">
          For {count(teams, "team")} together. Your team entered {ours({ verdict: "not-blank" }, number(own.entered))},{" "}
          {ours({ verdict: "accepted" }, number(own.accepted))} of them valid.
        </p>
      )}
    </section>
  );
}
