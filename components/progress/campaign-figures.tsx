"use client";

import type { ReactNode } from "react";
import { Figure, FigureLink, Figures, RegisterLink } from "@/components/progress/figures";
import { backlogText, perDayText, rateText, spanText } from "@/components/progress/number-text";
import { useFormat } from "@/components/shell/format-provider";
import type { CampaignOfTeam } from "@/lib/ids";
import type { AssessedProgress } from "@/lib/progress/forecast";
import type { RegisterFilter } from "@/lib/signatures/register/filter";

/**
 * The numbers of a campaign: received and entered, the validity rate, and the pace of collection. With `linked`, for those
 * who may see the lines, numbers link to the register, which has the lines of its own team.
 */
export function CampaignFigures({
  place,
  progress,
  forecast,
  linked,
}: {
  place: CampaignOfTeam;
  linked: boolean;
} & AssessedProgress) {
  const format = useFormat();
  const { number, count, shortDay } = format;
  const { accepted, entered, duplicates, collected, own, teams, days, today, endsOn, archivedAt } = progress;
  const rate = rateText({ accepted, lines: entered }, format);
  const register = linked ? place : null;
  const lines = (show: RegisterFilter, text: ReactNode, target = own.entered === entered ? register : null) => (
    <RegisterLink place={target} show={show} quiet>
      {text}
    </RegisterLink>
  );
  const invalid = entered - accepted;
  const allDuplicates = duplicates === 1 ? "a duplicate" : "all duplicates";
  const duplicatesText = duplicates < invalid ? count(duplicates, "duplicate") : allDuplicates;
  const isRunning = archivedAt === null && (endsOn === null || today <= endsOn);
  const best = days.toSorted((a, b) => b.accepted - a.accepted)[0];
  const notEntered = `${number(collected - entered)} ${archivedAt === null ? "not entered yet" : "never entered"}`;
  const backlog = archivedAt === null ? backlogText(progress, format) : null;
  return (
    <section aria-label="Numbers" className="flex flex-col gap-2">
      <Figures>
        <Figure
          label="Received"
          note={
            collected === entered ? (
              collected > 0 && "all entered"
            ) : (
              <>
                <FigureLink href={linked ? "#sheets" : null} quiet>
                  {notEntered}
                </FigureLink>
                {backlog && `, ${backlog}`}
              </>
            )
          }
        >
          {number(collected)}
        </Figure>
        <Figure
          label="Entered"
          note={
            entered > 0 && (
              <>
                {number(invalid)} invalid
                {duplicates > 0 && (
                  <>
                    , {duplicates < invalid && "including "}
                    {lines({ verdict: "duplicate" }, duplicatesText)}
                  </>
                )}
              </>
            )
          }
        >
          {lines({ verdict: "not-blank" }, number(entered))}
        </Figure>
        <Figure
          label="Validity rate"
          note={
            rate && (
              <>
                95% range <span className="whitespace-nowrap">{rate.interval}</span>
              </>
            )
          }
        >
          {rate && lines({ verdict: "accepted" }, rate.rate)}
        </Figure>
        {isRunning ? (
          <Figure label="Collected per day" note={forecast?.span && spanText(forecast.span, today, format)}>
            {forecast && forecast.aDay !== null && perDayText(forecast.aDay, format)}
          </Figure>
        ) : (
          <Figure label="Best day" note={best && shortDay(best.day)}>
            {best && number(best.accepted)}
          </Figure>
        )}
      </Figures>
      {teams > 1 && (
        <p className="text-muted-foreground text-sm">
          Totals for {count(teams, "team")}. Your team entered{" "}
          {lines({ verdict: "not-blank" }, count(own.entered, "line"), register)};{" "}
          {lines({ verdict: "accepted" }, number(own.accepted), register)} {own.accepted === 1 ? "is" : "are"} valid.
        </p>
      )}
    </section>
  );
}
