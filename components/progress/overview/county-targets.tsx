import { RegisterLink } from "@/components/progress/figures";
import { perDayText, spanText } from "@/components/progress/number-text";
import {
  chanceText,
  chanceTone,
  isAtRisk,
  maxDaysAhead,
  toneWord,
  worstFirst,
} from "@/components/progress/outlook-text";
import { WorkTable } from "@/components/progress/work-table";
import { useFormat } from "@/components/shell/format-provider";
import { Badge } from "@/components/ui/badge";
import { TextLink } from "@/components/ui/link";
import { daysBetween } from "@/lib/format/days";
import type { Format } from "@/lib/format/format-of";
import type { CampaignOfTeam } from "@/lib/ids";
import type { CountyOutlook } from "@/lib/progress/county-outlook";
import type { AssessedProgress } from "@/lib/progress/forecast";
import { computePace } from "@/lib/progress/pace";
import type { CampaignProgress } from "@/lib/progress/responses";
import { wilsonInterval } from "@/lib/progress/wilson-interval";
import { noCounty } from "@/lib/signatures/register/register-path";

/** The counties with a target, those at risk first; without a pace once the campaign has ended. */
export function CountyTargets({
  place,
  linked,
  canEdit,
  progress,
  forecast,
  counties,
}: { place: CampaignOfTeam; linked: boolean; canEdit: boolean } & AssessedProgress) {
  const format = useFormat();
  const { number, count } = format;
  const { today, days, endsOn, archivedAt, accepted: valid, entered, own, withCounty } = progress;
  if (counties.length === 0) return null;
  const remainingDays = endsOn === null ? null : Math.max(0, daysBetween(today, endsOn));
  const isRunning = archivedAt === null && (endsOn === null || today <= endsOn);
  const { span } = computePace({ today, days });
  const perDayNote = forecast && remainingDays ? "as forecast" : span && spanText(span, today, format);
  const unknown = valid - withCounty.accepted;
  const reached = counties.filter(({ short }) => short === 0).length;
  return (
    <WorkTable
      id="county-targets"
      title="County targets"
      action={
        canEdit &&
        archivedAt === null && (
          <TextLink href={`/${place.team}/campaign/${place.campaign}/settings#county-targets`}>Change targets</TextLink>
        )
      }
      note={
        <>
          {[
            `${number(reached)} of ${count(counties.length, "target")} reached${isRunning && remainingDays ? `, ${count(remainingDays, "day")} left` : ""}.`,
            isRunning && "Every target must be reached.",
            `Counts all teams' valid signatures${isRunning && perDayNote ? `. Daily pace ${perDayNote}` : ""}.`,
          ]
            .filter(Boolean)
            .join(" ")}
          {unknown > 0 && (
            <>
              {" "}
              <RegisterLink
                place={linked && own.entered === entered ? place : null}
                show={{ county: noCounty, verdict: "accepted" }}
              >
                {count(unknown, "valid line has", "valid lines have")}
              </RegisterLink>{" "}
              no county.
            </>
          )}
        </>
      }
      {...(archivedAt === null && {
        method: `A county is at risk if it's less than 90% likely to reach its target, and behind if it's less than 10% likely. Expected valid signatures are split among the counties in the same shares as${span ? ` ${spanText(span, today, format)}` : " so far"}.`,
      })}
      rows={worstFirst(counties)}
      keyOf={({ county }) => county}
      more={null}
      empty=""
      columns={[
        {
          head: "County",
          cell: (row) => (
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              <RegisterLink place={linked ? place : null} show={{ county: row.county, verdict: "accepted" }}>
                {row.county}
              </RegisterLink>
              {row.short === 0 ? (
                <Badge tone="success">Reached</Badge>
              ) : (
                archivedAt === null &&
                isAtRisk(row) && <Badge tone={chanceTone(row.chance)}>{toneWord[chanceTone(row.chance)]}</Badge>
              )}
              {isRunning && row.short > 0 && (
                <span className="basis-full text-muted-foreground text-sm">
                  {reasonText(row, { withCounty, remainingDays }, format)}
                </span>
              )}
            </span>
          ),
        },
        { head: "Valid", numeric: true, cell: ({ accepted }) => number(accepted) },
        { head: "Target", numeric: true, cell: ({ target }) => number(target) },
        { head: "Short", numeric: true, wideOnly: true, cell: ({ short }) => number(short) },
        ...(isRunning
          ? [
              {
                head: "Per day",
                numeric: true,
                wideOnly: true,
                cell: ({ aDay }: CountyOutlook) => perDayText(aDay, format),
              },
              {
                head: "At this pace",
                numeric: true,
                wideOnly: true,
                cell: ({ short, aDay }: CountyOutlook) => {
                  const needed = Math.ceil(short / aDay); // days
                  if (short === 0) return "reached";
                  if (needed <= (remainingDays ?? maxDaysAhead)) return `in ${count(needed, "day")}`;
                  return remainingDays === null ? "not in 2 years" : "not in time";
                },
              },
            ]
          : []),
      ]}
    />
  );
}

/** What a county is short of: valid lines, if fewer are valid than of all counties, or lines a day. */
function reasonText(
  { entered, accepted, short, aDay, chance }: CountyOutlook,
  { withCounty, remainingDays }: { withCounty: CampaignProgress["withCounty"]; remainingDays: number | null },
  format: Format,
): string {
  const rate = wilsonInterval(accepted, entered);
  if (rate && rate.high < withCounty.accepted / withCounty.entered) {
    const all = format.rate(withCounty.accepted / withCounty.entered);
    return `Low validity: ${format.rate(rate.rate)} of ${format.count(entered, "line")}, ${all} in all counties`;
  }
  const needed = remainingDays ? short / remainingDays : null;
  return [
    `${perDayText(aDay, format)} valid a day`,
    needed !== null && `needs ${perDayText(needed, format, Math.ceil)}`,
    chance !== null && `${chanceText(chance, format)} likely`,
  ]
    .filter(Boolean)
    .join(", ");
}
