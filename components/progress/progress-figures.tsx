"use client";

import type { ReactNode } from "react";
import { Figure, Figures } from "@/components/progress/figures";
import { isFar, lateText } from "@/components/progress/outlook-text";
import { paceDaysText, perDayText, weekChangeText } from "@/components/progress/pace-text";
import { rateText } from "@/components/progress/rate-text";
import { RegisterLink } from "@/components/progress/register-link";
import { roughText } from "@/components/progress/rough-text";
import { useFormat } from "@/components/shell/format-provider";
import { dayAfter } from "@/lib/format/days";
import type { CampaignOfTeam } from "@/lib/ids";
import type { ReckonedProgress } from "@/lib/progress/reckon-progress";
import type { RegisterFilter } from "@/lib/signatures/register/filter";

/**
 * The numbers of a campaign: what is on paper and keyed, what of it is valid, and the pace. `linked` is for those who may
 * see the lines: a number leads to them where the register has all of them, which is its own team's.
 */
export function ProgressFigures({
  place,
  progress,
  pace: { last7, last28, weekBefore, needed, met },
  worth,
  linked,
}: {
  place: CampaignOfTeam;
  linked: boolean;
} & ReckonedProgress) {
  const format = useFormat();
  const { number, count, shortDay } = format;
  const { accepted, keyed, duplicates, onPaper, own, teams, days, today, goal, endsOn, archivedAt } = progress;
  const rate = rateText({ accepted, lines: keyed }, format);
  const rough = worth && roughText({ ...worth, value: worth.estimate }, format);
  const ours = (show: RegisterFilter, text: ReactNode) =>
    linked ? (
      <RegisterLink place={place} show={show} quiet>
        {text}
      </RegisterLink>
    ) : (
      text
    );
  const lines = own.keyed === keyed ? ours : (_: RegisterFilter, text: ReactNode) => text;
  // Else there is nothing left to reach in time.
  const goesOn = archivedAt === null && goal !== null && accepted < goal && (endsOn === null || today <= endsOn);
  const best = days.toSorted((one, other) => other.accepted - one.accepted)[0];
  const [week, month] = [paceDaysText(progress, 7), paceDaysText(progress, 28)];
  const lately = (ago: number) => ({
    verdict: "accepted" as const,
    ...{ keyedFrom: dayAfter(today, -ago), keyedTo: dayAfter(today, -1) },
  });
  return (
    <section aria-label="Numbers" className="flex flex-col gap-2">
      <Figures>
        <Figure
          label="On paper"
          note={onPaper > keyed ? `${number(onPaper - keyed)} of them not keyed yet` : "all of it keyed"}
        >
          {number(onPaper)}
        </Figure>
        <Figure
          label="Keyed"
          note={
            <>
              {number(keyed - accepted)} rejected, {lines({ verdict: "duplicate" }, number(duplicates))} of them{" "}
              {duplicates === 1 ? "a duplicate" : "duplicates"}
            </>
          }
        >
          {lines({}, number(keyed))}
        </Figure>
        <Figure label="Valid, of what is keyed" note={rate && `95% interval ${rate.interval}`}>
          {rate && lines({ verdict: "accepted" }, rate.rate)}
        </Figure>
        <Figure label="Valid on all paper, estimated" note={rough?.interval && `95% interval ${rough.interval}`}>
          {rough && (onPaper > keyed ? `about ${rough.value}` : number(accepted))}
        </Figure>
        <Figure
          label={`Accepted a day in ${week}`}
          note={["without today", weekChangeText({ last7, weekBefore }, format)].filter(Boolean).join(", ")}
          wide={week === month}
        >
          {last7 !== null && lines(lately(7), perDayText(last7, format))}
        </Figure>
        {week !== month && (
          <Figure label={`Accepted a day in ${month}`} note="without today">
            {last28 !== null && lines(lately(28), perDayText(last28, format))}
          </Figure>
        )}
        {goesOn ? (
          <>
            <Figure label="Needed a day" note={needed !== null && endsOn && `from today until ${shortDay(endsOn)}`}>
              {needed !== null && perDayText(needed, format, Math.ceil)}
            </Figure>
            <Figure label="Goal met at this pace" note={met && lateText(met.daysLate, format)}>
              {met && (isFar(met.daysLate) ? "far too late" : shortDay(met.on))}
            </Figure>
          </>
        ) : (
          <>
            <Figure label="Days with keyed lines">{number(days.length)}</Figure>
            <Figure label="Most accepted on a day" note={best && shortDay(best.day)}>
              {best && number(best.accepted)}
            </Figure>
          </>
        )}
      </Figures>
      {teams > 1 && (
        <p className="text-muted-foreground text-sm">
          Of {count(teams, "team")} together. Your team has keyed {ours({}, number(own.keyed))},{" "}
          {ours({ verdict: "accepted" }, number(own.accepted))} of them accepted.
        </p>
      )}
    </section>
  );
}
