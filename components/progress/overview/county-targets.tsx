import { RegisterLink } from "@/components/progress/figures";
import { perDayText, spanText } from "@/components/progress/number-text";
import { chanceText, isAtRisk } from "@/components/progress/outlook-text";
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

/** The counties with a target, those at risk first. */
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
  const { today, days, endsOn, accepted: valid, withCounty } = progress;
  if (counties.length === 0) return null;
  const remainingDays = endsOn === null ? null : Math.max(0, daysBetween(today, endsOn));
  const { span } = computePace({ today, days });
  const unknown = valid - withCounty.accepted;
  const reached = counties.filter(({ short }) => short === 0).length;
  return (
    <WorkTable
      id="county-targets"
      title="County targets"
      action={
        canEdit && (
          <TextLink href={`/${place.team}/campaign/${place.campaign}/settings#county-targets`}>Change targets</TextLink>
        )
      }
      note={`${number(reached)} of ${count(counties.length, "target")} reached${remainingDays === null ? "" : `, ${count(remainingDays, "day")} left after today`}. Every target must be reached. Counts valid signatures of all teams${span ? `, per day ${spanText(span, today, format)}` : ""}.${unknown > 0 ? ` ${count(unknown, "valid line names", "valid lines name")} no county.` : ""}`}
      method={`A county is at risk if it is less than 90% likely to reach its target. What the forecast expects${forecast?.span ? ` at the pace of collection ${spanText(forecast.span, today, format)}` : ""} is shared among the counties in proportion to their valid signatures${span ? ` ${spanText(span, today, format)}` : ""}.`}
      rows={counties.toSorted((one, other) => (one.chance ?? 0) - (other.chance ?? 0) || other.short - one.short)}
      keyOf={({ county }) => county}
      more={null}
      empty=""
      columns={[
        {
          head: "County",
          cell: (row) => (
            <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
              {linked ? (
                <RegisterLink place={place} show={{ county: row.county, verdict: "accepted" }}>
                  {row.county}
                </RegisterLink>
              ) : (
                row.county
              )}
              {row.short === 0 ? (
                <Badge tone="success">Reached</Badge>
              ) : (
                isAtRisk(row) && <Badge tone="warning">At risk</Badge>
              )}
              {row.short > 0 && (
                <span className="basis-full text-muted-foreground text-sm">
                  {reasonText(row, { withCounty, remainingDays }, format)}
                </span>
              )}
            </span>
          ),
        },
        { head: "Valid", numeric: true, cell: ({ accepted }) => number(accepted) },
        { head: "Target", numeric: true, wideOnly: true, cell: ({ target }) => number(target) },
        { head: "Missing", numeric: true, cell: ({ short }) => number(short) },
        { head: "Per day", numeric: true, wideOnly: true, cell: ({ aDay }) => perDayText(aDay, format) },
        {
          head: "Days at this pace",
          numeric: true,
          wideOnly: true,
          cell: ({ short, aDay }) => (short === 0 ? "0" : aDay === 0 ? "never" : number(Math.ceil(short / aDay))),
        },
      ]}
    />
  );
}

/** Why a county is short: its lines are less valid than all that name a county, or too few come in. */
function reasonText(
  { entered, accepted, short, aDay, chance }: CountyOutlook,
  { withCounty, remainingDays }: { withCounty: CampaignProgress["withCounty"]; remainingDays: number | null },
  format: Format,
): string {
  const rate = wilsonInterval(accepted, entered);
  if (rate && rate.high < withCounty.accepted / withCounty.entered) {
    const all = format.percent(withCounty.accepted / withCounty.entered);
    return `Low validity: ${format.percent(rate.rate)} of ${format.count(entered, "line")}, ${all} in all counties`;
  }
  const needed = remainingDays ? short / remainingDays : null;
  return [
    `${aDay < (needed ?? 0) ? "Few lines: " : ""}${perDayText(aDay, format)} valid a day`,
    needed !== null && `${perDayText(needed, format, Math.ceil)} needed on average`,
    chance !== null && `${chanceText(chance, format)} likely`,
  ]
    .filter(Boolean)
    .join(", ");
}
