"use client";

import type { ReactNode } from "react";
import { FigureLink, RegisterLink } from "@/components/progress/figures";
import { rateText, shareText } from "@/components/progress/number-text";
import type { CountyProblem } from "@/components/progress/overview/problems";
import { useFormat } from "@/components/shell/format-provider";
import { Section } from "@/components/ui/section";
import { dayAfter, dayIn } from "@/lib/format/days";
import type { CampaignOfTeam } from "@/lib/ids";
import { markOutliers } from "@/lib/progress/rate-outliers";
import type { CampaignProgress, CampaignWork } from "@/lib/progress/responses";
import { placeText } from "@/lib/signatures/line-text";
import { qualityPath } from "@/lib/signatures/register/register-path";

const maxNamed = 4; // of each kind

/** What needs attention, with links to where it is explained or can be fixed. */
export function NeedsAttention({
  place,
  progress: { today, startsOn, endsOn },
  counties,
  work,
  requests,
  failedCharts,
}: {
  place: CampaignOfTeam;
  progress: Pick<CampaignProgress, "today" | "startsOn" | "endsOn">;
  counties: CountyProblem | null;
  work: CampaignWork | null;
  requests: number;
  failedCharts: string[];
}) {
  const format = useFormat();
  const { number, count, shortDay } = format;
  const freed = work?.duplicatesFreed.rows ?? [];
  const freedCount = countAll(work?.duplicatesFreed);
  const outside = work?.outsideDates ?? 0;
  const unsettled = work?.unsettled ?? 0;
  // A sheet opened today is still being entered. By days, so that sheets of the same day are treated alike.
  const sheets = (work?.openSheets.rows ?? []).filter(
    ({ openedAt, gapCount }) => dayIn(format.timeZone, openedAt) < (gapCount > 0 ? today : dayAfter(today, -1)),
  );
  // The list is oldest first: what it leaves out is newer than all of its rows.
  const all = work?.openSheets.rows.length ?? 0;
  const further =
    Math.max(0, sheets.length - maxNamed) + (sheets.length === all ? (work?.openSheets.rest.count ?? 0) : 0);
  const short = work?.shortSheets.rows ?? [];
  const shortCount = countAll(work?.shortSheets);
  const { low, repeating } = work ? unusual(work) : { low: [], repeating: [] };
  const more = (all: number) => all > maxNamed && `, and ${number(all - maxNamed)} more`;
  const ofCampaign = (counties ? 1 : 0) + requests + failedCharts.length;
  const ofLines = freedCount + unsettled + outside + shortCount + sheets.length + low.length + repeating.length;
  if (!work && ofCampaign === 0) return null;
  return (
    <Section title="Needs attention" className="gap-2">
      {ofCampaign + ofLines === 0 ? (
        <p className="rounded-md border px-4 py-3 text-muted-foreground">Nothing needs attention.</p>
      ) : (
        <ul className="divide-y rounded-md border">
          {counties && (
            <Item>
              <FigureLink href="#county-targets">{counties.link}</FigureLink>
              {counties.text}
            </Item>
          )}
          {requests > 0 && (
            <Item>
              <FigureLink href={`/${place.team}/activity`}>{count(requests, "access request")}</FigureLink>
            </Item>
          )}
          {failedCharts.length > 0 && (
            <Item>
              <FigureLink href={`/${place.team}/campaign/${place.campaign}/dashboard`}>
                {count(failedCharts.length, "chart")}
              </FigureLink>{" "}
              couldn't be computed: {failedCharts.slice(0, maxNamed).join(", ")}
              {more(failedCharts.length)}
            </Item>
          )}
          {freedCount > 0 && (
            <Item>
              {count(freedCount, "line is", "lines are")} marked duplicate, but{" "}
              {freedCount === 1 ? "its voter has" : "their voters have"} no valid signature:{" "}
              {freed.slice(0, maxNamed).map((line, index) => (
                <span key={line.id}>
                  {index > 0 && "; "}
                  <RegisterLink place={place} show={{ line: line.id }}>
                    {placeText(line)}
                  </RegisterLink>
                </span>
              ))}
              {more(freedCount)}
            </Item>
          )}
          {unsettled > 0 && (
            <Item>
              Quality check: <FigureLink href={qualityPath(place)}>{count(unsettled, "difference")}</FigureLink> to
              settle
            </Item>
          )}
          {outside > 0 && (
            <Item>
              {count(outside, "valid line was", "valid lines were")} signed outside the campaign's dates:{" "}
              {startsOn && (
                <RegisterLink place={place} show={{ verdict: "accepted", signedTo: dayAfter(startsOn, -1) }}>
                  before {shortDay(startsOn)}
                </RegisterLink>
              )}
              {startsOn && endsOn && " or "}
              {endsOn && (
                <RegisterLink place={place} show={{ verdict: "accepted", signedFrom: dayAfter(endsOn, 1) }}>
                  after {shortDay(endsOn)}
                </RegisterLink>
              )}
            </Item>
          )}
          {sheets.slice(0, maxNamed).map(({ number: sheet, openedAt, gapCount }) => (
            <Item key={sheet}>
              <RegisterLink place={place} show={{ sheet, sort: "sheet" }}>
                Sheet {sheet}
              </RegisterLink>
              : open since {shortDay(openedAt)}
              {gapCount > 0 && `, ${count(gapCount, "line")} missing`}
            </Item>
          ))}
          {further > 0 && (
            <Item>
              <FigureLink href="#sheets">{count(further, "more open sheet")}</FigureLink>
            </Item>
          )}
          {short.slice(0, maxNamed).map(({ number: sheet, expected, lines }) => (
            <Item key={sheet}>
              <RegisterLink place={place} show={{ sheet, sort: "sheet" }}>
                Sheet {sheet}
              </RegisterLink>
              : closed, {count(expected - lines, "line")} missing
            </Item>
          ))}
          {shortCount > maxNamed && (
            <Item>
              <FigureLink href="#sheets">
                {count(shortCount - maxNamed, "more closed sheet", "more closed sheets")} with missing lines
              </FigureLink>
            </Item>
          )}
          {low.slice(0, maxNamed).map((row) => (
            <Item key={row.circulator}>
              <RegisterLink place={place} show={{ circulator: row.circulator ?? "", verdict: "not-blank" }}>
                {row.circulator}
              </RegisterLink>
              : low validity rate, {rateText(row, format)?.rate} of {count(row.lines, "line")}
            </Item>
          ))}
          {repeating.slice(0, maxNamed).map(({ name, show, ...row }) => (
            <Item key={name}>
              <RegisterLink place={place} show={{ ...show, verdict: "duplicate" }}>
                {name}
              </RegisterLink>
              : many duplicates, {shareText(row.duplicates, row.lines, format)?.rate} of {count(row.lines, "line")}
            </Item>
          ))}
        </ul>
      )}
    </Section>
  );
}

function unusual(work: CampaignWork) {
  const { circulators, clerks } = markOutliers(work);
  return {
    low: circulators.filter(({ outlier }) => outlier === "low"),
    repeating: [
      ...circulators.flatMap(({ circulator, repeats, ...row }) =>
        repeats && circulator !== null ? [{ name: circulator, show: { circulator }, ...row }] : [],
      ),
      ...clerks.flatMap(({ userId, name, repeats, ...row }) =>
        repeats && userId !== null
          ? [{ name: `Clerk ${name ?? "of a deleted account"}`, show: { clerk: userId }, ...row }]
          : [],
      ),
    ],
  };
}

// How many a list has with those it leaves out.
const countAll = (list: { rows: unknown[]; rest: { count: number } } | undefined) =>
  list ? list.rows.length + list.rest.count : 0;

function Item({ children }: { children: ReactNode }) {
  return <li className="wrap-anywhere px-4 py-2">{children}</li>;
}
