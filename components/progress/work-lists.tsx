"use client";

import { RegisterLink } from "@/components/progress/figures";
import { tallyColumns, WorkTable } from "@/components/progress/work-table";
import { useFormat } from "@/components/shell/format-provider";
import { Badge } from "@/components/ui/badge";
import type { CampaignOfTeam } from "@/lib/ids";
import { markOutliers } from "@/lib/progress/rate-outliers";
import type { CampaignWork } from "@/lib/progress/responses";
import { noCounty } from "@/lib/signatures/register/register-path";

// Short where the columns need the room.
const manyDuplicates = (
  <Badge tone="warning">
    <span>
      <span className="max-sm:sr-only">Many </span>
      duplicates
    </span>
  </Badge>
);

/** Where a team's lines come from: circulators, clerks, counties and open sheets. */
export function WorkLists({ place, work, teamName }: { place: CampaignOfTeam; work: CampaignWork; teamName: string }) {
  const format = useFormat();
  const { number, count, shortDay } = format;
  const { circulators, clerks, counties, openSheets, shortSheets } = work;
  const marked = markOutliers(work);
  const validLines = [...counties.rows, counties.rest].reduce((sum, row) => sum + row.accepted, 0);
  const more = (rest: { count: number }, lines?: string) =>
    rest.count === 0 ? null : `${number(rest.count)} more${lines ? ` with ${lines}` : ""}`;
  const { lines, rate, range, duplicates } = tallyColumns(format);
  const tallies = [lines, rate, range, duplicates];

  return (
    <div className="grid gap-8 xl:grid-cols-2">
      <div className="flex min-w-0 flex-col gap-8">
        <WorkTable
          title="Circulators"
          note={`Lines entered for ${teamName}, by circulator.`}
          method={outlierMethod("circulator")}
          rows={marked.circulators}
          keyOf={({ circulator }) => circulator ?? ""}
          more={more(circulators.rest, count(circulators.rest.lines, "line"))}
          empty="No lines entered."
          columns={[
            {
              head: "Circulator",
              by: ({ circulator }) => circulator,
              cell: ({ circulator, outlier, repeats }) => (
                <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
                  {circulator === null ? (
                    <span className="text-muted-foreground">No circulator</span>
                  ) : (
                    <RegisterLink place={place} show={{ circulator, verdict: "not-blank" }}>
                      {circulator}
                    </RegisterLink>
                  )}
                  {outlier && <Badge tone={outlier === "low" ? "warning" : "neutral"}>{`${outlier} validity`}</Badge>}
                  {repeats && manyDuplicates}
                </span>
              ),
            },
            ...tallies,
          ]}
        />
        <WorkTable
          title="Counties"
          note={`${teamName}'s valid signatures by the voter's county.`}
          rows={counties.rows}
          keyOf={({ county }) => county ?? ""}
          more={more(counties.rest, count(counties.rest.accepted, "valid line"))}
          empty="No valid lines."
          columns={[
            {
              head: "County",
              cell: ({ county }) => (
                <RegisterLink place={place} show={{ county: county ?? noCounty, verdict: "accepted" }}>
                  {county ?? noCounty}
                </RegisterLink>
              ),
            },
            { head: "Valid", numeric: true, cell: (row) => number(row.accepted) },
            { head: "Share", numeric: true, cell: (row) => format.rate(row.accepted / validLines) },
          ]}
        />
      </div>
      <div className="flex min-w-0 flex-col gap-8">
        <WorkTable
          title="Clerks"
          note={`Lines entered for ${teamName}, with each clerk's last entry date.`}
          method={outlierMethod("clerk")}
          rows={marked.clerks}
          keyOf={({ userId }) => userId ?? ""}
          more={more(clerks.rest, count(clerks.rest.lines, "line"))}
          empty="No lines entered."
          columns={[
            {
              head: "Clerk",
              by: ({ name }) => name,
              cell: ({ userId, name, lastAt, repeats }) =>
                userId === null ? (
                  <span className="text-muted-foreground">System</span>
                ) : (
                  <span className="flex flex-wrap items-baseline gap-x-2">
                    <RegisterLink place={place} show={{ clerk: userId, verdict: "not-blank" }}>
                      {name ?? "a deleted account"}
                    </RegisterLink>
                    <span className="whitespace-nowrap text-muted-foreground text-sm">{shortDay(lastAt)}</span>
                    {repeats && manyDuplicates}
                  </span>
                ),
            },
            ...tallies,
          ]}
        />
        <div id="sheets" className="flex scroll-mt-16 flex-col gap-8">
          <WorkTable
            title="Open sheets"
            note={`${teamName}'s open sheets, oldest first.`}
            rows={openSheets.rows}
            keyOf={(sheet) => String(sheet.number)}
            more={more(openSheets.rest)}
            empty="No open sheets."
            columns={[
              {
                head: "Sheet",
                cell: ({ openedBy, number: sheet }) => (
                  <>
                    <RegisterLink place={place} show={{ sheet, sort: "sheet" }}>
                      Sheet {sheet}
                    </RegisterLink>
                    {openedBy && (
                      <span className="text-muted-foreground text-sm max-sm:hidden"> · last opened by {openedBy}</span>
                    )}
                  </>
                ),
              },
              { head: "Open since", numeric: true, cell: ({ openedAt }) => shortDay(openedAt) },
              {
                head: "Entered",
                numeric: true,
                cell: ({ lines, signatureCount }) =>
                  signatureCount === null ? number(lines) : `${number(lines)} of ${number(signatureCount)}`,
              },
              { head: "Missing", numeric: true, cell: ({ gapCount }) => number(gapCount) },
            ]}
          />
          {shortSheets.rows.length > 0 && (
            <WorkTable
              title="Closed sheets with missing lines"
              note={`${teamName}'s sheets, oldest first.`}
              rows={shortSheets.rows}
              keyOf={(sheet) => String(sheet.number)}
              more={more(shortSheets.rest)}
              empty=""
              columns={[
                {
                  head: "Sheet",
                  cell: ({ number: sheet }) => (
                    <RegisterLink place={place} show={{ sheet, sort: "sheet" }}>
                      Sheet {sheet}
                    </RegisterLink>
                  ),
                },
                { head: "Closed", numeric: true, cell: ({ closedAt }) => shortDay(closedAt) },
                {
                  head: "Entered",
                  numeric: true,
                  cell: ({ lines, expected }) => `${number(lines)} of ${number(expected)}`,
                },
                {
                  head: "Missing",
                  numeric: true,
                  cell: ({ lines, expected }) => number(expected - lines),
                },
              ]}
            />
          )}
        </div>
      </div>
    </div>
  );
}

const outlierMethod = (who: string) =>
  `A ${who} is flagged when the gap from everyone else is too large to be chance. A few duplicates are normal. The actual validity rate is 95% likely to be within the range.`;
