"use client";

import Link from "next/link";
import type { ReactNode } from "react";
import { rateText } from "@/components/progress/rate-text";
import { figureLink, RegisterLink } from "@/components/progress/register-link";
import { useFormat } from "@/components/shell/format-provider";
import { dayAfter } from "@/lib/format/days";
import type { CampaignOfTeam } from "@/lib/ids";
import type { CampaignProgress, CampaignWork } from "@/lib/progress/answers";
import { circulatorOutliers } from "@/lib/progress/circulator-outliers";
import { placeText } from "@/lib/signatures/line-text";
import { cn } from "@/lib/utils";

const day = 86_400_000; // ms
const most = 4; // of a kind, by name

/** What waits for somebody: each with the way to where it is dealt with. */
export function NeedsYou({
  place,
  progress: { startsOn, endsOn },
  work,
  requests,
  failedCharts,
}: {
  place: CampaignOfTeam;
  progress: Pick<CampaignProgress, "startsOn" | "endsOn">;
  work: CampaignWork | null;
  /** Open requests for access to the campaign; 0 for those who do not manage members. */
  requests: number;
  /** Names of the charts that could not be computed; none for those who do not see charts. */
  failedCharts: string[];
}) {
  const format = useFormat();
  const { number, count, shortDay } = format;
  const freed = work?.duplicatesFreed.rows ?? [];
  const allFreed = freed.length + (work?.duplicatesFreed.rest.count ?? 0);
  const outside = work?.outsideDates ?? 0;
  // A sheet of today is still being keyed.
  const sheets = (work?.openSheets.rows ?? []).filter(
    ({ openedAt, gapCount }) => Date.parse(openedAt) < Date.now() - (gapCount > 0 ? day : 2 * day),
  );
  const outliers = work ? circulatorOutliers(work.circulators) : [];
  const low = (work?.circulators.rows ?? []).filter((_, index) => outliers[index] === "low");
  if (!work && requests + failedCharts.length === 0) return null;
  return (
    <section aria-labelledby="needs-you" className="flex flex-col gap-2 lg:order-last">
      <h2 id="needs-you" className="font-semibold">
        Needs you
      </h2>
      {requests + failedCharts.length + allFreed + outside + sheets.length + low.length === 0 ? (
        <p className="rounded-md border px-4 py-3 text-muted-foreground">Nothing waits for anybody here.</p>
      ) : (
        <ul className="divide-y rounded-md border">
          {requests > 0 && (
            <Item>
              <Link href={`/${place.team}/activity`} prefetch={false} className={cn(figureLink, "text-primary")}>
                {count(requests, "request")} for access
              </Link>
            </Item>
          )}
          {failedCharts.length > 0 && (
            <Item>
              <Link
                href={`/${place.team}/campaign/${place.campaign}/dashboard`}
                prefetch={false}
                className={cn(figureLink, "text-primary")}
              >
                {count(failedCharts.length, "chart")}
              </Link>{" "}
              could not be computed: {failedCharts.slice(0, most).join(", ")}
              {failedCharts.length > most && ` and ${number(failedCharts.length - most)} more`}
            </Item>
          )}
          {allFreed > 0 && (
            <Item>
              {count(allFreed, "line is kept as a duplicate", "lines are kept as duplicates")} of one that counts no
              more, so {allFreed === 1 ? "its voter has" : "their voters have"} no accepted line:{" "}
              {freed.slice(0, most).map((line, index) => (
                <span key={line.id}>
                  {index > 0 && "; "}
                  <RegisterLink place={place} show={{ line: line.id }}>
                    {placeText(line)}
                  </RegisterLink>
                </span>
              ))}
              {allFreed > most && ` and ${number(allFreed - most)} more`}
            </Item>
          )}
          {outside > 0 && (
            <Item>
              {count(outside, "accepted line was", "accepted lines were")} signed outside the campaign’s days, which
              were changed later: see those{" "}
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
          {sheets.slice(0, most).map(({ number: sheet, openedAt, gapCount }) => (
            <Item key={sheet}>
              <RegisterLink place={place} show={{ sheet, sort: "paper" }}>
                Sheet {sheet}
              </RegisterLink>{" "}
              is open since {shortDay(openedAt)}
              {gapCount > 0 && `, ${count(gapCount, "line")} missing`}
            </Item>
          ))}
          {sheets.length > most && <Item>{count(sheets.length - most, "further open sheet")}, listed below</Item>}
          {low.slice(0, most).map((row) => (
            <Item key={row.circulator}>
              <RegisterLink place={place} show={{ circulator: row.circulator ?? "" }}>
                {row.circulator}
              </RegisterLink>{" "}
              brings fewer valid lines than chance explains: {rateText(row, format)?.rate} of {number(row.lines)}
            </Item>
          ))}
        </ul>
      )}
    </section>
  );
}

function Item({ children }: { children: ReactNode }) {
  return <li className="wrap-anywhere px-4 py-2">{children}</li>;
}
