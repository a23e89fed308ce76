"use client";

import { useState } from "react";
import { RegisterLink } from "@/components/progress/figures";
import { trendText } from "@/components/progress/number-text";
import { ProgressChart } from "@/components/progress/progress-chart";
import { curveOf } from "@/components/progress/progress-curve";
import { ColumnTable } from "@/components/progress/work-table";
import { useFormat } from "@/components/shell/format-provider";
import { ScrollArea, Section } from "@/components/ui/section";
import type { CampaignOfTeam } from "@/lib/ids";
import type { ValidEstimate } from "@/lib/progress/forecast";
import type { CampaignProgress } from "@/lib/progress/responses";

/** Valid signatures by day, as a running total in a chart and a table. Needs a day with lines; `final` is the forecast of the last day. */
export function ProgressByDay({
  place,
  progress,
  final,
  linked,
}: {
  place: CampaignOfTeam;
  progress: CampaignProgress;
  final: ValidEstimate | null;
  linked: boolean;
}) {
  const format = useFormat();
  const { number, day, shortDay, timeZone, zoneName } = format;
  const [open, setOpen] = useState(false);
  const { days, accepted, goal, today, endsOn, own, entered } = progress;
  const goalText = goal === null ? "" : `, of ${number(goal)}${endsOn ? ` by ${day(endsOn)}` : ""}`;
  let total = accepted - days.reduce((sum, dayCounts) => sum + dayCounts.accepted, 0);
  const rows = days.map((dayCounts) => {
    total += dayCounts.accepted;
    return { ...dayCounts, total };
  });
  return (
    <Section title="Total valid signatures" note={trendText(progress, format)} className="gap-2">
      <div className="flex break-inside-avoid flex-col gap-3 rounded-md border px-4 py-4">
        <ProgressChart
          curve={curveOf(progress, final, timeZone)}
          goal={goal}
          label={`Running total of valid signatures: ${number(accepted)} by ${day(today)}${goalText}. The table below lists each day.`}
        />
        <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
          <summary className="cursor-pointer text-muted-foreground text-sm">
            Numbers by date of entry ({zoneName})
          </summary>
          {open && (
            <ScrollArea aria-label="Numbers by day" className="mt-2 max-h-72 overflow-y-auto rounded-md border">
              <ColumnTable
                aria-label="Numbers by day"
                headClassName="sticky top-0 bg-background"
                rows={rows.toReversed()}
                keyOf={(row) => row.day}
                columns={[
                  {
                    head: "Day",
                    cell: (row) => (
                      <RegisterLink
                        place={linked && own.entered === entered ? place : null}
                        show={{ verdict: "not-blank", enteredFrom: row.day, enteredTo: row.day }}
                      >
                        {shortDay(row.day)}
                      </RegisterLink>
                    ),
                  },
                  { head: "Entered", numeric: true, cell: (row) => number(row.entered) },
                  { head: "Valid", numeric: true, cell: (row) => number(row.accepted) },
                  { head: "Total valid", numeric: true, cell: (row) => number(row.total) },
                ]}
              />
            </ScrollArea>
          )}
        </details>
      </div>
    </Section>
  );
}
