"use client";

import { rateText } from "@/components/progress/rate-text";
import { RegisterLink } from "@/components/progress/register-link";
import { WorkTable } from "@/components/progress/work-table";
import { useFormat } from "@/components/shell/format-provider";
import { Badge } from "@/components/ui/badge";
import type { CampaignOfTeam } from "@/lib/ids";
import type { CampaignWork } from "@/lib/progress/answers";
import { circulatorOutliers } from "@/lib/progress/circulator-outliers";

/** Who and what the lines of a team come from: circulators, clerks, counties, and the sheets that are open. */
export function WorkLists({ place, work, teamName }: { place: CampaignOfTeam; work: CampaignWork; teamName: string }) {
  const format = useFormat();
  const { number, count, shortDay } = format;
  const { circulators, clerks, counties, openSheets } = work;
  const outliers = circulatorOutliers(circulators);
  const more = (rest: { count: number; lines: number }) =>
    rest.count === 0 ? null : `and ${number(rest.count)} more, with ${count(rest.lines, "line")}`;
  const accepted = [...counties.rows, counties.rest].reduce((sum, row) => sum + row.accepted, 0);
  const rates = [
    { head: "Valid", numeric: true, cell: (row: Tally) => rateText(row, format)?.rate },
    {
      ...{ head: "95% interval", numeric: true, wideOnly: true },
      cell: (row: Tally) => <span className="text-muted-foreground">{rateText(row, format)?.interval}</span>,
    },
    { head: "Duplicates", numeric: true, cell: (row: Tally) => number(row.duplicates) },
  ];

  return (
    <div className="grid gap-8 xl:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-8">
        <WorkTable
          title="Circulators"
          note={`Lines that ${teamName} has keyed, by who collected the sheet.`}
          how="Intervals are Wilson’s. Marked is who lies outside what chance explains: Fisher’s exact test against all others, at 5% for all of them together (Holm)."
          rows={circulators.rows.map((row, index) => ({ ...row, outlier: outliers[index] }))}
          keyOf={({ circulator }) => circulator ?? ""}
          rest={more(circulators.rest)}
          empty="No line is keyed yet."
          columns={[
            {
              head: "Circulator",
              cell: ({ circulator, outlier }) => (
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  {circulator === null ? (
                    <span className="text-muted-foreground">not named</span>
                  ) : (
                    <RegisterLink place={place} show={{ circulator }}>
                      {circulator}
                    </RegisterLink>
                  )}
                  {outlier && <Badge tone={outlier === "low" ? "waiting" : "neutral"}>unusually {outlier}</Badge>}
                </span>
              ),
            },
            { head: "Lines", numeric: true, cell: ({ lines }) => number(lines) },
            ...rates,
          ]}
        />
        <WorkTable
          title="Counties"
          note={`Accepted lines of ${teamName}, by the county in the voter’s address.`}
          rows={counties.rows}
          keyOf={({ county }) => county ?? ""}
          rest={
            counties.rest.count === 0
              ? null
              : `and ${number(counties.rest.count)} more, with ${number(counties.rest.accepted)}`
          }
          empty="No line is accepted yet."
          columns={[
            {
              head: "County",
              cell: ({ county }) =>
                county === null ? (
                  <span className="text-muted-foreground">not given</span>
                ) : (
                  <RegisterLink place={place} show={{ county, verdict: "accepted" }}>
                    {county}
                  </RegisterLink>
                ),
            },
            { head: "Accepted", numeric: true, cell: (row) => number(row.accepted) },
            { head: "Share", numeric: true, cell: (row) => format.percent(row.accepted / accepted) },
          ]}
        />
      </div>
      <div className="flex min-w-0 flex-col gap-8">
        <WorkTable
          title="Clerks"
          note={`Lines that each has keyed for ${teamName}, and the day of the last one.`}
          rows={clerks.rows}
          keyOf={({ userId }) => userId ?? ""}
          rest={more(clerks.rest)}
          empty="No line is keyed yet."
          columns={[
            {
              head: "Clerk",
              cell: ({ userId, name, lastAt }) =>
                userId === null ? (
                  <span className="text-muted-foreground">nobody</span>
                ) : (
                  <span className="flex flex-wrap items-baseline gap-x-2">
                    <RegisterLink place={place} show={{ clerk: userId }}>
                      {name ?? "an account that is gone"}
                    </RegisterLink>
                    <span className="whitespace-nowrap text-muted-foreground text-sm">{shortDay(lastAt)}</span>
                  </span>
                ),
            },
            { head: "Lines", numeric: true, cell: ({ lines }) => number(lines) },
            ...rates,
          ]}
        />
        <WorkTable
          title="Open sheets"
          note={`Sheets of ${teamName} that nobody has closed, the oldest first; missing are lines of the paper with nothing keyed.`}
          rows={openSheets.rows}
          keyOf={(sheet) => String(sheet.number)}
          rest={openSheets.rest.count === 0 ? null : `and ${number(openSheets.rest.count)} more`}
          empty="No sheet is open."
          columns={[
            {
              head: "Sheet",
              cell: ({ openedBy, number: sheet }) => (
                <>
                  <RegisterLink place={place} show={{ sheet, sort: "paper" }}>
                    Sheet {sheet}
                  </RegisterLink>
                  <span className="text-muted-foreground text-sm max-sm:hidden"> · with {openedBy ?? "nobody"}</span>
                </>
              ),
            },
            { head: "Open since", numeric: true, cell: ({ openedAt }) => shortDay(openedAt) },
            {
              ...{ head: "Keyed", numeric: true },
              cell: ({ lines, signatureCount }) =>
                signatureCount === null ? number(lines) : `${number(lines)} of ${number(signatureCount)}`,
            },
            { head: "Missing", numeric: true, cell: ({ gapCount }) => number(gapCount) },
          ]}
        />
      </div>
    </div>
  );
}

type Tally = { lines: number; accepted: number; duplicates: number };
